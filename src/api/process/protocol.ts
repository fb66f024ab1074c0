import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { methodNotAllowed, type Problem } from '../service/problem.ts'
import { badRequest, expectationFailed, uriTooLong } from '../service/protocol-problem.ts'

/** Longest URL of a request. Together with the headers a request may be twice as long. */
export const URL_BYTES_MAX = 16 * 1024
export const HEAD_BYTES_MAX = 2 * URL_BYTES_MAX

/** Time for a request to arrive completely, including the content of one that was refused. */
export const ARRIVAL_MS = 60_000

/**
 * Path and query of a request. A client that takes the server for a proxy sends the whole URL (RFC 9112, 3.2.2). `*` and the
 * authority of CONNECT have no path.
 */
export function pathAndQuery({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const [, path = '/'] = /^https?:\/\/[^/?]*(.*)$/is.exec(url) ?? []
  return path.startsWith('/') ? path : `/${path}`
}

const ROUTED = new Set(['GET', 'HEAD'])
const methods = new WeakMap<IncomingMessage, string>()

/**
 * Lets the router look for the path of a request with any method among the routes of GET. Routes for the 32 other methods that
 * Node parses would be 97 of 100 routes, which take a tenth of the start of a worker.
 */
export function routeAsGet(request: IncomingMessage): void {
  if (request.method === undefined || ROUTED.has(request.method)) return
  methods.set(request, request.method)
  request.method = 'GET'
}

/** Gives a request that has been routed its own method. */
export function restoreMethod(request: IncomingMessage): void {
  const method = methods.get(request)
  if (method !== undefined) request.method = method
}

/** What is wrong with a request before it has a route; null if nothing is. */
export function malformed({ raw, id, method }: FastifyRequest): Problem | null {
  if (method === 'CONNECT') return methodNotAllowed(id)
  if ((raw.url ?? '').length > URL_BYTES_MAX) return uriTooLong(URL_BYTES_MAX, id)
  // RFC 9112, 3.2.
  if (raw.headers.host === undefined && raw.httpVersion !== '1.0')
    return badRequest('The request has no Host header', id)
  return hostsIn(raw) > 1 ? badRequest('The request has several Host headers', id) : null
}

/** Node keeps the first of several. Names and values alternate. */
function hostsIn({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

const expecting = new WeakSet<IncomingMessage>()

/** Remembers that a request has an `Expect` header other than `100-continue`. */
export function noteExpectation(request: IncomingMessage): void {
  expecting.add(request)
}

/** What a route cannot do for a request; null if nothing. Its URL is that of a route. */
export function unsupported({ raw, id, method }: FastifyRequest): Problem | null {
  if (expecting.has(raw)) return expectationFailed(id)
  if (!ROUTED.has(method)) return methodNotAllowed(id)
  return hasContent(raw)
    ? badRequest('The request has content, which no route reads: send its parameters in the query string', id)
    : null
}

const hasContent = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
