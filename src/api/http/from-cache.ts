import { FORMATS } from '../../operations/answering/formats.ts'
import type { CachedAnswer, Outcome, PreparedRequest } from '../service/answer-cache.ts'
import { type Arrival, pathOf } from '../service/arrival.ts'
import type { Service } from '../service/service.ts'
import { answerHeaders, matchedTag, stateOf } from './answer-headers.ts'

/** A response that needs no query. */
export interface KnownResponse {
  /** A match is a 304, and a hit a 200. */
  readonly use: 'match' | 'hit'
  readonly headers: Readonly<Record<string, string>>
  /** Null for a 304. */
  readonly content: Uint8Array | null
}

/** The 304, or the cached answer, to a request whose files are proved; null if it needs a query. */
export function fromCache(
  { cache }: Service,
  prepared: PreparedRequest,
  request: Arrival,
): KnownResponse | null {
  const matched = matchHeaders(prepared, request)
  if (matched !== null) return { use: 'match', headers: matched, content: null }
  const cached = cache.answers.get(prepared.tag)
  if (cached === undefined || !isCurrent(cached, prepared)) return null
  return { use: 'hit', headers: hitHeaders(prepared, cached, request), content: cached.content }
}

/** Why an answer is empty is known for one state of the lake only. */
const isCurrent = ({ empty, state }: CachedAnswer, { pinned }: PreparedRequest) =>
  empty === null || state === stateOf(pinned.snapshot)

export const contentHeaders = ({ format, coding }: Pick<PreparedRequest, 'format' | 'coding'>) => ({
  'content-type': FORMATS[format].contentType,
  ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
})

/** The headers of a response from the cache. Those of the last one are kept: they depend on the outcome alone. */
function hitHeaders(prepared: PreparedRequest, { empty, end }: Outcome, { raw }: Arrival) {
  const { hit } = prepared
  if (hit !== null && hit.outcome.empty === empty && hit.outcome.end === end) return hit.headers
  const outcome = { empty, end }
  const headers = {
    ...prepared.headers,
    ...contentHeaders(prepared),
    ...answerHeaders(prepared.pinned, prepared.tag, outcome, pathOf(raw)),
  }
  prepared.hit = { outcome, headers }
  return headers
}

/** Characters of an `If-None-Match` that is kept with the headers of its 304. */
const KEPT_MATCH_MAX = 200

/** The headers of a 304; null if the client does not have the current answer. */
function matchHeaders(prepared: PreparedRequest, { raw, headers: sent }: Arrival) {
  const wanted = sent['if-none-match']
  if (wanted === undefined) return null
  if (prepared.match?.wanted === wanted) return prepared.match.headers
  const { pinned, tag } = prepared
  const outcome = matchedTag(wanted, tag, pinned)
  if (outcome === null) return null
  const headers = { ...prepared.headers, ...answerHeaders(pinned, tag, outcome, pathOf(raw)) }
  if (wanted.length <= KEPT_MATCH_MAX) prepared.match = { wanted, headers }
  return headers
}
