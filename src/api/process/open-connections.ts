import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { connectionOf, shareBefore } from '../service/break-off.ts'
import { noteBroken } from '../service/cut-short.ts'

const LOOK_EVERY_MS = 100

interface Connection {
  readonly socket: Socket
  /** Responses that are not sent completely. */
  readonly responses: Set<ServerResponse>
  /** Whether it is a WebSocket. */
  isUpgraded: boolean
  idleSinceMs: number
}

/** How connections end. Each response from now on is the last one of its connection. */
export interface Draining {
  /** A connection without a request is closed after this time. */
  readonly idleMs: number
  /** WebSockets may stay open for this time. */
  readonly socketsMs: number
  /** Time for all responses. */
  readonly limitMs: number
}

/** The connections of a worker, which come from its supervisor. */
export interface OpenConnections {
  /** Serves a connection. */
  take(socket: Socket): void
  /**
   * Ends all connections but WebSockets, which closing the server ends. Resolves with the number of responses that were under
   * way at the limit, and were broken. A second call replaces the first one.
   */
  drain(draining: Draining): Promise<number>
  /** Resets the connections whose responses are not complete, so that no client takes one for complete. Returns their number. */
  breakAll(): number
}

/**
 * Follows the connections of a server that does not listen itself. `share` lets another process break a response off too; it is
 * called for responses that have no length and are not chunked.
 */
export function openConnections(
  { server }: FastifyInstance,
  share: (connection: Socket, response: ServerResponse) => Promise<void>,
): OpenConnections {
  const open = new Map<Socket, Connection>()
  let draining: Draining | null = null
  let look = () => {}

  server.prependListener('request', ({ socket, httpVersion }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(connectionOf(socket))
    if (connection === undefined) return
    if (httpVersion === '1.0') shareBefore(response, () => share(connection.socket, response))
    connection.responses.add(response)
    if (draining !== null) makeLast(response)
    response.once('close', () => {
      connection.responses.delete(response)
      connection.idleSinceMs = performance.now()
      if (draining === null || connection.responses.size > 0) return
      socket.destroySoon()
      look()
    })
  })
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    const connection = open.get(connectionOf(socket))
    if (connection) connection.isUpgraded = true
  })
  // From this event on, Node limits the time for requests to arrive.
  server.emit('listening')

  const breakAll = () => {
    let broken = 0
    for (const { socket, responses } of open.values()) {
      for (const response of responses) noteBroken(response, 503)
      if (responses.size > 0) socket.resetAndDestroy()
      broken += responses.size
    }
    return broken
  }
  const closeIdle = (idleMs: number) => {
    for (const { socket, responses, isUpgraded, idleSinceMs } of open.values())
      if (responses.size === 0 && !isUpgraded && performance.now() - idleSinceMs >= idleMs)
        socket.destroySoon()
  }
  const isEmpty = (hasSockets: boolean) =>
    [...open.values()].every(({ isUpgraded, responses }) => responses.size === 0 && isUpgraded && hasSockets)

  return {
    take(socket) {
      const connection = {
        socket,
        responses: new Set<ServerResponse>(),
        isUpgraded: false,
        idleSinceMs: performance.now(),
      }
      open.set(socket, connection)
      socket.once('close', () => {
        open.delete(socket)
        look()
      })
      socket.on('error', () => socket.destroy())
      // As for the connections that a server of HTTP accepts itself.
      socket.allowHalfOpen = true
      server.emit('connection', socket)
    },
    async drain(how) {
      draining = how
      const begunMs = performance.now()
      for (const { responses } of open.values()) for (const response of responses) makeLast(response)
      await new Promise<void>(resolve => {
        look = () => {
          closeIdle(how.idleMs)
          const elapsedMs = performance.now() - begunMs
          const isOver = isEmpty(elapsedMs >= how.socketsMs) || elapsedMs >= how.limitMs
          if (draining === how && !isOver) return
          clearInterval(timer)
          resolve()
        }
        const timer = setInterval(look, LOOK_EVERY_MS)
        look()
      })
      return draining === how ? breakAll() : 0
    },
    breakAll,
  }
}

/** A response whose head is sent already cannot announce it: its connection is closed after it. */
function makeLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
