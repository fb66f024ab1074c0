import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Timed, timed, unlessAborted } from '../../engine/deadline.ts'
import { whyEmpty } from '../../operations/answering/empty.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { answerInParts, mayBeLong } from '../../operations/answering/pages.ts'
import { InvalidRequest } from '../../operations/answering/validate.ts'
import { alone, type PreparedRequest } from '../service/answer-cache.ts'
import type { Coding } from '../service/codings.ts'
import { invalidFaults } from '../service/problem.ts'
import { addressOf, send } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { answerHeaders, stateOf } from './answer-headers.ts'
import { tokenOf } from './authenticate.ts'
import { contentHeaders, fromCache } from './from-cache.ts'
import { openPlace } from './long-answers.ts'
import type { Looks } from './looks.ts'
import { encodeContent } from './negotiate.ts'
import { keyOf, prepare } from './prepare.ts'
import { sendParts, sendWhole } from './streaming.ts'
import type { Turn } from './turn.ts'

/** Answers a request to an operation. The server's error handler responds to what it throws. */
type Answering = (operation: Operation, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Answers requests, from validation to bytes. A request that was prepared before is looked up first. */
export function answering(service: Service, turn: Turn, looks: Looks): Answering {
  /** Proves the files of a request before anything is said about them. A request whose files are known costs a look at each. */
  async function respondIfProved(
    prepared: PreparedRequest,
    request: FastifyRequest,
    reply: FastifyReply,
    limited?: Timed,
  ): Promise<FastifyReply> {
    const proving = looks.prove(prepared)
    if (proving === null) return respond(service, turn, prepared, request, reply, limited)
    const within = limited ?? timed(service.deadlineMs, disconnection(reply))
    await within(signal => unlessAborted(proving, signal))
    return respond(service, turn, prepared, request, reply, within)
  }

  return async (operation, request, reply) => {
    const served = looks.newest() ?? (await looks.pin())
    const caller = { owner: request.grant?.owner ?? null, admin: request.grant?.admin ?? false }
    const key = keyOf(request, caller)
    const known = service.cache.requests.find(key, served)
    if (known !== null) return respondIfProved(known, request, reply)
    const refusal = service.admission.turns.refusal(tokenOf(request), service.deadlineMs)
    if (refusal !== null) throw refusal
    const limited = timed(service.deadlineMs, disconnection(reply))
    const prepared = await prepare(service, { operation, caller, key, served }, request, reply, limited)
    return 'status' in prepared ? send(reply, prepared) : respondIfProved(prepared, request, reply, limited)
  }
}

/** Sends a 304, the cached answer, or the answer of a query. */
function respond(
  service: Service,
  turn: Turn,
  prepared: PreparedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  limited?: Timed,
): FastifyReply | Promise<FastifyReply> {
  const known = fromCache(service, prepared, request)
  if (known === null) {
    request.cacheUse = 'miss'
    const within = limited ?? timed(service.deadlineMs, disconnection(reply))
    return compute(service, prepared, request, reply, within)
  }
  const { use, headers, content } = known
  request.cacheUse = use
  reply.headers(headers)
  return sentAtEnd(turn, () =>
    content === null ? reply.code(304).send() : sendWhole(service, reply, content),
  )
}

/** What `send` returns at the end of the turn. */
const sentAtEnd = <T>(turn: Turn, send: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    turn.atEnd(() => {
      try {
        resolve(send())
      } catch (thrown) {
        reject(thrown)
      }
    })
  })

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
    const making = { bytesMax: limits.answerBytesMax, isShared: () => turns.isShared(asking.token) }
    const parts = await answerInParts(pinned, service.engine, format, computing, making)
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

/** A signal that aborts if the connection closes before the response is sent. */
function disconnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
