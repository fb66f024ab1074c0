import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { CacheUse } from '../../engine/observation.ts'
import type { Grant } from './grant.ts'

/** What the server keeps of each request, whether Fastify has routed it or not. */
export interface Arrival {
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  readonly id: string
  readonly method: string
  /** The address of the client, as a trusted proxy says. */
  readonly ip: string
  /** The permissions of the token; null before authentication. */
  grant: Grant | null
  arrivedAt: number
  /** Bytes that the connection had sent before this request. */
  sentBefore: number
  /** Where an answer came from; null if there is none. */
  cacheUse: CacheUse | null
}

/** Path and query of a request. `query` has no question mark. */
export interface Path {
  readonly path: string
  readonly query: string
}

export function pathOf({ url = '' }: IncomingMessage): Path {
  const end = url.indexOf('?')
  return end === -1 ? { path: url, query: '' } : { path: url.slice(0, end), query: url.slice(end + 1) }
}
