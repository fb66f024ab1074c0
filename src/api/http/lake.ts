import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { timed } from '../../engine/deadline.ts'
import { FORMATS } from '../../operations/answering/formats.ts'
import { countKeysWith, lakeContents } from '../../operations/contents/contents.ts'
import { invalidInput, methodNotAllowed, notAcceptable } from '../service/problem.ts'
import { addressOf, send } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { codingFor, encodeContent, noneMatch } from './negotiate.ts'

export const LAKE_PATH = '/api/lake'

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Serves what the lake holds. Any valid token may read it: it contains no row of the data. */
export function addLake(server: FastifyInstance, service: Service): void {
  const describe = describing(service)
  server.route({
    method: ['GET', 'HEAD'],
    url: LAKE_PATH,
    handler: async (request, reply) => {
      const refusal = refusalOf(request)
      return refusal ? send(reply, refusal) : answer(request, reply, await describe())
    },
  })
  server.route({
    method: OTHER_METHODS,
    url: LAKE_PATH,
    handler: (request, reply) => send(reply, methodNotAllowed(request.id)),
  })
}

/** The JSON for the served snapshot. It is made when the first request for the snapshot arrives, and kept. */
function describing({ lake, engine, deadlineMs }: Service): () => Promise<Uint8Array> {
  let made: { snapshot: number; body: Promise<Uint8Array> } | null = null
  return async () => {
    const snapshot = await lake.pin()
    if (made?.snapshot === snapshot.number) return made.body
    const limited = timed(deadlineMs)
    const body = limited(signal => lakeContents(snapshot, countKeysWith(engine, signal))).then(contents =>
      Buffer.from(JSON.stringify(contents)),
    )
    const making = { snapshot: snapshot.number, body }
    made = making
    body.catch(() => {
      // The next request tries again.
      if (made === making) made = null
    })
    return body
  }
}

function refusalOf(request: FastifyRequest) {
  const { mediaType } = FORMATS.json
  if (request.accepts().type([mediaType]) !== mediaType) return notAcceptable([mediaType], request.id)
  const address = addressOf(request)
  const [name] = new URLSearchParams(address.query).keys()
  if (name === undefined) return null
  return invalidInput(
    `invalid query input: ${JSON.stringify(name.slice(0, 40))} is not a parameter here: this route has none (for example ${LAKE_PATH})`,
    address,
  )
}

async function answer(request: FastifyRequest, reply: FastifyReply, body: Uint8Array) {
  const coding = codingFor(request, 'json')
  const tag = `"${createHash('sha256').update(body).update(coding).digest('base64url').slice(0, 32)}"`
  reply.headers({
    etag: tag,
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept, Accept-Encoding',
  })
  if (noneMatch(request.headers['if-none-match'], tag)) return reply.code(304).send()
  reply.type(FORMATS.json.contentType)
  if (coding !== 'identity') reply.header('content-encoding', coding)
  return reply.send(await encodeContent(body, coding))
}
