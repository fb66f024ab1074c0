import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Failure } from '../../engine/failure.ts'
import type { CacheUse, Observation } from '../../engine/observation.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { operations } from '../../operations/index.ts'
import { openGate } from '../http/admit.ts'
import { authenticate } from '../http/authenticate.ts'
import { addCors, allowReading } from '../http/cors.ts'
import { addDocumentation } from '../http/documentation.ts'
import { answering } from '../http/handler.ts'
import { addLake } from '../http/lake.ts'
import { examplePath } from '../http/reference-page.ts'
import { openRefusals } from '../http/refusals.ts'
import { followConnections } from '../service/break-off.ts'
import { noteWhole, whenCutShort } from '../service/cut-short.ts'
import type { Grant } from '../service/grant.ts'
import { failed, invalidInput, type Problem, routeNotFound } from '../service/problem.ts'
import { addressOf, reasonOf, requestIdOf, send } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { withoutTokens } from '../service/without-tokens.ts'
import { ANY_CHANNEL, addSocket, socketAuthorization } from '../socket/socket.ts'
import type { Certificate } from './certificate.ts'
import { clientAddress, isTrusted, type TrustedProxies } from './client-address.ts'
import { answerMalformed, routeEveryRequest } from './connections.ts'
import {
  ARRIVAL_MS,
  HEAD_BYTES_MAX,
  malformed,
  pathAndQuery,
  restoreMethod,
  routeAsGet,
  URL_BYTES_MAX,
  unsupported,
} from './protocol.ts'
import { WITHOUT_SCHEMAS } from './without-schemas.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The URL at which clients reach the API; null or missing for the address of each connection. */
    publicUrl?: string | null
  }
  interface FastifyRequest {
    /** The permissions of the token; null before authentication. */
    grant: Grant | null
    arrivedAt: number
    /** Bytes that the connection had sent before this request. */
    sentBefore: number
    /** Where an answer came from; null if there is none. */
    cacheUse: CacheUse | null
  }
  interface FastifyContextConfig {
    operation?: Operation
    public?: boolean
    socket?: boolean
  }
}

/** How the server listens. Default: plain HTTP, and no proxy is trusted. */
export interface Listening {
  readonly certificate?: Certificate | null
  readonly trustedProxies?: TrustedProxies | null
}

/** Time for the handshake of TLS. */
const HANDSHAKE_MS = 10_000

