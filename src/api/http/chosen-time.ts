import { finished } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Timed, unlessAborted } from '../../engine/deadline.ts'
import { knowledgeDay } from '../../lake/point-in-time/cutoff.ts'
import type { LoadedSnapshot } from '../../lake/store/snapshot.ts'
import type { Fault } from '../../operations/parameters/parameter.ts'
import { shown } from '../../operations/parameters/problem.ts'
import { AS_OF } from '../openapi/parameters.ts'
import type { Service } from '../service/service.ts'

/** The day of knowledge of the time that a request names, null if it names none, or what is wrong with it. */
export function findDay(wanted: readonly string[]): { day: string | null } | { fault: Fault } {
  const [text] = wanted
  if (text === undefined) return { day: null }
  const faulty = (problem: string) => ({
    fault: { in: 'query' as const, name: AS_OF, problem, example: `${AS_OF}=2024-03-15` },
  })
  if (wanted.length > 1) return faulty(`is given ${wanted.length} times, once is allowed`)
  const day = knowledgeDay(text)
  return day === null ? faulty(`must be a date, or a time with a zone, not ${shown(text)}`) : { day }
}

/**
 * The snapshot as of a day; null: as it is. Its files remain until the response has been sent. Rejects with overloaded,
 * or with deadline_exceeded while the state is still being computed: a later request finds it.
 */
export async function loadAsOf(
  { asOf }: Service,
  snapshot: LoadedSnapshot,
  day: string | null,
  reply: FastifyReply,
  limited: Timed,
): Promise<LoadedSnapshot> {
  if (asOf === undefined || day === null) return snapshot
  const taking = asOf.take(snapshot, day)
  // A state that was not computed has nothing to release; files that cannot be deleted are deleted at the end.
  finished(reply.raw, () => taking.then(({ release }) => release()).catch(() => {}))
  const taken = await limited(signal => unlessAborted(taking, signal))
  reply.header('x-tapehouse-as-of', day)
  return taken.snapshot
}
