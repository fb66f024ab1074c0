import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timed } from '../../engine/deadline.ts'
import { FORMATS } from '../../operations/answering/formats.ts'
import { countKeysWith, lakeContents } from '../../operations/contents/contents.ts'
import { LAKE_PATH } from '../openapi/lake.ts'
import { invalidInput, type Problem } from '../service/problem.ts'
import { addressOf, send } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { type Document, documentOf, sendDocument } from './document.ts'

const HEADERS = { 'cache-control': 'private, no-cache', vary: 'Authorization, Accept, Accept-Encoding' }

/** Serves what the lake holds. Any valid token may read it: it contains no row of the data. */
export function addLake(server: FastifyInstance, service: Service): void {
  const describe = describing(service)
  server.get(LAKE_PATH, async (request, reply) => {
    const refusal = refusalOf(request)
    if (refusal) return send(reply, refusal)
    return sendDocument(request, reply.headers(HEADERS), FORMATS.json.contentType, describe)
  })
}

/** The JSON for the served snapshot. It is made when the first request for the snapshot arrives, and kept. */
function describing({ lake, engine, deadlineMs, proofs }: Service): () => Promise<Document> {
  let made: { snapshot: number; failures: number; body: Promise<Document> } | null = null
  return async () => {
    const snapshot = await lake.pin()
    const failures = proofs?.failures ?? 0
    // A file that has failed since may have been read for it.
    if (made?.snapshot === snapshot.number && made.failures === failures) return made.body
    const limited = timed(deadlineMs)
    const body = limited(signal => lakeContents(snapshot, countKeysWith(engine, signal))).then(contents =>
      documentOf(JSON.stringify(contents)),
    )
    const making = { snapshot: snapshot.number, failures, body }
    made = making
    body.catch(() => {
      // The next request tries again.
      if (made === making) made = null
    })
    return body
  }
}

function refusalOf(request: FastifyRequest): Problem | null {
  const address = addressOf(request)
  const [name] = new URLSearchParams(address.query).keys()
  if (name === undefined) return null
  return invalidInput(
    `invalid query input: ${JSON.stringify(name.slice(0, 40))} is not a parameter here: this route has none (for example ${LAKE_PATH})`,
    address,
  )
}
