import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Arrival } from '../service/arrival.ts'
import type { CorsOrigins } from '../service/service.ts'

/** Headers of a response that a page can always read, by the Fetch standard. */
const SAFELISTED = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
])

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Authorization, If-None-Match, X-Request-Id',
  // Seconds. Chromium keeps the answer for two hours at most.
  'access-control-max-age': '7200',
}

/**
 * Lets pages of other origins read all responses, errors too, with all headers (https://fetch.spec.whatwg.org/#http-cors-protocol).
 * A browser asks first, without the token, whether it may send one. No cookies: a page has to know a token.
 */
export function addCors(server: FastifyInstance, origins: CorsOrigins): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (isPreflight(request) && allowed(request, origins) !== null) reply.code(204).headers(PREFLIGHT).send()
    else done()
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    allowReading(request, reply, origins)
    done(null, payload)
  })
}

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

/** The value of `Access-Control-Allow-Origin`; null if the request is of no allowed origin. */
export function allowed({ headers }: Pick<Arrival, 'headers'>, origins: CorsOrigins): string | null {
  if (origins === '*') return '*'
  return headers.origin !== undefined && origins.includes(headers.origin) ? headers.origin : null
}

/** Adds the headers with which a browser lets a page of an allowed origin read a response. */
export function allowReading(request: FastifyRequest, reply: FastifyReply, origins: CorsOrigins): void {
  reply.headers(readingHeaders(allowed(request, origins), reply.getHeaders(), origins))
}

/** These headers for a response with the headers `sent`. `origin` is the allowed one; null for a request of no allowed origin. */
export function readingHeaders(
  origin: string | null,
  sent: Readonly<Record<string, unknown>>,
  origins: CorsOrigins,
): Record<string, string> {
  const exposed = Object.keys(sent).filter(name => !SAFELISTED.has(name))
  return {
    // A cache must not give the response for one origin to another.
    ...(origins === '*' ? {} : { vary: [sent.vary ?? [], 'Origin'].flat().join(', ') }),
    ...(origin === null
      ? {}
      : { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed.join(', ') }),
  }
}
