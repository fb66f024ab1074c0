/**
 * All error responses of the HTTP API in one table, by the `code` of their body. `invalid_request` is the exception: its
 * body has no `code`. docs/errors.md is generated from this table.
 */
export const PROBLEMS = {
  bad_request: {
    status: 400,
    meaning:
      'The request is not valid HTTP, has no `Host` header or several, has content with GET or HEAD, or asks for a WebSocket with an invalid handshake.',
    remedy: 'Correct what `message` names. Send all parameters in the query string, without content.',
  },
  authentication_required: {
    status: 401,
    meaning:
      'The request has no token, or its token is not valid. `reason` is `malformed_token` if the `Authorization` header is missing or its token is not a UUID, `unknown_token` if the token is unknown, revoked or expired.',
    remedy:
      'Send `Authorization: Bearer <token>` with a valid token. `tapehouse token list` shows the tokens, `tapehouse token create` makes a new one.',
  },
  missing_access: {
    status: 403,
    meaning: 'The token is valid, but its route patterns do not include this operation.',
    remedy:
      'Use another token, or create one with `tapehouse token create --routes` and the id or path of the operation.',
  },
  not_found: {
    status: 404,
    meaning: 'The path is not a route of the API, or the lake has no record of what the path names.',
    remedy: 'Check the path against [operations.md](operations.md), and the name in it.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The request uses a method other than GET and HEAD.',
    remedy: 'Send a GET request with the parameters in the query string.',
  },
  not_acceptable: {
    status: 406,
    meaning:
      'The `Accept` header allows none of the formats of the route, or the `Accept-Encoding` header none of its codings.',
    remedy: 'Send one of the values in `accepted`, or neither header for JSON without a coding.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive completely within a minute.',
    remedy: 'Send the request again, at once.',
  },
  uri_too_long: {
    status: 414,
    meaning: 'The URL is longer than 16 KiB.',
    remedy: 'Request fewer values at once.',
  },
  expectation_failed: {
    status: 417,
    meaning: 'The request has an `Expect` header with something else than `100-continue`.',
    remedy: 'Send the request without this header.',
  },
  invalid_request: {
    status: 422,
    meaning:
      'A path or query parameter is unknown, missing or invalid, or the answer would be longer than `--answer-mib`.',
    remedy:
      'Correct each parameter that `msg` names. It shows a valid example of each. Where an answer is too long, `msg` names the parameter to lower.',
  },
  upgrade_required: {
    status: 426,
    meaning: 'A plain HTTP request was sent to `/api/socket`, which is a WebSocket.',
    remedy:
      'Connect with a WebSocket client and a `ws://` or `wss://` address: see [streaming.md](streaming.md).',
  },
  rate_limited: {
    status: 429,
    meaning: 'The token has sent more requests per second to a worker than `--rate-limit` permits.',
    remedy: 'Send the request again after the seconds in `Retry-After`, and fewer requests at once.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The URL and the headers together are longer than 32 KiB.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    meaning: 'The server failed because of a defect.',
    remedy:
      'Search the log for the `request_id`: the line `failed` has the cause. Where the cause is one of the failures below, its remedy applies.',
  },
  overloaded: {
    status: 503,
    meaning:
      'The server is busy, ran out of memory for this request, has no disk for a temporary file, or is stopping.',
    remedy:
      'Try again after the seconds in `Retry-After`. `message` says which limit was reached. If it happens often, raise that limit or `--workers`.',
  },
  lake_damaged: {
    status: 503,
    meaning:
      'A file that the request needs is damaged, replaced or missing. `dataset`, `days` and `file` name it. Other requests are answered.',
    remedy:
      'Restore the file from a copy of the lake, or import its data again. The server finds that within a second. See [reliability.md](reliability.md).',
  },
  deadline_exceeded: {
    status: 503,
    meaning: 'The query took longer than `--deadline-ms`, including its wait in the queue.',
    remedy: 'Request less data at once, or try again when the server is less busy.',
  },
} as const satisfies Readonly<Record<string, Row>>

export type ProblemCode = keyof typeof PROBLEMS

interface Row {
  readonly status: number
  /** For docs/errors.md, in Markdown. */
  readonly meaning: string
  readonly remedy: string
}
