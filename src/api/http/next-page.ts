import type { Pinned } from '../../operations/answering/answer.ts'
import { parameterNamed } from '../../operations/answering/names.ts'
import { type Changes, nextPage, type PageEnd } from '../../operations/answering/paging.ts'
import { AS_OF, SNAPSHOT } from '../openapi/parameters.ts'
import type { Path } from '../service/arrival.ts'

/** The header `Link` of an answer (RFC 8288) with the address of its next page; no header without a next page. */
export function nextPageHeader(pinned: Pinned, end: PageEnd | null, path: Path): Record<string, string> {
  const changes = end && nextPage(pinned, end)
  return changes ? { link: `<${nextAddress(pinned, changes, path)}>; rel="next"` } : {}
}

/** The path and query of a request with other parameters. A name that is no parameter is left out: it may be a secret. */
function nextAddress({ operation }: Pinned, changes: Changes, { path, query }: Path): string {
  const { parameters } = operation
  const isKept = ([name, value]: readonly [string, string]) =>
    value !== '' &&
    !(name in changes) &&
    (name === SNAPSHOT || name === AS_OF || parameterNamed(parameters, name) !== null)
  const kept = [...new URLSearchParams(query)].filter(isKept)
  return `${path.replaceAll(NOT_IN_LINK, encodeURIComponent)}?${new URLSearchParams([...kept, ...Object.entries(changes)])}`
}

/** Characters that some clients send in a path as they are, but that end an address in a header. */
const NOT_IN_LINK = /[^!-~]|[<>"]/g

/**
 * The end of a page is part of the entity tag, because a 304 repeats the header without a query: `e` and the time of the
 * last record, or `d` where the page divides records of that time.
 */
export const endInTag = ({ time, dividesTime }: PageEnd): string => `${dividesTime ? 'd' : 'e'}${time}`

const IN_TAG = /^([de])(-?\d{1,18})$/

/** The end of a page in the suffix of a tag, which a client sends back; null for another text. */
export function endOfTag(suffix: string): PageEnd | null {
  const [, kind, time] = IN_TAG.exec(suffix) ?? []
  return time === undefined ? null : { time: BigInt(time), dividesTime: kind === 'd' }
}
