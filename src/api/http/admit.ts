import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { Failure } from '../../engine/failure.ts'
import type { Admission } from '../admission/admission.ts'
import type { Held } from '../admission/connections.ts'
import type { Arrival } from '../service/arrival.ts'
import { connectionOf } from '../service/break-off.ts'
import type { Grant } from '../service/grant.ts'
import { failed, type Problem, rateLimited } from '../service/problem.ts'

/** Requests of a connection that may wait for the response before them. One that sends more is closed. */
const WAITING_MAX = 64

/** Lets connections and requests in, or says why not. */
export interface Gate {
  /** Calls `next` when the responses before this one are sent, so that a client cannot make the worker hold several. */
  inOrder(request: Arrival, response: ServerResponse, next: () => void): void
  /** Whether no response before the next one of a connection has to be sent yet. */
  isNext(socket: Socket): boolean
  /** Counts a request whose token is valid. Returns the response if it exceeds a limit; nothing is counted then. */
  admit(request: Arrival, response: ServerResponse, grant: Grant): Problem | null
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

  /** Whose limit a request of a proxy's connection would exceed; null if nobody's. */
  function exceededBehindProxy(client: string, token: string): string | null {
    const { clients, tokens } = behindProxy
    if (clients.of(client) >= limits.peerConnectionsMax) return `the address ${client}`
    return tokens.of(token) >= limits.tokenConnectionsMax ? 'this token' : null
  }

  /** Counts a request of a proxy's connection until its response closes. */
  function countBehindProxy(client: string, token: string, response: ServerResponse): void {
    const { clients, tokens } = behindProxy
    clients.add(client, 1)
    tokens.add(token, 1)
    response.once('close', () => {
      clients.add(client, -1)
      tokens.add(token, -1)
    })
  }

  return {
    inOrder(request, response, next) {
      const { socket } = request.raw
      const held = bySocket.get(socket)
      if (held === undefined) return next()
      const { last } = held
      held.last = response
      held.usedAt = request.arrivedAt
      if (last === null || isSent(last)) return next()
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
    isNext(socket) {
      const last = bySocket.get(socket)?.last ?? null
      return last === null || isSent(last)
    },
    admit(request, response, grant) {
      const held = bySocket.get(request.raw.socket)
      if (held !== undefined && !connections.use(held, grant.name))
        return tooMany(
          `this token has ${limits.tokenConnectionsMax} open connections already`,
          request,
          response,
        )
      const isBehindProxy = held?.peer === null
      const whose = isBehindProxy ? exceededBehindProxy(request.ip, grant.name) : null
      if (whose !== null)
        return tooMany(`${whose} has as many requests in progress as it may have`, request, response)
      const wait = rate?.take(grant) ?? null
      if (wait !== null) return rateLimited(limits.ratePerSecond, wait, request.id)
      if (isBehindProxy) countBehindProxy(request.ip, grant.name, response)
      return null
    },
  }
}

const isSent = (response: ServerResponse) => response.writableFinished || response.destroyed

function tooMany(why: string, request: Arrival, response: ServerResponse): Problem {
  response.setHeader('connection', 'close')
  return failed(new Failure('overloaded', why), request.id)
}
