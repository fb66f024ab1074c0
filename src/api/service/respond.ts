import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Address, Problem } from './problem.ts'

const ANSWER_HEADERS = [
  'etag',
  'content-encoding',
  'content-length',
  'x-tapehouse-date',
  'x-tapehouse-empty',
  'x-tapehouse-synthetic',
]

/** Sends an error response, without the headers of a successful response that were already set. */
export function send(reply: FastifyReply, problem: Problem): FastifyReply {
  for (const name of ANSWER_HEADERS) reply.removeHeader(name)
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, 'x-request-id': reply.request.id, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(problem.body))
}

/** The URL of a request. An invalid `Host` header is replaced by localhost. */
export function addressOf(request: FastifyRequest): Address {
  const [path = '', query = ''] = (request.raw.url ?? '').split(/\?(.*)/s)
  const origin = `${request.protocol}://${request.host}`
  return { origin: URL.canParse(origin) ? origin : `${request.protocol}://localhost`, path, query }
}
