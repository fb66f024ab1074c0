import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Timed, timed, unlessAborted } from '../../engine/deadline.ts'
import { whyEmpty } from '../../operations/answering/empty.ts'
import { FORMATS } from '../../operations/answering/formats.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { answerInParts, mayBeLong } from '../../operations/answering/pages.ts'
import { InvalidRequest } from '../../operations/answering/validate.ts'
import { alone, type CachedAnswer, type Outcome, type PreparedRequest } from '../service/answer-cache.ts'
import type { Coding } from '../service/codings.ts'
import { invalidFaults } from '../service/problem.ts'
import { addressOf, send } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { answerHeaders, matchedTag, stateOf } from './answer-headers.ts'
import { tokenOf } from './authenticate.ts'
import { openPlace } from './long-answers.ts'
import { encodeContent } from './negotiate.ts'
import { keyOf, prepare } from './prepare.ts'
import { sendParts, sendWhole } from './streaming.ts'
import { atTurnEnd, oncePerTurn } from './turn.ts'

/** Answers a request to an operation. The server's error handler responds to what it throws. */
type Answering = (operation: Operation, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Answers requests, from validation to bytes. A request that was prepared before is looked up first. */
export function answering(service: Service): Answering {
  const serve = oncePerTurn(() => service.lake.pin())
  return async (operation, request, reply) => {
    const served = await serve()
    const caller = { owner: request.grant?.owner ?? null, admin: request.grant?.admin ?? false }
    const key = keyOf(request, caller)
    const known = service.cache.requests.find(key, served)
    if (known !== null) return respondIfProved(service, known, request, reply)
    const refusal = service.admission.turns.refusal(tokenOf(request), service.deadlineMs)
    if (refusal !== null) throw refusal
    const limited = timed(service.deadlineMs, disconnection(reply))
    const prepared = await prepare(service, { operation, caller, key, served }, request, reply, limited)
    return 'status' in prepared
      ? send(reply, prepared)
      : respondIfProved(service, prepared, request, reply, limited)
  }
}

/** Proves the files of a request before anything is said about them. A request whose files are known costs a look at each. */
async function respondIfProved(
  service: Service,
  prepared: PreparedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  limited?: Timed,
): Promise<FastifyReply> {
  const proving = service.proofs?.check(prepared.pinned.files.values()) ?? null
  if (proving === null) return respond(service, prepared, request, reply, limited)
  const within = limited ?? timed(service.deadlineMs, disconnection(reply))
  await within(signal => unlessAborted(proving, signal))
  return respond(service, prepared, request, reply, within)
}

/** Sends a 304, the cached answer, or the answer of a query. */
function respond(
  service: Service,
  prepared: PreparedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  limited?: Timed,
): FastifyReply | Promise<FastifyReply> {
  const matched = matchHeaders(prepared, request)
  if (matched !== null) {
    request.cacheUse = 'match'
    return atTurnEnd(() => reply.code(304).headers(matched).send())
  }
  const cached = service.cache.answers.get(prepared.tag)
  if (cached !== undefined && isCurrent(cached, prepared)) {
    request.cacheUse = 'hit'
    return atTurnEnd(() =>
      sendWhole(service, reply.headers(hitHeaders(prepared, cached, request)), cached.content),
    )
  }
  request.cacheUse = 'miss'
  return compute(
    service,
    prepared,
    request,
    reply,
    limited ?? timed(service.deadlineMs, disconnection(reply)),
  )
}

/** Why an answer is empty is known for one state of the lake only. */
const isCurrent = ({ empty, state }: CachedAnswer, { pinned }: PreparedRequest) =>
  empty === null || state === stateOf(pinned.snapshot)

async function compute(
  service: Service,
  { pinned, format, coding, tag, headers }: PreparedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  limited: Timed,
): Promise<FastifyReply> {
  const { operation, snapshot } = pinned
  const { turns, pageTurns, longAnswers, limits } = service.admission
  reply.headers({ ...headers, ...contentHeaders({ format, coding }) })
  const asking = { token: tokenOf(request), operation: operation.id, deadlineMs: service.deadlineMs }
  let follows = false
  const inTurn: Timed = work =>
    limited(signal => turns.run({ ...asking, follows }, signal, () => work(signal)))
  const place = mayBeLong(pinned) ? openPlace(longAnswers, asking.token) : null
  const inPageTurn: Timed = work =>
    limited(signal =>
      pageTurns.run({ ...asking, follows }, signal, () => {
        // A page that could not be sent is not computed.
        place?.take()
        return turns.run({ ...asking, follows }, signal, () => work(signal))
      }),
    )
  try {
    const computing = place === null ? inTurn : inPageTurn
    const parts = await answerInParts(pinned, service.engine, format, computing, limits.answerBytesMax)
    follows = true
    const empty = parts.isEmpty ? await inTurn(signal => whyEmpty(pinned, service.engine, signal)) : null
    const outcome = { empty, end: parts.end }
    reply.headers(answerHeaders(pinned, tag, outcome, addressOf(request)))
    if (parts.rest !== null)
      return await sendParts(service, operation, reply, parts, coding, () => place?.leave())
    place?.leave()
    const content = alone(await encoded(parts.first, coding, inTurn))
    service.cache.answers.set(tag, { content, ...outcome, state: stateOf(snapshot) })
    return sendWhole(service, reply, content)
  } catch (thrown) {
    place?.leave()
    if (thrown instanceof InvalidRequest) return send(reply, invalidFaults(thrown.faults, addressOf(request)))
    throw thrown
  }
}

/** From this size on, an answer is compressed in a turn: each compression occupies a thread that queries and files need. */
const TURN_BYTES_MIN = 64 * 1024

const encoded = (bytes: Uint8Array, coding: Coding, inTurn: Timed): Promise<Uint8Array> =>
  bytes.byteLength < TURN_BYTES_MIN || coding === 'identity'
    ? encodeContent(bytes, coding)
    : inTurn(() => encodeContent(bytes, coding))

const contentHeaders = ({ format, coding }: Pick<PreparedRequest, 'format' | 'coding'>) => ({
  'content-type': FORMATS[format].contentType,
  ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
})

/** The headers of a response from the cache. Those of the last one are kept: they depend on the outcome alone. */
function hitHeaders(prepared: PreparedRequest, { empty, end }: Outcome, request: FastifyRequest) {
  const { hit } = prepared
  if (hit !== null && hit.outcome.empty === empty && hit.outcome.end === end) return hit.headers
  const outcome = { empty, end }
  const headers = {
    ...prepared.headers,
    ...contentHeaders(prepared),
    ...answerHeaders(prepared.pinned, prepared.tag, outcome, addressOf(request)),
  }
  prepared.hit = { outcome, headers }
  return headers
}

/** Characters of an `If-None-Match` that is kept with the headers of its 304. */
const KEPT_MATCH_MAX = 200

/** The headers of a 304; null if the client does not have the current answer. */
function matchHeaders(prepared: PreparedRequest, request: FastifyRequest) {
  const wanted = request.headers['if-none-match']
  if (wanted === undefined) return null
  if (prepared.match?.wanted === wanted) return prepared.match.headers
  const { pinned, tag } = prepared
  const outcome = matchedTag(wanted, tag, pinned)
  if (outcome === null) return null
  const headers = { ...prepared.headers, ...answerHeaders(pinned, tag, outcome, addressOf(request)) }
  if (wanted.length <= KEPT_MATCH_MAX) prepared.match = { wanted, headers }
  return headers
}

/** A signal that aborts if the connection closes before the response is sent. */
function disconnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
