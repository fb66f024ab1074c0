import { describe, expect, test } from 'vitest'
import { indexFiles, type LakeFile } from '../../../src/lake/store/prune.ts'
import { pin } from '../../../src/operations/answering/answer.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { potusPosts } from '../../../src/operations/catalog/potus-posts.ts'
import { snapshotWith } from '../../fixtures/snapshot.ts'

const file = (name: string, rows: number, first: string, last: string): LakeFile => ({
  path: `/${name}`,
  name,
  rows,
  bytes: 1,
  dataset: 'any',
  sha256: name,
  dates: [first, last],
  ranges: {},
})

/** Three months of 100, 50 and 30 posts, and a file of late arrivals that reaches from the first into the third. */
const { lastDate, select } = indexFiles([
  file('january', 100, '2024-01-01', '2024-01-31'),
  file('february', 50, '2024-02-01', '2024-02-29'),
  file('march', 30, '2024-03-01', '2024-03-31'),
  file('late', 5, '2024-01-20', '2024-03-02'),
])
const snapshot = snapshotWith({
  lastDate: () => lastDate,
  files: (_, selection = {}) => select(selection),
})

function opened(query: readonly (readonly [string, string])[]): string[] {
  const validated = validate(potusPosts, { path: {}, query })
  if ('faults' in validated) throw new Error(JSON.stringify(validated.faults))
  const { files } = pin(potusPosts, validated.values, snapshot, { owner: null, admin: false })
  return [...files.values()].flat().map(({ name }) => name)
}

describe('a page of posts opens only files that can hold it', () => {
  test.each([
    // March alone has 30 posts; posts of 1 and 2 March can also be among the late arrivals.
    ['29 newest', { limit: '29' }, ['late', 'march']],
    [
      '30 newest, and the one in February that shows that a page follows',
      { limit: '30' },
      ['late', 'february', 'march'],
    ],
    [
      'the third page of 40, from the 81st post to the 120th',
      { limit: '40', page: '2' },
      ['january', 'late', 'february', 'march'],
    ],
    ['more than there are', { limit: '200' }, ['january', 'late', 'february', 'march']],
    [
      'those that contain a word, which any may',
      { limit: '1', search_term: 'x' },
      ['january', 'late', 'february', 'march'],
    ],
  ])('%s', (_, query, names) => {
    expect(opened(Object.entries(query))).toEqual(names)
  })
})
