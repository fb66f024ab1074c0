import { randomUUID } from 'node:crypto'
import accepts from '@fastify/accepts'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Operation } from '../../operations/answering/operation.ts'
import { operations } from '../../operations/index.ts'
import { authenticate } from '../http/authenticate.ts'
import { addDocumentation } from '../http/documentation.ts'
import { answerRequest } from '../http/handler.ts'
import { addLake } from '../http/lake.ts'
import type { Grant } from '../service/grant.ts'
import { failed, invalidInput, methodNotAllowed, notFound, type Problem } from '../service/problem.ts'
import { addressOf, send } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { ANY_CHANNEL, addSocket, socketAuthorization } from '../socket/socket.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The permissions of the token; null before authentication. */
    grant: Grant | null
    arrivedAt: number
    /** Bytes that the connection had sent before this request. */
    sentBefore: number
  }
  interface FastifyContextConfig {
    operation?: Operation
    public?: boolean
    socket?: boolean
  }
}

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** The whole API as a Fastify instance that does not listen yet, so that tests can use `inject`. */
export async function buildServer(service: Service): Promise<FastifyInstance> {
  const server = Fastify({
    logger: false,
    genReqId: requestIdOf,
    // Fastify would answer 404 for a longer path parameter. Here validation answers 422 and says what is wrong.
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
    forceCloseConnections: 'idle',
    // While the server drains, a kept-alive connection can still send one more request.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      const refusal = refusalOf(service, request)
      send(
        reply,
        refusal ??
          invalidInput(
            'invalid path input: the address is not valid percent-encoding (for example /api/stock/AAPL)',
            addressOf(request),
          ),
      )
    },
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  await server.register(accepts)
  server.decorateRequest('grant', null)
  server.decorateRequest('arrivedAt', 0)
  server.decorateRequest('sentBefore', 0)

  server.addHook('onRequest', async (request, reply) => {
    request.arrivedAt = performance.now()
    request.sentBefore = request.raw.socket.bytesWritten
    reply.header('x-request-id', request.id)
    const { config } = request.routeOptions
    if (config?.public) return
    const refusal = refusalOf(service, request)
    if (refusal) return send(reply, refusal)
  })
  server.addHook('onResponse', async (request, reply) => {
    // After a request with `Upgrade`, Node no longer reads from the connection, so it cannot be reused.
    if ('upgrade' in request.raw && request.raw.upgrade) request.raw.socket.destroySoon()
    service.observe({
      kind: 'request',
      requestId: request.id,
      operation: request.routeOptions.config?.operation?.id ?? request.routeOptions.url ?? 'unknown',
      method: request.method,
      path: addressOf(request).path,
      status: reply.statusCode,
      durationMs: performance.now() - request.arrivedAt,
      // A chunked response has no Content-Length. Then this is the number of bytes sent on the connection.
      bytes:
        Number(reply.getHeader('content-length') ?? request.raw.socket.bytesWritten - request.sentBefore) ||
        0,
      token: request.grant?.name ?? null,
    })
  })
  server.setErrorHandler((error, request, reply) => {
    const operation = request.routeOptions.config?.operation?.id ?? 'unknown'
    const problem = failed(error, request.id)
    if (problem.status === 500 && error instanceof Error)
      service.observe({ kind: 'failed', requestId: request.id, operation, error })
    send(reply, problem)
  })
  server.setNotFoundHandler((request, reply) =>
    send(reply, notFound('This route does not exist.', request.id)),
  )

  for (const operation of operations) {
    const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const config = { operation }
    server.route({
      method: ['GET', 'HEAD'],
      url,
      config,
      handler: (request, reply) => answerRequest(service, operation, request, reply),
    })
    server.route({
      method: [...OTHER_METHODS],
      url,
      config,
      handler: (request, reply) => send(reply, methodNotAllowed(request.id)),
    })
  }
  addLake(server, service)
  await addSocket(server, service)
  addDocumentation(server, service.publicUrl, {
    allowSnapshots: service.snapshots !== undefined,
    allowAsOf: service.asOf !== undefined,
  })
  return server
}

/** Authenticates a request. Returns the 401 or 403 if its token is invalid or lacks permission, else null. */
function refusalOf({ grants, contacts }: Service, request: FastifyRequest): Problem | null {
  // If the URL could not be decoded, the request has no route.
  const { operation, socket } = request.routeOptions?.config ?? {}
  const result = authenticate(
    socket ? socketAuthorization(request) : request.headers.authorization,
    grant => (socket ? grant.reaches(ANY_CHANNEL) : operation === undefined || grant.allows(operation)),
    grants,
    request.id,
    contacts(addressOf(request).origin),
  )
  if ('status' in result) return result
  request.grant = result
  return null
}

/** The client's own request id if it is safe in a header and a log line, else a new one. */
function requestIdOf(request: { headers: Record<string, string | string[] | undefined> }): string {
  const id = request.headers['x-request-id']
  return typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : randomUUID()
}
