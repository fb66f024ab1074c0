import { EMPTY_REASONS, emptyReasons } from '../../operations/answering/empty.ts'
import type { Permitted } from './parameters.ts'

/** The headers of responses, as components of the OpenAPI document. */

const text = { type: 'string' } as const
const date = { type: 'string', format: 'date', pattern: String.raw`^\d{4}-\d{2}-\d{2}$` } as const

export const HEADERS = {
  Allow: { description: 'The methods of this path.', schema: { type: 'string', enum: ['GET, HEAD'] } },
  'Cache-Control': {
    description:
      '`private, no-cache`: a client may keep the response, and must send its ETag before it uses it again. `no-store` for an error.',
    schema: text,
  },
  ETag: { description: 'Strong validator of this response, for If-None-Match.', schema: text },
  Link: {
    description:
      'The next page, if there is one: `<URL>; rel="next"` (RFC 8288). A client that follows it until it is missing reads every record once.',
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
  },
  Vary: { description: 'The request headers that the response depends on.', schema: text },
  'WWW-Authenticate': {
    description:
      '`Bearer`, with `error="invalid_token"` if the request had a token that is not valid, and `error="insufficient_scope"` if its token has no permission (RFC 6750).',
    schema: {
      type: 'string',
      enum: ['Bearer', 'Bearer error="invalid_token"', 'Bearer error="insufficient_scope"'],
    },
  },
  'X-Request-Id': {
    description:
      "Identifies this request in the log of the server: the request's own `X-Request-Id` if it has up to 64 letters, digits, dots, hyphens and underscores, else a new UUID.",
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  },
  'X-Tapehouse-As-Of': {
    description: 'With `as_of`: the response has what was known by 20:00 New York on this date.',
    schema: date,
  },
  'X-Tapehouse-Date': {
    description:
      'The date that the response is of, requested or default, as YYYY-MM-DD. Only where the operation has a date.',
    schema: date,
  },
  'X-Tapehouse-Empty': {
    description: `Why the response has no rows; missing if it has any. ${emptyReasons.map(reason => `${reason}: ${EMPTY_REASONS[reason]}`).join('; ')}.`,
    schema: { type: 'string', enum: emptyReasons },
  },
  'X-Tapehouse-Ignored-Parameters': {
    description:
      'The unknown parameters that the answer ignores, percent-encoded and separated by commas; missing if there are none.',
    schema: text,
  },
  'X-Tapehouse-Snapshot': {
    description: 'Number of the snapshot of the lake that the response was computed from.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-Tapehouse-Synthetic': {
    description: '`true` if the lake holds only generated data; missing otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const

export type HeaderName = keyof typeof HEADERS

/** The headers that responses have only where the server permits what they are about. */
export const permittedHeaders = ({ allowAsOf = false, ignoresUnknown = false }: Permitted): HeaderName[] => [
  ...(allowAsOf ? (['X-Tapehouse-As-Of'] as const) : []),
  ...(ignoresUnknown ? (['X-Tapehouse-Ignored-Parameters'] as const) : []),
]

/** All headers of a server's responses. */
export function headerComponents(permitted: Permitted): Partial<typeof HEADERS> {
  const most = permittedHeaders({ allowAsOf: true, ignoresUnknown: true })
  const own = permittedHeaders(permitted)
  return Object.fromEntries(
    Object.entries(HEADERS).filter(
      ([name]) => !most.some(each => each === name) || own.some(each => each === name),
    ),
  )
}

/** References to some of the headers, for a response. */
export const headers = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
