import { PROBLEMS, type ProblemCode } from '../service/problem-codes.ts'
import type { JsonSchema } from './components.ts'

/** The bodies of error responses, by the code of the problem. */

const text = (description: string, more: JsonSchema = {}) => ({ type: 'string', description, ...more })

const request_id = text('Finds the request in the log. The same as the header X-Request-Id.')
const message = text('What was wrong, and what to do, in one line.')
const contacts = {
  documentation_url: text('The documentation of the API.'),
  support_email: text('Whom to ask.'),
  token_url: text('Where to find a token.'),
}
const retryable = { type: 'boolean', description: 'Whether the same request can succeed later.' }

/** The fields that the bodies of a code have besides `code`, `message` and `request_id`. */
const FURTHER: Readonly<Partial<Record<ProblemCode, JsonSchema>>> = {
  authentication_required: {
    reason: text(
      '`malformed_token`: the header `Authorization` is missing, or its token is not a UUID. `unknown_token`: the token is unknown, revoked or expired.',
      { enum: ['malformed_token', 'unknown_token'] },
    ),
    expected_format: text('With `malformed_token`: what a token is.', { enum: ['uuid'] }),
    retryable,
    ...contacts,
  },
  missing_access: {
    reason: text('`route_not_permitted`: the token has no permission for this route.', {
      enum: ['route_not_permitted'],
    }),
    retryable,
    ...contacts,
  },
  not_acceptable: {
    accepted: {
      type: 'array',
      description:
        'The media types that the route has, or its content codings if the request excludes them all.',
      items: { type: 'string' },
    },
  },
  rate_limited: { retryable },
  internal_error: { retryable },
  overloaded: {
    retryable,
    dataset: text('With `lake_damaged`: the dataset that has the damaged file.'),
    days: text('With `lake_damaged`: the date of the rows of the file, or the first and the last one.'),
    file: text('With `lake_damaged`: the name of the file in the lake.'),
  },
  deadline_exceeded: { retryable },
}

const OPTIONAL = ['expected_format', 'dataset', 'days', 'file']

const body = (title: string, properties: JsonSchema) => ({
  title,
  type: 'object',
  properties,
  required: Object.keys(properties).filter(name => !OPTIONAL.includes(name)),
  additionalProperties: false,
})

/** `NotFound` of `not_found`. */
const nameOf = (code: string) =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The body of a 422, which has no code. */
const INVALID_REQUEST = body('InvalidRequest', {
  msg: text('Every invalid parameter, each with a valid example, separated by semicolons.'),
  path: text('The path of the request.'),
  query: text('The query of the request, without the question mark.'),
  url: text('The whole address of the request.'),
})

/** An error response of a status: all codes with it have bodies of the same fields. */
export interface ErrorStatus {
  readonly status: number
  /** The name of its response and of the schema of its body: that of its first code. */
  readonly name: string
  readonly codes: readonly ProblemCode[]
  readonly body: JsonSchema
}

/** The error responses, ascending by status, as the table of problems has them. */
export const ERROR_STATUSES: readonly ErrorStatus[] = [
  ...new Set(Object.values(PROBLEMS).map(({ status }) => status)),
]
  .toSorted((one, other) => one - other)
  .map(status => {
    const codes = (Object.keys(PROBLEMS) as ProblemCode[]).filter(code => PROBLEMS[code].status === status)
    const [first = 'internal_error'] = codes
    const name = nameOf(first)
    const code = text('The case.', { enum: codes })
    const own = body(name, { code, message, request_id, ...FURTHER[first] })
    return { status, name, codes, body: codes.includes('invalid_request') ? INVALID_REQUEST : own }
  })
