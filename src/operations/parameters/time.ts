import { Type } from 'typebox'
import { date, microInstant } from '../../engine/bind.ts'
import { isValidDate } from '../../market/day.ts'
import { isoMicros } from '../../market/iso-time.ts'
import { grammar } from './kinds.ts'
import type { Parameter } from './parameter.ts'
import { type Parsed, refused, unfit } from './problem.ts'

/** Parameters that are days and instants. */

/** A day, `YYYY-MM-DD`. */
export const day = (description: string, example = '2024-12-31'): Parameter<string | null> =>
  grammar({ description, example, schema: Type.String({ format: 'date' }), bind: date }, text =>
    isValidDate(text) ? { value: text } : unfit(text, 'a date YYYY-MM-DD'),
  )

/** The `date` of operations on one day. */
export const marketDate = day(
  'Trading date. Default: the last closed trading date in the lake for this operation.',
)

/** Numbers from this one on are milliseconds, lower ones seconds. */
const MILLISECONDS_FROM = 100_000_000_000n
const MICROS_MAX = BigInt(Date.parse('9999-12-31T23:59:59Z')) * 1000n

/** A date, or a date-time, for JSON Schema. */
export const ISO_TIME =
  '[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?([Zz]|[+ -][0-9]{2}:?[0-9]{2})?)?'

/** Parses a time to microseconds since 1970-01-01 UTC. */
export function parseMoment(text: string): Parsed<bigint> {
  const micros = /^\d{1,15}$/.test(text) ? microsOfNumber(BigInt(text)) : isoMicros(text)
  return micros !== null && micros <= MICROS_MAX
    ? { value: micros }
    : unfit(text, 'Unix seconds, Unix milliseconds, a date or an ISO 8601 date-time')
}

const microsOfNumber = (number: bigint) => number * (number >= MILLISECONDS_FROM ? 1000n : 1_000_000n)

/** A bound in time, in microseconds since 1970-01-01 UTC. */
export const moment = (description: string): Parameter<bigint | null> =>
  grammar(
    {
      description: `${description} Unix seconds, Unix milliseconds (from 1e11 on), a date, or an ISO 8601 date-time, in UTC unless it has an offset.`,
      example: '2024-12-31T15:30:00Z',
      schema: Type.String({ pattern: `^([0-9]{1,15}|${ISO_TIME})$` }),
      bind: microInstant,
    },
    parseMoment,
  )

/** Records of one time that a request can pass, at most. */
export const POSITION_MAX = 1_000_000

/** A bound that keeps what is before a time, and what is at that time after its first `passed` records. */
export interface OlderThan {
  /** Microseconds since 1970-01-01 UTC. */
  readonly time: bigint
  /** 0: nothing at that time is kept. */
  readonly passed: number
}

/** Parses a time, or `<time>/<position>`, which a `Link` header has where a page ends within records of one time. */
export function parseOlderThan(text: string): Parsed<OlderThan> {
  const [, time = text, position] = /^(.*)\/(\d{1,15})$/s.exec(text) ?? []
  const parsed = parseMoment(time)
  if ('problems' in parsed) return parsed
  if (position === undefined) return { value: { time: parsed.value, passed: 0 } }
  const passed = Number(position)
  return passed >= 1 && passed <= POSITION_MAX
    ? { value: { time: parsed.value, passed } }
    : refused(`has the position ${position}, from 1 to ${POSITION_MAX} is allowed`)
}

/** The exclusive upper bound of a time: with a position, records of the time itself are read too. */
export const boundOfOlderThan = ({ time, passed }: OlderThan): bigint => (passed > 0 ? time + 1n : time)

/** The place within records of one time where an answer begins; null: at the first one before the time. */
export const afterOlderThan = (older: OlderThan | null): OlderThan | null =>
  older !== null && older.passed > 0 ? older : null

/** `older_than` of records in order of their time, newest first. */
export const olderThan = (description: string): Parameter<OlderThan | null> => {
  const { description: bound, example } = moment(description)
  return grammar(
    {
      description: `${bound} Also such a time and a position, \`<time>/<position>\`, as the \`Link\` header of a page has it that ends within records of one time: keeps records before the time, and those of the time after the first \`<position>\`.`,
      example,
      schema: Type.String({ pattern: `^([0-9]{1,15}|${ISO_TIME})(/[1-9][0-9]{0,6})?$` }),
      bind: older => microInstant(older && boundOfOlderThan(older)),
    },
    parseOlderThan,
  )
}
