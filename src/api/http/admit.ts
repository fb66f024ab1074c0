import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../engine/failure.ts'
import type { Admission } from '../admission/admission.ts'
import type { Held } from '../admission/connections.ts'
import { connectionOf } from '../service/break-off.ts'
import type { Grant } from '../service/grant.ts'
import { failed, type Problem, rateLimited } from '../service/problem.ts'

/** Requests of a connection that may wait for the response before them. One that sends more is closed. */
const WAITING_MAX = 64

/** Lets connections and requests in, or says why not. */
export interface Gate {
  /** Calls `next` when the responses before this one are sent, so that a client cannot make the worker hold several. */
  inOrder(request: FastifyRequest, reply: FastifyReply, next: () => void): void
  /** Counts a request whose token is valid. Returns the response if it exceeds a limit. */
  admit(request: FastifyRequest, reply: FastifyReply, grant: Grant): Problem | null
}

/**
 * Time without a byte after which a connection whose client does not read is closed, whatever the response. Longer than a
 * request may take to arrive.
 */
const SILENT_MS = 120_000

/** Whether the connections of an address come from a trusted proxy. */
export type IsProxy = (address: string) => boolean

/** Counts the connections of a server. `addressOf` is the address of a connection. */
export function openGate(
  server: Server & { timeout: number },
  { connections, behindProxy, rate, limits }: Admission,
  isProxy: IsProxy,
  addressOf: (socket: Socket) => string,
): Gate {
  const bySocket = new WeakMap<Socket, Held>()

  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    const held = connections.take(isProxy(address) ? null : address, () => socket.destroy())
    if (held === null) {
      socket.destroy()
      return
    }
    bySocket.set(socket, held)
    socket.once('close', () => connections.release(held))
  })
  server.timeout = SILENT_MS
  server.on('timeout', (socket: Socket) => {
    const last = bySocket.get(socket)?.last ?? null
    // A request that has not arrived gets a 408, and one that is being answered waits for its query.
    if (last === null || (!last.writableFinished && socket.writableLength === 0)) return
    socket.destroy()
  })
  server.on('secureConnection', (socket: Socket) => {
    const held = bySocket.get(connectionOf(socket))
    if (held !== undefined) bySocket.set(socket, held)
  })

  /** Counts a request of a proxy's connection until its response closes. Returns whose limit it would exceed. */
  function countBehindProxy(client: string, token: string, response: ServerResponse): string | null {
    const { clients, tokens } = behindProxy
    if (clients.of(client) >= limits.peerConnectionsMax) return `the address ${client}`
    if (tokens.of(token) >= limits.tokenConnectionsMax) return 'this token'
    clients.add(client, 1)
    tokens.add(token, 1)
    response.once('close', () => {
      clients.add(client, -1)
      tokens.add(token, -1)
    })
    return null
  }

  return {
    inOrder(request, { raw }, next) {
      const { socket } = request.raw
      const held = bySocket.get(socket)
      if (held === undefined) return next()
      const { last } = held
      held.last = raw
      held.usedAt = request.arrivedAt
      if (last === null || last.writableFinished || last.destroyed) return next()
      if (held.waiting >= WAITING_MAX) {
        socket.destroy()
        return
      }
      held.waiting += 1
      last.once('close', () => {
        held.waiting -= 1
        if (!socket.destroyed) next()
      })
    },
    admit(request, reply, grant) {
      const wait = rate?.take(grant) ?? null
      if (wait !== null) return rateLimited(limits.ratePerSecond, wait, request.id)
      const held = bySocket.get(request.raw.socket)
      if (held === undefined) return null
      if (!connections.use(held, grant.name))
        return tooMany(
          `this token has ${limits.tokenConnectionsMax} open connections already`,
          request,
          reply,
        )
      if (held.peer !== null) return null
      const whose = countBehindProxy(request.ip, grant.name, reply.raw)
      return whose === null
        ? null
        : tooMany(`${whose} has as many requests in progress as it may have`, request, reply)
    },
  }
}

function tooMany(why: string, request: FastifyRequest, reply: FastifyReply): Problem {
  reply.header('connection', 'close')
  return failed(new Failure('overloaded', why), request.id)
}
