import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../engine/failure.ts'
import { failed, methodNotAllowed, upgradeRequired } from '../service/problem.ts'
import { addressOf, send } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { SOCKET_LIMITS } from '../service/socket-limits.ts'
import { SOCKET_PATH } from './channels.ts'
import { ENCODINGS, encodingOffered } from './frames.ts'
import { openHub } from './hub.ts'

/** What a token must reach to open a socket at all: any channel. Each join is then held to its own. */
export const ANY_CHANNEL = { id: 'stream.', path: SOCKET_PATH } as const

const OTHER_METHODS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/**
 * The header that a socket's request is judged by: a browser cannot send one with a WebSocket, so that the address may
 * hold the token as well.
 */
export function socketAuthorization(request: FastifyRequest): string | undefined {
  const token = new URLSearchParams(addressOf(request).query).get('token')
  return request.headers.authorization ?? (token === null ? undefined : `Bearer ${token}`)
}

/** Adds the socket to a server. The plugin sees this route alone: other routes answer an upgrade as any request. */
export async function addSocket(server: FastifyInstance, service: Service): Promise<void> {
  const replay = service.replay ?? { date: null, begunMs: Date.now(), speed: 1 }
  const limits = { ...SOCKET_LIMITS, ...service.socketLimits }
  const hub = openHub(service, replay, limits)
  const config = { socket: true }

  await server.register(async within => {
    await within.register(websocket, {
      options: {
        maxPayload: limits.frameBytesMax,
        perMessageDeflate: false,
        handleProtocols: offered => encodingOffered(offered) ?? false,
      },
      // A frame that breaks the protocol closes its socket by itself, with the code that says so.
      errorHandler: (_error, connection) => {
        setTimeout(() => connection.terminate(), limits.lingerMs).unref()
      },
      preClose: done => {
        hub.close().then(() => done(), done)
      },
    })
    within.route({
      method: 'GET',
      url: SOCKET_PATH,
      config,
      exposeHeadRoute: false,
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        if (request.ws && hub.full)
          return send(
            reply,
            failed(new Failure('overloaded', `${limits.socketsMax} sockets are open here`), request.id),
          )
      },
      handler: (request, reply) => send(reply, upgradeRequired(request.id)),
      wsHandler: (connection, request) => {
        const { grant } = request
        const token = /\S+$/.exec(socketAuthorization(request)?.trim() ?? '')?.[0]
        if (grant === null || token === undefined) return connection.terminate()
        const encoding = ENCODINGS.find(name => name === connection.protocol) ?? 'json'
        hub.open(connection, request.raw.socket, { requestId: request.id, token, grant, encoding })
      },
    })
  })
  server.route({
    method: [...OTHER_METHODS],
    url: SOCKET_PATH,
    config,
    handler: (request, reply) => send(reply, methodNotAllowed(request.id)),
  })
}