/** The whole API as a Fastify instance that does not listen yet, so that tests can use `inject`. */
export async function buildServer(
  service: Service,
  { certificate = null, trustedProxies = null }: Listening = {},
): Promise<FastifyInstance> {
  const http = { maxHeaderSize: HEAD_BYTES_MAX, requireHostHeader: false }
  const secure = certificate && {
    ...http,
    cert: certificate.cert,
    key: certificate.key,
    handshakeTimeout: HANDSHAKE_MS,
  }
  const server = Fastify({
    ...WITHOUT_SCHEMAS,
    logger: false,
    genReqId: requestIdOf,
    // Fastify would answer 404 for a longer path parameter. Here validation answers 422 and says what is wrong.
    routerOptions: { maxParamLength: URL_BYTES_MAX, querystringParser: () => ({}) },
    ...(secure ? { https: secure } : { http }),
    ...(trustedProxies === null ? {} : { trustProxy: trustedOf(trustedProxies) }),
    requestTimeout: ARRIVAL_MS,
    rewriteUrl: request => {
      routeAsGet(request)
      return pathAndQuery(request)
    },
    clientErrorHandler: answerMalformed(service.observe),
    forceCloseConnections: 'idle',
    // While the server drains, a kept-alive connection can still send one more request.
    return503OnClosing: false,
    // No hook sees these requests.
    frameworkErrors: (_error, request, reply) => {
      arrive(service, request, reply)
      reply.raw.once('finish', () => service.observe(served(service, request, reply)))
      if (service.corsOrigins) allowReading(request, reply, service.corsOrigins)
      send(
        reply,
        malformed(request) ??
          refusalOf(service, request) ??
          invalidInput(
            `invalid path input: the path is not valid percent-encoding (for example ${examplePath(operations)})`,
            addressOf(request),
          ),
      )
    },
  })
  followConnections(server.server)
  routeEveryRequest(server)
  const gate = openGate(server.server, service.admission, isTrusted(trustedProxies), ({ remoteAddress }) =>
    clientAddress(undefined, remoteAddress),
  )
  server.decorate('publicUrl', service.publicUrl)
  server.decorateRequest('grant', null)
  server.decorateRequest('arrivedAt', 0)
  server.decorateRequest('sentBefore', 0)
  server.decorateRequest('cacheUse', null)

  // Hooks on the path of every request take a callback: a promise for each would cost more than their work.
  server.addHook('onRequest', (request, reply, done) => {
    arrive(service, request, reply)
    gate.inOrder(request, reply, done)
  })
  if (service.corsOrigins) addCors(server, service.corsOrigins)
  server.addHook('onRequest', (request, reply, done) => {
    const { config, url } = request.routeOptions
    const refusal =
      malformed(request) ??
      (config?.public ? null : refusalOf(service, request)) ??
      (request.grant && gate.admit(request, reply, request.grant)) ??
      (url === undefined ? routeNotFound(request.id) : unsupported(request))
    if (refusal) send(reply, refusal)
    else done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    // After a request with `Upgrade`, Node no longer reads from the connection, so it cannot be reused.
    if ('upgrade' in request.raw && request.raw.upgrade) request.raw.socket.destroySoon()
    noteWhole(reply.raw)
    service.observe(served(service, request, reply))
    done()
  })
  const refuse = openRefusals()
  server.setErrorHandler((error, request, reply) => {
    if (error instanceof Failure && error.code === 'canceled') {
      // The connection is closed: there is no response, and no hook after it.
      reply.hijack()
      return
    }
    const operation = request.routeOptions.config?.operation?.id ?? 'unknown'
    const problem = failed(error, request.id)
    if ((problem.status === 500 || isUnexplained(error)) && error instanceof Error)
      service.observe({
        kind: 'failed',
        requestId: withoutTokens(request.id, service.grants),
        operation,
        error,
      })
    if (error instanceof Failure && error.code === 'overloaded') refuse(reply, problem)
    else send(reply, problem)
  })
  const answer = answering(service)
  for (const operation of operations) {
    const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const config = { operation }
    server.route({
      method: ['GET', 'HEAD'],
      url,
      config,
      handler: (request, reply) => answer(operation, request, reply),
    })
  }
  addLake(server, service)
  await addSocket(server, service)
  addDocumentation(server, {
    allowSnapshots: service.snapshots !== undefined,
    allowAsOf: service.asOf !== undefined,
    ignoresUnknown: service.ignoresUnknown === true,
  })
  return server
}

/** Whether the response does not say what is damaged. A damaged file has a line in the log of its own. */
const isUnexplained = (error: unknown) =>
  error instanceof Failure && error.code === 'lake_damaged' && error.details === undefined

function arrive(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  restoreMethod(request.raw)
  whenCutShort(reply.raw, status => service.observe(served(service, request, reply, status)))
  reply.header('x-request-id', request.id)
  request.arrivedAt = performance.now()
  request.sentBefore = request.raw.socket.bytesWritten
}

/** `hop` counts from the server. */
const trustedOf = (proxies: TrustedProxies) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies]

function served(
  { grants }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  status = reply.statusCode,
): Observation {
  const { config, url } = request.routeOptions ?? {}
  const isOwnId = request.headers['x-request-id'] !== request.id
  return {
    kind: 'request',
    // A client may have sent its token as the id.
    requestId: isOwnId ? request.id : withoutTokens(request.id, grants),
    operation: config?.operation?.id ?? url ?? 'unknown',
    method: request.method,
    path: withoutTokens(addressOf(request).path, grants),
    status,
    durationMs: performance.now() - request.arrivedAt,
    // A chunked response has no Content-Length. Then this is the number of bytes sent on the connection.
    bytes: Number((reply.raw.writableFinished && reply.getHeader('content-length')) || sentOn(request)) || 0,
    token: request.grant?.name ?? null,
    client: clientAddress(request.ip, request.raw.socket.remoteAddress),
    cache: request.cacheUse,
    reason: reasonOf(reply),
  }
}

const sentOn = ({ raw, sentBefore }: FastifyRequest) => raw.socket.bytesWritten - sentBefore

/** Authenticates a request. Returns the 401 or 403 if its token is invalid or lacks permission, else null. */
function refusalOf({ grants, contacts }: Service, request: FastifyRequest): Problem | null {
  // If the URL could not be decoded, the request has no route.
  const { operation, socket } = request.routeOptions?.config ?? {}
  const result = authenticate(
    socket ? socketAuthorization(request) : request.headers.authorization,
    grant => (socket ? grant.reaches(ANY_CHANNEL) : operation === undefined || grant.allows(operation)),
    grants,
    request.id,
    () => contacts(addressOf(request).origin),
  )
  if ('status' in result) return result
  request.grant = result
  return null
}
