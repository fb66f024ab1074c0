import { version } from '../engine/resources.ts'
import { FORMATS, formatNames } from '../operations/formats.ts'
import type { Operation } from '../operations/operation.ts'

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

function describe({ id, summary, description, parameters, response }: Operation) {
  return {
    operationId: id,
    summary,
    description,
    parameters: Object.entries(parameters).map(([name, parameter]) => ({
      name,
      in: parameter.in,
      required: parameter.required,
      description: parameter.description,
      schema: parameter.schema,
      example: parameter.example,
    })),
    responses: {
      200: {
        description: 'The answer.',
        headers: { ETag: { description: 'Strong validator of this answer.', schema: { type: 'string' } } },
        content: Object.fromEntries(
          formatNames.map(name => [FORMATS[name].mediaType, { schema: name === 'json' ? response : {} }]),
        ),
      },
      304: { description: 'The answer that If-None-Match names is still the one.' },
      401: answer('AuthenticationError', 'No token, not a UUID, or an unknown, revoked or expired one.'),
      403: answer('AuthenticationError', 'The token has no permission for this route.'),
      406: answer('Problem', 'None of the accepted media types is on offer.'),
      422: answer('InvalidInput', 'Bad path or query values, every one of them named.'),
      500: answer('Problem', 'A fault of the server; the log has the details under the request id.'),
      503: answer(
        'Problem',
        'Busy, out of memory or past the deadline: try again after Retry-After seconds.',
      ),
    },
  }
}

const answer = (schema: string, description: string) => ({
  description,
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
