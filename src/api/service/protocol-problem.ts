import { type Problem, plain } from './problem.ts'

/** Responses to requests that HTTP itself, or a limit of the server, does not allow. `message` has no full stop. */
export const badRequest = (message: string, requestId: string): Problem =>
  plain('bad_request', `${message}.`, requestId)

export const requestTimeout = (arrivalMs: number, requestId: string): Problem =>
  plain(
    'request_timeout',
    `The request did not arrive completely within ${arrivalMs / 1000} seconds.`,
    requestId,
  )

export const uriTooLong = (bytesMax: number, requestId: string): Problem =>
  plain('uri_too_long', `The URL is longer than ${bytesMax} bytes: request fewer values at once.`, requestId)

export const expectationFailed = (requestId: string): Problem =>
  plain(
    'expectation_failed',
    'The Expect header has something else than 100-continue: send the request without it.',
    requestId,
  )

export const headersTooLarge = (bytesMax: number, requestId: string): Problem =>
  plain(
    'headers_too_large',
    `The URL and the headers are longer than ${bytesMax} bytes: send fewer or shorter headers.`,
    requestId,
  )
