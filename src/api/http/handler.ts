import type { FastifyReply, FastifyRequest } from 'fastify'
import { timed } from '../../engine/deadline.ts'
import { entityTag, pin } from '../../operations/answering/answer.ts'
import { whyEmpty } from '../../operations/answering/empty.ts'
import { FORMATS, mediaTypes } from '../../operations/answering/formats.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { answerInParts } from '../../operations/answering/pages.ts'
import { type Input, InvalidRequest, validate } from '../../operations/answering/validate.ts'
import { AS_OF, SNAPSHOT } from '../openapi/parameters.ts'
import { invalidFaults, notAcceptable } from '../service/problem.ts'
import { addressOf, send } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { answerHeaders, matchedTag, stateOf } from './answer-headers.ts'
import { findSnapshot, loadChosen, splitParameter } from './chosen-snapshot.ts'
import { findDay, loadAsOf } from './chosen-time.ts'
import { IGNORED_PARAMETERS, ignoredHeader } from './ignored-parameters.ts'
import { CODINGS, codingFor, encodeContent, formatFor } from './negotiate.ts'
import { sendParts } from './streaming.ts'

/** Answers a request to an operation, from validation to bytes. The server's error handler responds to what it throws. */
export async function answerRequest(
  service: Service,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const format = formatFor(request)
  if (format === null) return send(reply, notAcceptable('media types', mediaTypes, request.id))
  const coding = codingFor(request, format === 'parquet')
  if (coding === null) return send(reply, notAcceptable('content codings', CODINGS, request.id))
  const ofSnapshot = splitParameter(SNAPSHOT, service.snapshots !== undefined, inputOf(request))
  const ofTime = splitParameter(AS_OF, service.asOf !== undefined, ofSnapshot.own)
  const isIgnored = (name: string) => service.ignoresUnknown === true && name !== SNAPSHOT && name !== AS_OF
  const validated = validate(operation, ofTime.own, isIgnored)
  const found = await findSnapshot(service, ofSnapshot.wanted)
  const asOf = findDay(ofTime.wanted)
  if ('faults' in validated || 'fault' in found || 'fault' in asOf) {
    const faults = [
      ...('faults' in validated ? validated.faults : []),
      ...('fault' in found ? [found.fault] : []),
      ...('fault' in asOf ? [asOf.fault] : []),
    ]
    return send(reply, invalidFaults(faults, addressOf(request)))
  }

  if (validated.ignored.length > 0) reply.header(IGNORED_PARAMETERS, ignoredHeader(validated.ignored))
  const caller = request.grant ?? { owner: null, admin: false }
  const limited = timed(service.deadlineMs, disconnection(reply))
  const chosen = await loadChosen(service, found.number)
  const snapshot = await loadAsOf(service, chosen, asOf.day, reply, limited)
  reply.header('x-tapehouse-snapshot', snapshot.number)
  const pinned = pin(operation, validated.values, snapshot, caller)
  const tag = entityTag(pinned, format, coding)
  const matched = matchedTag(request.headers['if-none-match'], tag, pinned)
  request.cacheUse = matched === null ? 'miss' : 'match'
  if (matched !== null)
    return reply
      .code(304)
      .headers(answerHeaders(pinned, tag, matched, addressOf(request)))
      .send()

  reply.type(FORMATS[format].contentType)
  if (coding !== 'identity') reply.header('content-encoding', coding)
  const cached = service.cache.get(tag)
  if (cached !== undefined && (cached.empty === null || cached.state === stateOf(snapshot))) {
    request.cacheUse = 'hit'
    return reply.headers(answerHeaders(pinned, tag, cached, addressOf(request))).send(cached.content)
  }
  try {
    const parts = await answerInParts(pinned, service.engine, format, limited)
    const empty = parts.isEmpty ? await limited(signal => whyEmpty(pinned, service.engine, signal)) : null
    const outcome = { empty, end: parts.end }
    reply.headers(answerHeaders(pinned, tag, outcome, addressOf(request)))
    if (parts.rest !== null) return await sendParts(service, operation, reply, parts, coding)
    const content = await encodeContent(parts.first, coding)
    service.cache.set(tag, { content, ...outcome, state: stateOf(snapshot) })
    return reply.send(content)
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return send(reply, invalidFaults(thrown.faults, addressOf(request)))
    throw thrown
  }
}

/** The parameters as the client sent them, including repeated and empty ones. */
function inputOf(request: FastifyRequest): Input {
  return {
    path: request.params as Record<string, string>,
    query: [...new URLSearchParams(addressOf(request).query)],
  }
}

/** A signal that aborts if the connection closes before the response is sent. */
function disconnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
