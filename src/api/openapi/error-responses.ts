import { FORMATS } from '../../operations/answering/formats.ts'
import { PROBLEMS } from '../service/problem-codes.ts'
import { ERROR_STATUSES, type ErrorStatus } from './error-bodies.ts'
import { type HeaderName, headers } from './headers.ts'

/** The error responses, as components of the OpenAPI document. */

const HEADERS_OF: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  // From 404 on, the lake may have decided.
  404: ['X-Tapehouse-Snapshot'],
  405: ['Allow'],
  406: ['Vary'],
  422: ['X-Tapehouse-Snapshot'],
  429: ['Retry-After'],
  500: ['X-Tapehouse-Snapshot'],
  503: ['Retry-After', 'X-Tapehouse-Snapshot'],
}

function response({ status, name, codes }: ErrorStatus) {
  const meanings = codes.map(code => PROBLEMS[code].meaning.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'))
  return {
    description: meanings.join(' '),
    headers: headers('X-Request-Id', 'Cache-Control', ...(HEADERS_OF[status] ?? [])),
    content: { [FORMATS.json.mediaType]: { schema: { $ref: `#/components/schemas/${name}` } } },
  }
}

/** Those that a request to a documented path can have: not that of a WebSocket. */
const DOCUMENTED = ERROR_STATUSES.filter(({ status }) => status !== PROBLEMS.upgrade_required.status)

export const ERROR_BODIES = Object.fromEntries(DOCUMENTED.map(({ name, body }) => [name, body]))

export const ERROR_RESPONSES = Object.fromEntries(DOCUMENTED.map(status => [status.name, response(status)]))

/** References to the error responses of an operation, by status. `except`: statuses that it never has. */
export const errorResponses = (except: readonly number[]) =>
  Object.fromEntries(
    DOCUMENTED.filter(({ status }) => !except.includes(status)).map(({ status, name }) => [
      status,
      { $ref: `#/components/responses/${name}` },
    ]),
  )
