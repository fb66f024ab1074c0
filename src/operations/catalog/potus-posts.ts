import type { LakeFile, Selection, Snapshot } from '../../lake/store/snapshot.ts'
import { operation } from '../answering/operation.ts'
import { from, joined, type OperationFields } from '../fields/notation.ts'
import { freeText } from '../parameters/kinds.ts'
import { limit, page } from '../parameters/number.ts'

const post = from('posts')

const fields: OperationFields = {
  dating: ['posts'],
  parts: [
    {
      at: 'data[]',
      record: 'PotusPost',
      fields: [
        ...post.columns('string', 'post'),
        post.made('timestamp', 'integer', 'timestamp', 'milliseconds since 1970-01-01, UTC'),
      ],
    },
  ],
  parameters: [joined('search_term', 'string', 'posts.post', 'the text contains it, in any case')],
}

export const potusPosts = operation({
  id: 'potus-posts',
  fields,
  examples: [],
  parameters: {
    limit: limit(200, 200),
    page: page(),
    search_term: freeText({
      description:
        'Keeps posts that contain this text, in any case. There are no wildcards; leading and trailing blanks are ignored.',
      example: 'tariffs',
      charactersMax: 200,
    }),
  },
  // One row more shows whether another page follows.
  plan: ({ limit, page, search_term }, snapshot: Snapshot) => ({
    reads: { posts: search_term === null ? newest(snapshot.files('posts'), (page + 1) * limit + 1) : {} },
  }),
})

/** The newest files of a dataset that together have at least `rows` rows, or all: `files` are sorted by first date. */
function newest(files: readonly LakeFile[], rows: number): Selection {
  let held = 0
  for (const file of files.toReversed()) {
    held += file.rows
    if (held >= rows) return { from: file.dates[0] }
  }
  return {}
}
