import { FAILURES, Failure } from '../../engine/failure.ts'
import { faultText } from '../../operations/answering/validate.ts'
import type { Fault } from '../../operations/parameters/parameter.ts'
import type { Path } from './arrival.ts'
import { PROBLEMS, type ProblemCode } from './problem-codes.ts'

/** An error response. The specification determines its status and body. */
export interface Problem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** The URL of a request as the server sees it: nothing that the client says of itself. */
export interface Address extends Path {
  readonly origin: string
}

/** Where a client that is not authorized finds help. */
export interface Contacts {
  readonly documentation_url: string
  readonly support_email: string
  readonly token_url: string
}

const UNAUTHENTICATED = {
  missing: {
    challenge: 'Bearer',
    reason: 'malformed_token',
    message:
      'This API requires a token: send the header "Authorization: Bearer <token>" with a token that is a UUID.',
  },
  malformed: {
    challenge: 'Bearer error="invalid_token"',
    reason: 'malformed_token',
    message: 'The token in the Authorization header is not a UUID.',
  },
  unknown: {
    challenge: 'Bearer error="invalid_token"',
    reason: 'unknown_token',
    message: 'The token is unknown, revoked or expired.',
  },
} as const

export function unauthenticated(
  why: keyof typeof UNAUTHENTICATED,
  requestId: string,
  contacts: Contacts,
): Problem {
  const { challenge, reason, message } = UNAUTHENTICATED[why]
  return {
    status: PROBLEMS.authentication_required.status,
    headers: { 'www-authenticate': challenge },
    body: {
      code: 'authentication_required' satisfies ProblemCode,
      reason,
      message,
      ...(reason === 'malformed_token' ? { expected_format: 'uuid' } : {}),
      request_id: requestId,
      retryable: false,
      ...contacts,
    },
  }
}

export function routeNotPermitted(requestId: string, contacts: Contacts): Problem {
  return {
    status: PROBLEMS.missing_access.status,
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    body: {
      code: 'missing_access' satisfies ProblemCode,
      reason: 'route_not_permitted',
      message: 'The token is valid but has no permission for this route.',
      request_id: requestId,
      retryable: false,
      ...contacts,
    },
  }
}

/** Characters of a path or a query that an error repeats. */
const REPEATED_MAX = 1024

const repeated = (text: string) => (text.length > REPEATED_MAX ? `${text.slice(0, REPEATED_MAX)}…` : text)

export function invalidInput(msg: string, address: Address): Problem {
  const [path, query] = [repeated(address.path), repeated(address.query)]
  return {
    status: PROBLEMS.invalid_request.status,
    headers: {},
    body: { msg, path, query, url: `${address.origin}${path}${query && `?${query}`}` },
  }
}

export const invalidFaults = (faults: readonly Fault[], address: Address) =>
  invalidInput(faultText(faults), address)

/** A problem whose body has a code, a message and the request id. */
export const plain = (
  code: ProblemCode,
  message: string,
  requestId: string,
  more = {},
  headers = {},
): Problem => ({
  status: PROBLEMS[code].status,
  headers,
  body: { code, message, request_id: requestId, ...more },
})

export const notFound = (message: string, requestId: string) => plain('not_found', message, requestId)

export const routeNotFound = (requestId: string) =>
  notFound('This route does not exist: /api/docs lists all routes.', requestId)

export const methodNotAllowed = (requestId: string) =>
  plain('method_not_allowed', 'Only GET and HEAD are allowed.', requestId, {}, { allow: 'GET, HEAD' })

export const upgradeRequired = (requestId: string) =>
  plain(
    'upgrade_required',
    'This is a WebSocket endpoint: connect with ws:// or wss://.',
    requestId,
    {},
    { upgrade: 'websocket' },
  )

export const notAcceptable = (
  what: 'media types' | 'content codings',
  accepted: readonly string[],
  requestId: string,
) =>
  plain(
    'not_acceptable',
    `None of the accepted ${what} is supported: accept one of ${accepted.join(', ')}.`,
    requestId,
    { accepted },
  )

/** `waitSeconds`: the time after which the next request is permitted. */
export const rateLimited = (perSecond: number, waitSeconds: number, requestId: string) =>
  plain(
    'rate_limited',
    `The token has sent more than ${perSecond} requests per second: send the request again after the seconds in Retry-After.`,
    requestId,
    { retryable: true },
    { 'retry-after': String(Math.max(1, Math.ceil(waitSeconds))) },
  )

const RETRY_AFTER = { 'retry-after': '1' }

/** The response to a valid request that failed. The cause of a defect is only logged. */
export function failed(thrown: unknown, requestId: string): Problem {
  if (!(thrown instanceof Failure)) {
    return plain(
      'internal_error',
      'Internal error. The log of the server has the details under this request_id.',
      requestId,
      {
        retryable: false,
      },
    )
  }
  if (thrown.code === 'not_found') return notFound(thrown.message, requestId)
  if (thrown.code === 'lake_damaged') return damaged(thrown, requestId)
  if (FAILURES[thrown.code].status === 503) {
    const code = thrown.code === 'deadline_exceeded' ? 'deadline_exceeded' : 'overloaded'
    return plain(code, `${thrown.message}: try again.`, requestId, { retryable: true }, RETRY_AFTER)
  }
  return failed(new Error(thrown.message), requestId)
}

/** Seconds after which a request that needs a damaged file may be tried again. */
const MENDED_AFTER = { 'retry-after': '30' }

/** Only the message of a failure with details is for clients: others have paths of the server. */
function damaged({ message, details }: Failure, requestId: string): Problem {
  const shown =
    details === undefined
      ? 'A part of the lake cannot be read. The log of the server has the details under this request_id.'
      : `${message}.`
  return plain('lake_damaged', shown, requestId, { retryable: true, ...details }, MENDED_AFTER)
}
