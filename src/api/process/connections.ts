import { randomUUID } from 'node:crypto'
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { systemCode } from '../../engine/failure.ts'
import type { Observation, Observe } from '../../engine/observation.ts'
import { breakOff } from '../service/break-off.ts'
import type { Problem } from '../service/problem.ts'
import { badRequest, headersTooLarge, requestTimeout, uriTooLong } from '../service/protocol-problem.ts'
import { writeProblem } from '../service/respond.ts'
import { clientAddress } from './client-address.ts'
import { ARRIVAL_MS, HEAD_BYTES_MAX, noteExpectation, URL_BYTES_MAX } from './protocol.ts'

/** Time for a client to read why its connection is closed, while what it still sends is discarded. */
const LINGER_MS = 1000

/** The last response of each connection. */
const responses = new WeakMap<Duplex, ServerResponse>()

/**
 * Routes every request that `answered` does not answer. Those for which Node has events of their own are answered and logged like
 * all others.
 */
export function routeEveryRequest(
  server: FastifyInstance,
  answered: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const listener = server.server
  listener.removeListener('request', server.routing)
  listener.on('request', (request, response) => {
    responses.set(request.socket, response)
    if (!answered(request, response)) server.routing(request, response)
  })
  listener.on('connection', breakAtEnd)
  listener.on('secureConnection', breakAtEnd)
  listener.on('checkExpectation', (request, response) => {
    noteExpectation(request)
    server.routing(request, response)
  })
  // Without `100 Continue`, a client does not send content that no route reads.
  listener.on('checkContinue', (request, response) => server.routing(request, response))
  listener.on('connect', (request, connection) => {
    connection.on('error', () => connection.destroy())
    const response = new ServerResponse(request)
    response.assignSocket(request.socket)
    server.routing(request, response)
  })
}

/**
 * If a client ends its side of a connection, Node ends the other one after what it has written. The response that is being
 * written would then look complete to a client of HTTP/1.0.
 */
function breakAtEnd(socket: Socket): void {
  socket.prependListener('end', () => {
    const last = responses.get(socket)
    if (last?.headersSent === true && !last.writableEnded) breakOff(last)
  })
}

/** Answers what is not HTTP, has too long a head or arrives too slowly, and closes the connection. */
export function answerMalformed(observe: Observe): (error: Error, connection: Socket) => void {
  const closing = new WeakSet<Socket>()
  return (error, connection) => {
    // Each further part of a malformed request is reported again.
    if (closing.has(connection)) return
    closing.add(connection)
    if (systemCode(error) === 'ECONNRESET') {
      connection.destroy()
      return
    }
    const last = responses.get(connection)
    const answer = () => observe(closeWith(connection, problemOf(error, randomUUID())))
    // The response to the request before comes first. The malformed content of a request that has its response gets none.
    if (last?.req.complete === true && !last.writableFinished) last.once('close', answer)
    else if (last?.req.complete === false && last.headersSent) linger(connection)
    else answer()
  }
}

/** Ends a connection. If it were destroyed with unread bytes, it would be reset, and its client could lose the response. */
function linger(connection: Socket): void {
  connection.end()
  const timer = setTimeout(() => connection.destroy(), LINGER_MS).unref()
  connection.once('close', () => clearTimeout(timer))
}

function closeWith(connection: Socket, problem: Problem): Observation {
  const requestId = String(problem.body.request_id)
  const bytes = connection.writable ? writeProblem(connection, problem, requestId) : 0
  linger(connection)
  return {
    kind: 'request',
    requestId,
    operation: 'unknown',
    method: 'unknown',
    path: '',
    status: problem.status,
    durationMs: 0,
    bytes,
    token: null,
    client: clientAddress(undefined, connection.remoteAddress),
    cache: null,
    reason: null,
  }
}

/** What Node's parser and its timers report, as a response. */
function problemOf(error: Error, requestId: string): Problem {
  const code = systemCode(error)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout(ARRIVAL_MS, requestId)
  if (code === 'HPE_HEADER_OVERFLOW')
    return urlIn(error).length > URL_BYTES_MAX
      ? uriTooLong(URL_BYTES_MAX, requestId)
      : headersTooLarge(HEAD_BYTES_MAX, requestId)
  // The parser's reason is one of its own texts, never bytes of the request.
  const reason = 'reason' in error && typeof error.reason === 'string' ? `: ${error.reason}` : ''
  return badRequest(`The request is not valid HTTP${reason}`, requestId)
}

/** The URL at the beginning of the bytes that the parser rejected; empty if they do not begin a request. */
function urlIn(error: Error): string {
  const received = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null
  return /^[A-Z-]+ (\S*)/.exec(received?.toString('latin1') ?? '')?.[1] ?? ''
}
