import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Operation } from '../../operations/answering/operation.ts'
import { UNCOUNTED_BYTES_MAX } from '../admission/unread.ts'
import type { PreparedRequest } from '../service/answer-cache.ts'
import type { Arrival } from '../service/arrival.ts'
import { cutShortStatus } from '../service/cut-short.ts'
import type { Grant } from '../service/grant.ts'
import { requestIdOf } from '../service/respond.ts'
import type { CorsOrigins, Service } from '../service/service.ts'
import type { Gate } from './admit.ts'
import { authenticate } from './authenticate.ts'
import { allowed, readingHeaders } from './cors.ts'
import { fromCache, type KnownResponse } from './from-cache.ts'
import type { Looks } from './looks.ts'
import { keyOf } from './prepare.ts'
import type { Turn } from './turn.ts'

/** What the server knows of a request and of itself. */
export interface Surroundings {
  readonly turn: Turn
  readonly looks: Looks
  readonly gate: Gate
  /** The address of the client of a request. */
  clientOf(request: IncomingMessage): string
  /** Whether the server closes, or something is wrong with a request for an operation, or it asks for more than an answer. */
  isUnusual(request: Arrival): boolean
  /** The response ended. `bytes` is the length of its body; null without a body. */
  onEnd(
    request: Arrival,
    end: { readonly operation: Operation; readonly status: number; readonly bytes: number | null },
  ): void
}

/**
 * Answers requests that were answered before from the cache or with a 304, without routing them: the routes, hooks and replies
 * of Fastify would add a quarter to the time. Returns false for any other request, of which nothing has been counted or sent
 * then: its route answers it. Both ways use the same functions, so that the response, its log line and its metrics are the same.
 */
export function answeringRepeated(
  service: Service,
  around: Surroundings,
): (raw: IncomingMessage, response: ServerResponse) => boolean {
  const { turn, gate } = around
  /** The last grant of each connection, whose requests mostly have the same token. */
  const granted = new WeakMap<Socket, { readonly authorization: string; readonly grant: Grant }>()

  /** The grant of a request; null without a valid token. */
  function grantOf({ raw: { socket }, headers: { authorization }, id }: Arrival): Grant | null {
    const { grants, contacts } = service
    if (authorization === undefined) return null
    const last = granted.get(socket)
    if (last?.authorization === authorization && grants.isValid(last.grant)) return last.grant
    const grant = authenticate(
      authorization,
      () => true,
      grants,
      id,
      () => contacts(''),
    )
    if ('status' in grant) return null
    granted.set(socket, { authorization, grant })
    return grant
  }

  /** The request and its response; null if it needs a route. */
  function find(request: Arrival): { prepared: PreparedRequest; known: KnownResponse } | null {
    const { cache } = service
    const grant = grantOf(request)
    if (grant === null) return null
    const served = around.looks.newest()
    const prepared = served && cache.requests.find(keyOf(request, grant), served)
    if (prepared === null || !grant.allows(prepared.pinned.operation)) return null
    if (around.isUnusual(request) || !around.looks.areProved(prepared)) return null
    const known = fromCache(service, prepared, request)
    if (known === null || (known.content?.byteLength ?? 0) > UNCOUNTED_BYTES_MAX) return null
    request.grant = grant
    return { prepared, known }
  }

  return (raw, response) => {
    // A response that has headers is the last one of its connection.
    if (raw.method !== 'GET' || response.hasHeader('connection') || !gate.isNext(raw.socket)) return false
    const request: Arrival = {
      raw,
      headers: raw.headers,
      id: requestIdOf(raw),
      method: 'GET',
      ip: around.clientOf(raw),
      grant: null,
      arrivedAt: performance.now(),
      sentBefore: raw.socket.bytesWritten,
      cacheUse: null,
    }
    const found = find(request)
    if (found === null || request.grant === null) return false
    if (gate.admit(request, response, request.grant) !== null) return false
    const { prepared, known } = found
    const { operation } = prepared.pinned
    const { use, content } = known
    request.cacheUse = use
    gate.inOrder(request, response, () => {})
    response.once('close', () => {
      const isSent = response.writableFinished
      const status = isSent ? response.statusCode : cutShortStatus(response)
      around.onEnd(request, { operation, status, bytes: isSent ? (content?.byteLength ?? null) : null })
    })
    turn.atEnd(() => {
      response.writeHead(content === null ? 304 : 200, headersOf(service, known, request))
      response.end(content)
    })
    return true
  }
}

/** Names and values of the headers of responses that differ in the id of their request alone, by what they are made of. */
const lists = new WeakMap<KnownResponse['headers'], KeptList>()

interface KeptList {
  readonly origin: string | null
  readonly bytes: number | null
  readonly list: string[]
}

/**
 * Names and values of all headers, in the order in which a route sends them. Node writes a list as it is. The list
 * is valid until the next call.
 */
function headersOf(
  { corsOrigins }: Service,
  { headers, content }: KnownResponse,
  request: Arrival,
): string[] {
  const origin = corsOrigins ? allowed(request, corsOrigins) : null
  const bytes = content?.byteLength ?? null
  let kept = lists.get(headers)
  if (kept === undefined || kept.origin !== origin || kept.bytes !== bytes) {
    kept = { origin, bytes, list: listOf(headers, bytes, origin, corsOrigins) }
    lists.set(headers, kept)
  }
  kept.list[1] = request.id
  return kept.list
}

function listOf(
  headers: KnownResponse['headers'],
  bytes: number | null,
  origin: string | null,
  origins: CorsOrigins | undefined,
): string[] {
  const own = { 'x-request-id': '', ...headers }
  const all = {
    ...own,
    ...(origins ? readingHeaders(origin, own, origins) : {}),
    ...(bytes === null ? {} : { 'content-length': String(bytes) }),
  }
  return Object.entries(all).flat()
}
