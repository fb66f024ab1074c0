import { randomUUID } from 'node:crypto'
import accepts from '@fastify/accepts'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Operation } from '../../operations/answering/operation.ts'
import { operations } from '../../operations/index.ts'
import { authenticate } from '../http/authenticate.ts'
import { addDocumentation } from '../http/documentation.ts'
import { answerRequest } from '../http/handler.ts'
import type { Grant } from '../service/grant.ts'
import { failed, invalidInput, methodNotAllowed, notFound, type Problem } from '../service/problem.ts'
import { addressOf, send } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { ANY_CHANNEL, addSocket, socketAuthorization } from '../socket/socket.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the token may do; null before authentication. */
    grant: Grant | null
    arrivedAt: number
    /** Bytes that the connection had sent before. */
    sentBefore: number
  }
  interface FastifyContextConfig {
    operation?: Operation
    public?: boolean
    socket?: boolean
  }
}

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** The whole API as a Fastify instance that does not listen yet: `inject` tests it without a socket. */
export async function buildServer(service: Service): Promise<FastifyInstance> {
  const server = Fastify({
    logger: false,
    genReqId: requestIdOf,
    // A path part may be as long as a client likes: what is wrong with it is for the validation to say.
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
    forceCloseConnections: 'idle',
    // While draining, a kept-alive connection may still ask once more.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      const refused = authenticated(service, request)
      send(
        reply,
        refused ??
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
    const refused = authenticated(service, request)
    if (refused) return send(reply, refused)
  })
  server.addHook('onResponse', async (request, reply) => {
    // A request that asks to upgrade leaves its connection without a reader: nothing can follow the answer.
    if ('upgrade' in request.raw && request.raw.upgrade) request.raw.socket.destroySoon()
    service.observe({
      kind: 'request',
      requestId: request.id,
      operation: request.routeOptions.config?.operation?.id ?? request.routeOptions.url ?? 'unknown',
      method: request.method,
      path: addressOf(request).path,
      status: reply.statusCode,
      durationMs: performance.now() - request.arrivedAt,
      // A chunked transfer tells no length: then it is what went over the connection.
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
  server.setNotFoundHandler((request, reply) => send(reply, notFound('There is no such route.', request.id)))

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
  await addSocket(server, service)
  addDocumentation(server, service.publicUrl)
  return server
}

/** What a request without a valid token or grant gets; null for one that may go on. */
function authenticated({ grants, contacts }: Service, request: FastifyRequest): Problem | null {
  // Where the address could not be read there is no route yet.
  const { operation, socket } = request.routeOptions?.config ?? {}
  const found = authenticate(
    socket ? socketAuthorization(request) : request.headers.authorization,
    grant => (socket ? grant.reaches(ANY_CHANNEL) : operation === undefined || grant.allows(operation)),
    grants,
    request.id,
    contacts(addressOf(request).origin),
  )
  if ('status' in found) return found
  request.grant = found
  return null
}

/** A client's own request id is kept if it can stand in a header and a log line; else a new one is made. */
function requestIdOf(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}
