import { version } from '../../engine/resources.ts'
import { EMPTY_REASONS, emptyReasons } from '../../operations/answering/empty.ts'
import { FORMATS, formatNames } from '../../operations/answering/formats.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Parameter } from '../../operations/parameters/parameter.ts'
import { SNAPSHOT } from './chosen-snapshot.ts'
import { AS_OF } from './chosen-time.ts'
import { readExample } from './examples.ts'

/** What requests may name, because the server permits it. Default: nothing. */
export interface Permitted {
  readonly allowSnapshots?: boolean
  readonly allowAsOf?: boolean
}

/** The OpenAPI 3.1 document of all operations. `server` is the URL at which clients reach the API. */
export function openApi(operations: readonly Operation[], server: string, permitted: Permitted = {}) {
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
    paths: Object.fromEntries(
      operations.map(operation => [operation.path, { get: describe(operation, permitted) }]),
    ),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'UUID' } },
      schemas: { AuthenticationError, InvalidInput, Problem },
    },
  }
}

function describe(operation: Operation, { allowSnapshots = false, allowAsOf = false }: Permitted) {
  const { id, summary, description, parameters, response } = operation
  return {
    operationId: id,
    summary,
    description,
    parameters: [
      ...Object.entries(parameters).map(([name, parameter]) => describeParameter(name, parameter)),
      ...(allowSnapshots ? [SNAPSHOT_PARAMETER] : []),
      ...(allowAsOf ? [AS_OF_PARAMETER] : []),
    ],
    responses: {
      200: {
        description: 'The requested data.',
        headers: {
          ...REQUEST_ID,
          ...SNAPSHOT_HEADER,
          ...(allowAsOf ? AS_OF_HEADER : {}),
          ETag: header('Strong validator of this response, for If-None-Match.'),
          ...ANSWER_HEADERS,
        },
        content: Object.fromEntries(
          formatNames.map(name => [
            FORMATS[name].mediaType,
            name === 'json' ? { schema: response, ...exampleOf(id) } : { schema: {} },
          ]),
        ),
      },
      304: {
        description: 'The response named by If-None-Match is still current.',
        headers: { ...REQUEST_ID, ...SNAPSHOT_HEADER, ...(allowAsOf ? AS_OF_HEADER : {}), ...ANSWER_HEADERS },
      },
      401: answer('AuthenticationError', 'The token is missing, not a UUID, unknown, revoked or expired.', {
        'WWW-Authenticate': header('`Bearer`, with an error if the request had a token.'),
      }),
      403: answer('AuthenticationError', 'The token has no permission for this route.', {
        'WWW-Authenticate': header('`Bearer` with the error `insufficient_scope`.'),
      }),
      ...(mayBeMissing(operation) ? { 404: answer('Problem', 'The lake has no data for this path.') } : {}),
      406: answer('Problem', 'The operation supports none of the accepted media types.'),
      422: answer('InvalidInput', 'Invalid path or query parameters. The message lists all of them.'),
      500: answer('Problem', 'Internal error. The log of the server has the details under the request id.'),
      503: answer(
        'Problem',
        'The server is overloaded or out of memory, or the deadline has passed: try again.',
        { 'Retry-After': header('Seconds to wait before the next attempt.') },
      ),
    },
  }
}

/** A repeatable parameter occurs once per value. Its brackets may also contain an index. */
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

/** The value that an example's text represents, so that it matches the schema. */
function typed({ type }: { type?: unknown }, text: string): unknown {
  return type === 'integer' || type === 'number' || type === 'boolean' ? JSON.parse(text) : text
}

function exampleOf(id: string) {
  const example = readExample(id)
  return example === undefined ? {} : { example: example.answer }
}

/** Whether an operation responds with 404 if it finds nothing. Most return an empty list, some reject the value (422). */
function mayBeMissing({ parameters, missing }: Operation): boolean {
  const values = Object.entries(parameters).map(([name, { parse, example, absent }]) => {
    const parsed = parse([example])
    return [name, 'value' in parsed ? parsed.value : absent]
  })
  return missing?.(Object.fromEntries(values)).code === 'not_found'
}

export const header = (description: string) => ({ description, schema: { type: 'string' } })
const ANSWER_HEADERS = {
  'X-Tapehouse-Date': header(
    'The date that the response is of, requested or default, as YYYY-MM-DD. Only where the operation has a date.',
  ),
  'X-Tapehouse-Empty': {
    description: `Why the response has no rows; missing if it has any. ${emptyReasons.map(reason => `${reason}: ${EMPTY_REASONS[reason]}`).join('; ')}.`,
    schema: { type: 'string', enum: emptyReasons },
  },
  'X-Tapehouse-Synthetic': {
    description: '`true` if the lake holds only generated data; missing otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
}
export const REQUEST_ID = { 'X-Request-Id': header('Identifies this request in the log of the server.') }

const SNAPSHOT_HEADER = {
  'X-Tapehouse-Snapshot': {
    description: 'Number of the snapshot of the lake that the response was computed from.',
    schema: { type: 'integer', minimum: 1 },
  },
}

const SNAPSHOT_PARAMETER = {
  name: SNAPSHOT,
  in: 'query',
  required: false,
  description:
    'Number of a snapshot of the lake, or the name by which one is kept. Default: the snapshot that the server serves.',
  schema: { type: 'string', pattern: '^([1-9][0-9]{0,14}|[a-z0-9][a-z0-9._-]{0,63})$' },
  example: '12',
}

const AS_OF_HEADER = {
  'X-Tapehouse-As-Of': {
    description: 'With `as_of`: the response has what was known by 20:00 New York on this date.',
    schema: { type: 'string', format: 'date' },
  },
}

const AS_OF_PARAMETER = {
  name: AS_OF,
  in: 'query',
  required: false,
  description:
    'A date, or a time with a zone. The response has what was known by the last 20:00 New York at or before it; for a date, by 20:00 of that date. The first request for a day may get a 503 while its state is computed. Default: all that the lake knows.',
  schema: { type: 'string' },
  example: '2024-03-15',
}

export const answer = (schema: string, description: string, headers: object = {}) => ({
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
