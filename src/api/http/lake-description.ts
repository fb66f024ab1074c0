import { FORMATS } from '../../operations/answering/formats.ts'
import { LakeContents } from '../../operations/contents/contents.ts'
import { LAKE_PATH } from './lake.ts'
import { answer, header, type openApi, REQUEST_ID } from './openapi.ts'

const TAG = 'Lake'

/**
 * The OpenAPI document with the route that says what the lake holds. It has a tag of its own, because it is not an
 * operation: it takes no parameters and needs no permission.
 */
export function withLake(document: ReturnType<typeof openApi>) {
  return {
    ...document,
    tags: [{ name: TAG, description: 'The lake itself. Every valid token may read it.' }],
    paths: { ...document.paths, [LAKE_PATH]: { get: LAKE } },
  }
}

const LAKE = {
  operationId: 'lake',
  tags: [TAG],
  summary: 'What the lake holds',
  description:
    'The served snapshot: its datasets with rows, days and missing sessions, and for each operation whether the lake has what it reads. The same JSON as `tapehouse info --format json`.',
  parameters: [],
  responses: {
    200: {
      description: 'The contents of the lake.',
      headers: { ...REQUEST_ID, ETag: header('Strong validator of this response, for If-None-Match.') },
      content: { [FORMATS.json.mediaType]: { schema: LakeContents } },
    },
    304: { description: 'The response named by If-None-Match is still current.', headers: REQUEST_ID },
    401: answer('AuthenticationError', 'The token is missing, not a UUID, unknown, revoked or expired.', {
      'WWW-Authenticate': header('`Bearer`, with an error if the request had a token.'),
    }),
    406: answer('Problem', 'JSON is not among the accepted media types.'),
    422: answer('InvalidInput', 'The route takes no parameters.'),
    500: answer('Problem', 'Internal error. The log of the server has the details under the request id.'),
    503: answer(
      'Problem',
      'The server is overloaded or out of memory, or the deadline has passed: try again.',
      {
        'Retry-After': header('Seconds to wait before the next attempt.'),
      },
    ),
  },
}
