import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Timed } from '../../engine/deadline.ts'
import type { LoadedSnapshot } from '../../lake/store/snapshot.ts'
import { entityTag, pin } from '../../operations/answering/answer.ts'
import { mediaTypes } from '../../operations/answering/formats.ts'
import type { Caller, Operation } from '../../operations/answering/operation.ts'
import { type Input, validate } from '../../operations/answering/validate.ts'
import { AS_OF, SNAPSHOT } from '../openapi/parameters.ts'
import type { PreparedRequest } from '../service/answer-cache.ts'
import type { Arrival } from '../service/arrival.ts'
import { CODINGS } from '../service/codings.ts'
import { invalidFaults, notAcceptable, type Problem } from '../service/problem.ts'
import { addressOf } from '../service/respond.ts'
import type { Service } from '../service/service.ts'
import { findSnapshot, loadChosen, splitParameter } from './chosen-snapshot.ts'
import { findDay, loadAsOf } from './chosen-time.ts'
import { IGNORED_PARAMETERS, ignoredHeader } from './ignored-parameters.ts'
import { codingFor, formatFor } from './negotiate.ts'

/**
 * All that the plan and the headers of a request depend on, besides the snapshot and the time. No header and no URL contains
 * a line feed; an owner, which is last, may.
 */
export function keyOf({ raw, headers }: Arrival, { owner, admin }: Caller): string {
  const permission = admin ? 'admin' : owner === null ? 'none' : `owner ${owner}`
  return `${raw.url}\n${listed(headers.accept)}\n${listed(headers['accept-encoding'])}\n${permission}`
}

/** A missing header differs from every header, and an empty one from both. */
const listed = (header: string | string[] | undefined) => (header === undefined ? '' : `=${header}`)

/** Where a request comes from and is kept. */
interface Arrived {
  readonly operation: Operation
  readonly caller: Caller
  readonly key: string
  readonly served: LoadedSnapshot
}

/** Validates and plans a request, or says what is wrong with it. One on the served snapshot is kept for the next time. */
export async function prepare(
  service: Service,
  { operation, caller, key, served }: Arrived,
  request: FastifyRequest,
  reply: FastifyReply,
  limited: Timed,
): Promise<PreparedRequest | Problem> {
  const format = formatFor(request)
  if (format === null) return notAcceptable('media types', mediaTypes, request.id)
  const coding = codingFor(request, format === 'parquet')
  if (coding === null) return notAcceptable('content codings', CODINGS, request.id)
  const ofSnapshot = splitParameter(SNAPSHOT, service.snapshots !== undefined, inputOf(request))
  const ofTime = splitParameter(AS_OF, service.asOf !== undefined, ofSnapshot.own)
  const isIgnored = (name: string) => service.ignoresUnknown === true && name !== SNAPSHOT && name !== AS_OF
  const validated = validate(operation, ofTime.own, isIgnored)
  const found = await findSnapshot(service, served, ofSnapshot.wanted)
  const asOf = findDay(ofTime.wanted)
  if ('faults' in validated || 'fault' in found || 'fault' in asOf) {
    const faults = [
      ...('faults' in validated ? validated.faults : []),
      ...('fault' in found ? [found.fault] : []),
      ...('fault' in asOf ? [asOf.fault] : []),
    ]
    return invalidFaults(faults, addressOf(request))
  }

  const chosen = await loadChosen(service, served, found.number)
  const snapshot = await loadAsOf(service, chosen, asOf.day, reply, limited)
  const plannedAtMs = Date.now()
  const pinned = pin(operation, validated.values, snapshot, caller)
  const prepared = {
    pinned,
    format,
    coding,
    tag: entityTag(pinned, format, coding),
    headers: {
      'x-tapehouse-snapshot': String(snapshot.number),
      ...(validated.ignored.length > 0 ? { [IGNORED_PARAMETERS]: ignoredHeader(validated.ignored) } : {}),
    },
    hit: null,
    match: null,
  }
  // A name of a snapshot may mean another one later, and the files of a past state last as long as the response.
  if (found.number === null && asOf.day === null)
    service.cache.requests.keep(key, served, plannedAtMs, prepared)
  return prepared
}

/** The parameters as the client sent them, including repeated and empty ones. */
function inputOf(request: FastifyRequest): Input {
  return {
    path: request.params as Record<string, string>,
    query: [...new URLSearchParams(addressOf(request).query)],
  }
}
