import type { Snapshot } from '../../lake/store/snapshot.ts'
import type { Pinned } from '../../operations/answering/answer.ts'
import { type EmptyReason, emptyReasons } from '../../operations/answering/empty.ts'
import type { PageEnd } from '../../operations/answering/paging.ts'
import type { Outcome } from '../service/answer-cache.ts'
import type { Path } from '../service/arrival.ts'
import { noneMatch, tagSuffixes } from './negotiate.ts'
import { endInTag, endOfTag, nextPageHeader } from './next-page.ts'

/** The headers of an answer to a request for `path`, which a 304 repeats. */
export function answerHeaders(
  pinned: Pinned,
  tag: string,
  { empty, end }: Outcome,
  path: Path,
): Record<string, string> {
  const { plan, snapshot } = pinned
  return {
    etag: empty === null ? pageTag(tag, end) : emptyTag(tag, stateOf(snapshot), empty),
    ...nextPageHeader(pinned, end, path),
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept, Accept-Encoding',
    ...(plan.date ? { 'x-tapehouse-date': plan.date } : {}),
    ...(empty === null ? {} : { 'x-tapehouse-empty': empty }),
    ...(snapshot.synthetic ? { 'x-tapehouse-synthetic': 'true' } : {}),
  }
}

/**
 * The tag of an empty answer. Why it is empty depends on the whole snapshot, and a 304 repeats the reason without a query:
 * the tag has both.
 */
const emptyTag = (tag: string, state: string, empty: EmptyReason) => `${tag.slice(0, -1)}.${state}.${empty}"`

const pageTag = (tag: string, end: PageEnd | null) =>
  end === null ? tag : `${tag.slice(0, -1)}.${endInTag(end)}"`

/** Identifies the whole content of a snapshot: its number, and the day of a state as of a day. */
export const stateOf = ({ number, asOf }: Snapshot) =>
  asOf === undefined ? `${number}` : `${number}.${asOf}`

/** What a current tag of the answer in `If-None-Match` says of it; null if the header has none. */
export function matchedTag(header: string | undefined, tag: string, { snapshot }: Pinned): Outcome | null {
  if (header === undefined) return null
  if (noneMatch(header, tag)) return { empty: null, end: null }
  const end = tagSuffixes(header, tag)
    .map(endOfTag)
    .find(found => found !== null)
  if (end) return { empty: null, end }
  const empty = emptyReasons.find(reason => noneMatch(header, emptyTag(tag, stateOf(snapshot), reason)))
  return empty === undefined ? null : { empty, end: null }
}
