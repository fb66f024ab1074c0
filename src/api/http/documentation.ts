import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { FORMATS } from '../../operations/answering/formats.ts'
import { operations } from '../../operations/index.ts'
import { openApi } from '../openapi/document.ts'
import { withLake } from '../openapi/lake.ts'
import type { Permitted } from '../openapi/parameters.ts'
import { addressOf } from '../service/respond.ts'
import { type Document, documentOf, sendDocument } from './document.ts'
import { referencePage } from './reference-page.ts'

export const REFERENCE_PATH = '/api/docs'
const OPENAPI_PATH = '/api/openapi.json'

/** Origins whose documents are kept: a server has an address for each network that it listens on. */
const ORIGINS_MAX = 8

const HEADERS = { 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' }
const PAGE_HEADERS = {
  ...HEADERS,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/**
 * Serves the documentation of the API without authentication: the body of every 401 links to it, and it contains nothing
 * that the project does not publish anyway. `permitted`: what requests may name.
 */
export function addDocumentation(server: FastifyInstance, permitted: Permitted = {}): void {
  const config = { public: true }
  const originOf = (request: FastifyRequest) => addressOf(request).origin
  const description = madeOnce(origin => JSON.stringify(withLake(openApi(operations, origin, permitted))))
  const page = madeOnce(origin => referencePage(operations, origin))
  server.get(OPENAPI_PATH, { config }, (request, reply) =>
    sendDocument(request, reply.headers(HEADERS), FORMATS.json.contentType, () =>
      description(originOf(request)),
    ),
  )
  server.get(REFERENCE_PATH, { config }, (request, reply) =>
    sendDocument(request, reply.headers(PAGE_HEADERS), 'text/html; charset=utf-8', () =>
      page(originOf(request)),
    ),
  )
}

/** A document per origin, made for the first request that needs it. */
function madeOnce(textFor: (origin: string) => string): (origin: string) => Document {
  const made = new LRUCache<string, Document>({ max: ORIGINS_MAX })
  return origin => {
    const document = made.get(origin) ?? documentOf(textFor(origin))
    made.set(origin, document)
    return document
  }
}
