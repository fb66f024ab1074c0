import { version } from '../../engine/resources.ts'
import { FORMATS, formatNames } from '../../operations/answering/formats.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Parameter } from '../../operations/parameters/parameter.ts'
import { readExample } from './examples.ts'

/** The OpenAPI 3.1 document of all operations. `server` is the address that clients reach the API at. */
export function openApi(operations: readonly Operation[], server: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'tapehouse',
      version: version(),
      description:
        'Read-only market data over a lake of Parquet files. Every operation needs a bearer token.',
    },
    servers: [{ url: server }],
    security: [{ token: [] }],
    paths: Object.fromEntries(operations.map(operation => [operation.path, { get: describe(operation) }])),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'UUID' } },
      schemas: { AuthenticationError, InvalidInput, Problem },
    },
  }
}

function describe(operation: Operation) {
  const { id, summary, description, parameters, response } = operation
  return {
    operationId: id,
    summary,
    description,
    parameters: Object.entries(parameters).map(([name, parameter]) => describeParameter(name, parameter)),
    responses: {
      200: {
        description: 'The answer.',
        headers: {
          ...REQUEST_ID,
          ETag: header('Strong validator of this answer, for If-None-Match.'),
        },
        content: Object.fromEntries(
          formatNames.map(name => [
            FORMATS[name].mediaType,
            name === 'json' ? { schema: response, ...exampleOf(id) } : { schema: {} },
          ]),
        ),
      },
      304: { description: 'The answer that If-None-Match names is still the one.', headers: REQUEST_ID },
      401: answer('AuthenticationError', 'No token, not a UUID, or an unknown, revoked or expired one.', {
        'WWW-Authenticate': header('`Bearer`, with the error where a token was given.'),
      }),
      403: answer('AuthenticationError', 'The token has no permission for this route.', {
        'WWW-Authenticate': header('`Bearer` with the error `insufficient_scope`.'),
      }),
      ...(mayBeMissing(operation)
        ? { 404: answer('Problem', 'The lake holds nothing of what the path names.') }
        : {}),
      406: answer('Problem', 'None of the accepted media types is on offer.'),
      422: answer('InvalidInput', 'Bad path or query values, every one of them named.'),
      500: answer('Problem', 'A fault of the server; the log has the details under the request id.'),
      503: answer('Problem', 'Busy, out of memory or past the deadline: try again later.', {
        'Retry-After': header('After so many seconds.'),
      }),
    },
  }
}

/** Several values of one parameter are given by naming it as often; any index in its brackets is taken as well. */
function describeParameter(
  name: string,
  { in: place, required, repeatable, description, schema, example }: Parameter,
) {
  return {
    name,
    in: place,
    required,
    description,
    ...(repeatable ? { style: 'form', explode: true } : {}),
    schema,
    example: repeatable ? [example] : typed(schema, example),
  }
}

/** An example's text as the value that it stands for, so that it fits the schema. */
function typed({ type }: { type?: unknown }, text: string): unknown {
  return type === 'integer' || type === 'number' || type === 'boolean' ? JSON.parse(text) : text
}

function exampleOf(id: string) {
  const example = readExample(id)
  return example === undefined ? {} : { example: example.answer }
}

/** Whether an operation says 404 where it finds nothing: most say that a list is empty, some that a value is wrong. */
function mayBeMissing({ parameters, missing }: Operation): boolean {
  const values = Object.entries(parameters).map(([name, { parse, example, absent }]) => {
    const parsed = parse([example])
    return [name, 'value' in parsed ? parsed.value : absent]
  })
  return missing?.(Object.fromEntries(values)).code === 'not_found'
}

const header = (description: string) => ({ description, schema: { type: 'string' } })
const REQUEST_ID = { 'X-Request-Id': header('Names this request in the log of the server.') }

const answer = (schema: string, description: string, headers: object = {}) => ({
  description,
  headers: { ...REQUEST_ID, ...headers },
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
})

const text = { type: 'string' }
const object = (properties: Record<string, unknown>, required: string[]) => ({
  type: 'object',
  properties,
  required,
})

const AuthenticationError = object(
  {
    code: { enum: ['authentication_required', 'missing_access'] },
    reason: { enum: ['malformed_token', 'unknown_token', 'route_not_permitted'] },
    message: text,
    expected_format: { const: 'uuid' },
    request_id: text,
    retryable: { const: false },
    documentation_url: text,
    support_email: text,
    token_url: text,
  },
  ['code', 'reason', 'message', 'request_id', 'retryable', 'documentation_url', 'support_email', 'token_url'],
)
const InvalidInput = object({ msg: text, path: text, query: text, url: text }, [
  'msg',
  'path',
  'query',
  'url',
])
const Problem = object({ code: text, message: text, request_id: text, retryable: { type: 'boolean' } }, [
  'code',
  'message',
  'request_id',
])
