import { FORMATS } from '../../operations/answering/formats.ts'
import { LakeContents } from '../../operations/contents/contents.ts'
import { type Components, withReferences } from './components.ts'
import type { openApi } from './document.ts'
import { errorResponses } from './error-responses.ts'
import { headers } from './headers.ts'

export const LAKE_PATH = '/api/lake'

const TAG = 'Lake'

/**
 * The OpenAPI document with the route that says what the lake holds. It has a tag of its own, because it is not an
 * operation: it takes no parameters and needs no permission.
 */
export function withLake(document: ReturnType<typeof openApi>) {
  const schemas: Components = new Map(Object.entries(document.components.schemas))
  const schema = withReferences(LakeContents, schemas)
  return {
    ...document,
    tags: [...document.tags, { name: TAG, description: 'The lake itself. Every valid token may read it.' }],
    paths: { ...document.paths, [LAKE_PATH]: { get: describeLake(schema) } },
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  }
}

const describeLake = (schema: unknown) => ({
  operationId: 'lake',
  tags: [TAG],
  summary: 'What the lake holds',
  description:
    'The served snapshot: its datasets with rows, days and missing sessions, and for each operation whether the lake has what it reads. The same JSON as `tapehouse info --format json`.',
  parameters: [],
  responses: {
    200: {
      description: 'The contents of the lake.',
      headers: headers('X-Request-Id', 'ETag', 'Cache-Control', 'Vary'),
      content: { [FORMATS.json.mediaType]: { schema } },
    },
    304: {
      description: 'The response named by If-None-Match is still current.',
      headers: headers('X-Request-Id', 'ETag', 'Cache-Control', 'Vary'),
    },
    // Every valid token may read the lake.
    ...errorResponses([403, 404]),
  },
})
