import type { Snapshot } from '../../lake/store/snapshot.ts'
import type { Pinned } from '../../operations/answering/answer.ts'
import { type EmptyReason, emptyReasons } from '../../operations/answering/empty.ts'
import { noneMatch } from './negotiate.ts'

/** The headers of an answer, which a 304 repeats. `empty` says why it has no rows; null if it has any. */
export function answerHeaders(
  { plan, snapshot }: Pinned,
  tag: string,
  empty: EmptyReason | null,
): Record<string, string> {
  return {
    etag: empty === null ? tag : emptyTag(tag, stateOf(snapshot), empty),
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

/** Identifies the whole content of a snapshot: its number, and the day of a state as of a day. */
export const stateOf = ({ number, asOf }: Snapshot) =>
  asOf === undefined ? `${number}` : `${number}.${asOf}`

/** Whether `If-None-Match` has a current tag of the answer, and why the answer was empty; null if it has none. */
export function matchedTag(
  header: string | undefined,
  tag: string,
  { snapshot }: Pinned,
): { readonly empty: EmptyReason | null } | null {
  if (header === undefined) return null
  if (noneMatch(header, tag)) return { empty: null }
  const empty = emptyReasons.find(reason => noneMatch(header, emptyTag(tag, stateOf(snapshot), reason)))
  return empty === undefined ? null : { empty }
}
