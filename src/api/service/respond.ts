import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './arrival.ts'
import type { Address, Problem } from './problem.ts'

const ANSWER_HEADERS = [
  'etag',
  'content-encoding',
  'content-length',
  'link',
  'x-tapehouse-date',
  'x-tapehouse-empty',
  'x-tapehouse-synthetic',
]

const JSON_TYPE = 'application/json; charset=utf-8'

const errorHeaders = ({ headers }: Problem, requestId: string) => ({
  ...headers,
  'x-request-id': requestId,
  'cache-control': 'no-store',
})

/** Why a request was not answered. Only what is wrong with the server has a reason: a 503. */
const reasons = new WeakMap<FastifyReply, string>()

/** Why the status of a response is 503; null for another status. */
export const reasonOf = (reply: FastifyReply): string | null => reasons.get(reply) ?? null

/** Sends an error response, without the headers of a successful response that were already set. */
export function send(reply: FastifyReply, problem: Problem): FastifyReply {
  for (const name of ANSWER_HEADERS) reply.removeHeader(name)
  if (problem.status === 503) reasons.set(reply, String(problem.body.message))
  return reply
    .code(problem.status)
    .headers(errorHeaders(problem, reply.request.id))
    .type(JSON_TYPE)
    .send(JSON.stringify(problem.body))
}

/** Writes the last response of a connection, which answers no request that was read. Returns the bytes of its body. */
export function writeProblem(connection: Duplex, problem: Problem, requestId: string): number {
  const body = JSON.stringify(problem.body)
  const bytes = Buffer.byteLength(body)
  const headers = {
    ...errorHeaders(problem, requestId),
    'content-type': JSON_TYPE,
    'content-length': bytes,
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  connection.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  return bytes
}

/** The URL of a request at the server's public address, or at the address that its connection has. */
export function addressOf(request: FastifyRequest): Address {
  const { path, query } = pathOf(request.raw)
  return {
    path,
    query,
    // Few requests need it.
    get origin() {
      return request.server.publicUrl ?? originOf(request)
    },
  }
}

/**
 * Where the connection ends. The client chooses the text of `Host` and of the headers of proxies, so that none of them
 * becomes part of a response.
 */
function originOf({ raw: { socket } }: FastifyRequest): string {
  const protocol = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'
  const { localAddress, localPort } = socket
  if (localAddress === undefined || localPort === undefined) return `${protocol}://localhost`
  const host = localAddress.replace(/^::ffff:(?=\d+\.)/, '')
  return `${protocol}://${isIPv6(host) ? `[${host.replace(/%.*$/, '')}]` : host}:${localPort}`
}

/** The client's own request id if it is safe in a header and a log line, else a new one. */
export function requestIdOf(request: { headers: IncomingHttpHeaders }): string {
  const id = request.headers['x-request-id']
  return typeof id === 'string' && /^[\w.-]{1,64}$/.test(id) ? id : randomUUID()
}
