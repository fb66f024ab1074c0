import type { FastifyInstance } from 'fastify'
import { operations } from '../../operations/index.ts'
import { addressOf } from '../service/respond.ts'
import { withLake } from './lake-description.ts'
import { openApi, type Permitted } from './openapi.ts'
import { referencePage } from './reference-page.ts'

export const REFERENCE_PATH = '/api/docs'
const OPENAPI_PATH = '/api/openapi.json'

/**
 * Serves the documentation of the API without authentication: the body of every 401 links to it, and it contains nothing
 * that the project does not publish anyway. `permitted`: what requests may name.
 */
export function addDocumentation(
  server: FastifyInstance,
  publicUrl: string | null,
  permitted: Permitted = {},
): void {
  const config = { public: true }
  server.get(OPENAPI_PATH, { config }, async (request, reply) => {
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache')
    const origin = publicUrl ?? addressOf(request).origin
    return JSON.stringify(withLake(openApi(operations, origin, permitted)))
  })
  server.get(REFERENCE_PATH, { config }, async (request, reply) => {
    reply.type('text/html; charset=utf-8').headers({
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
    return referencePage(operations, publicUrl ?? addressOf(request).origin)
  })
}
