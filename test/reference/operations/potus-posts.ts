import { column } from '../column.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Sample } from '../readers.ts'
import { paged, parameter, type Request } from '../request.ts'

/** The characters of a post from which terms are taken. */
const TERM_MAX = 100

/** First lines of posts, because a term with a line break is not valid. */
export const samples = (lake: Lake): Sample[] =>
  lake.rows('posts').map(({ post }, index) => {
    const [line = ''] = String(post).slice(0, TERM_MAX).split('\n')
    return { search_term: index % 3 === 0 ? line.toUpperCase() : line }
  })

export function answer(lake: Lake, request: Request): unknown {
  const term = parameter(request, 'search_term')?.trim().toLowerCase() ?? ''
  const posts = lake.rows('posts').filter(row => String(row.post).toLowerCase().includes(term))
  const newestFirst = ordered(posts, descending(column('timestamp')), ascending(column('id')))
  return {
    data: paged(request, newestFirst, 200).map(({ post, timestamp }) => ({
      post,
      timestamp: Number((timestamp as bigint) / 1000n),
    })),
  }
}
