import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../engine/failure.ts'
import { failed, upgradeRequired } from '../service/problem.ts'
import { badRequest } from '../service/protocol-problem.ts'
import { addressOf, requestIdOf, send, writeProblem } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { SOCKET_LIMITS } from '../service/socket-limits.ts'
import { SOCKET_PATH } from './channels.ts'
import { ENCODINGS, encodingOffered } from './frames.ts'
import { openHub } from './hub.ts'

/** A token needs a route that can match any channel to open a socket. Each join is checked separately. */
export const ANY_CHANNEL = { id: 'stream.', path: SOCKET_PATH } as const

/**
 * The `Authorization` header of a socket's request. Because a browser cannot set headers of a WebSocket, the query may
 * contain the token instead. The header takes precedence.
 */
export function socketAuthorization(request: FastifyRequest): string | undefined {
  const token = new URLSearchParams(addressOf(request).query).get('token')
  return request.headers.authorization ?? (token === null ? undefined : `Bearer ${token}`)
}

/** Adds the socket to a server. The plugin is limited to this route: other routes treat an upgrade as a plain request. */
export async function addSocket(server: FastifyInstance, service: Service): Promise<void> {
  const replay = service.replay ?? { date: null, begunMs: Date.now(), speed: 1 }
  const limits = { ...SOCKET_LIMITS, ...service.socketLimits }
  const hub = openHub(service, replay, limits)
  const config = { socket: true }

  const plugin: FastifyPluginAsync = async within => {
    await within.register(websocket, {
      options: {
        maxPayload: limits.frameBytesMax,
        perMessageDeflate: false,
        handleProtocols: offered => encodingOffered(offered) ?? false,
      },
      // The library itself closes a socket that violates the protocol, with the matching close code.
      errorHandler: (_error, connection) => {
        setTimeout(() => connection.terminate(), limits.lingerMs).unref()
      },
      preClose: done => {
        hub.close().then(() => done(), done)
      },
    })
    within.websocketServer.on('wsClientError', (error, connection, request) => {
      const id = requestIdOf(request)
      const problem = badRequest(`The WebSocket handshake is not valid: ${error.message}`, id)
      writeProblem(connection, { ...problem, headers: { 'sec-websocket-version': '13' } }, id)
      connection.end()
    })
    within.route({
      method: 'GET',
      url: SOCKET_PATH,
      config,
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        if (request.ws && hub.full)
          return send(
            reply,
            failed(
              new Failure('overloaded', `the worker has ${limits.socketsMax} open sockets already`),
              request.id,
            ),
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
  }
  await server.register(plugin)
}
