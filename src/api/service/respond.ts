import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Address, Problem } from './problem.ts'

/** Answers with a problem, whatever headers an answer that did not come about has left. */
export function send(reply: FastifyReply, problem: Problem): FastifyReply {
  for (const name of ['etag', 'content-encoding', 'content-length']) reply.removeHeader(name)
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, 'x-request-id': reply.request.id, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(problem.body))
}

/** Never throws: a `Host` header that is no host counts as localhost. */
export function addressOf(request: FastifyRequest): Address {
  const [path = '', query = ''] = (request.raw.url ?? '').split(/\?(.*)/s)
  const origin = `${request.protocol}://${request.host}`
  return { origin: URL.canParse(origin) ? origin : `${request.protocol}://localhost`, path, query }
}
