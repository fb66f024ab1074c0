import { DAY_MS, dayOf, epochMsOf, isValidDate, lastDayOfMonth } from '../../market/day.ts'
import { isoMicros } from '../../market/iso-time.ts'
import { type Parsed, unfit } from '../parameters/problem.ts'
import { ISO_TIME } from '../parameters/time.ts'

/** `range` and `range_end` of the analytics operation: their syntax, and the days and minutes that they mean. */

/** Units of a length, with their milliseconds where they always have as many. */
const FIXED_MS = {
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: null,
  year: null,
} as const
type Unit = keyof typeof FIXED_MS

export type Range =
  | { readonly kind: 'full' }
  | { readonly kind: 'back'; readonly count: number; readonly unit: Unit }
  | Bound

/** A day, a whole month, or an instant in milliseconds since 1970-01-01 UTC. */
export type Bound =
  | { readonly kind: 'day'; readonly first: string; readonly last: string }
  | { readonly kind: 'instant'; readonly epochMs: number }

/** Inclusive bounds; null is open. Instants are null unless the client spoke of a time of day. */
export interface Window {
  readonly from: string | null
  readonly to: string | null
  readonly fromMs: number | null
  readonly toMs: number | null
}

/** The grammars of `range_end` and `range`, for JSON Schema. */
export const RANGE_END_PATTERN = `^(${ISO_TIME}|[0-9]{4}-[0-9]{2})$`
export const RANGE_PATTERN = `^([Ff][Uu][Ll][Ll]|[1-9][0-9]{0,3}(minute|hour|day|week|month|year)|${ISO_TIME}|[0-9]{4}-[0-9]{2})$`

export function parseRange(text: string): Parsed<Range> {
  if (text.toLowerCase() === 'full') return { value: { kind: 'full' } }
  const back = /^([1-9]\d{0,3})(minute|hour|day|week|month|year)$/i.exec(text)
  if (back)
    return { value: { kind: 'back', count: Number(back[1]), unit: String(back[2]).toLowerCase() as Unit } }
  const bound = parseBound(text)
  if (bound) return { value: bound }
  return unfit(text, 'full, a length such as 2month, a month YYYY-MM, a date YYYY-MM-DD or an ISO date-time')
}

export function parseRangeEnd(text: string): Parsed<Bound> {
  const bound = parseBound(text)
  return bound ? { value: bound } : unfit(text, 'a month YYYY-MM, a date YYYY-MM-DD or an ISO date-time')
}

function parseBound(text: string): Bound | null {
  if (/^\d{4}-\d{2}$/.test(text)) {
    const first = `${text}-01`
    return isValidDate(first) ? { kind: 'day', first, last: lastDayOfMonth(text) } : null
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text))
    return isValidDate(text) ? { kind: 'day', first: text, last: text } : null
  const micros = isoMicros(text)
  return micros === null ? null : { kind: 'instant', epochMs: Number(micros / 1000n) }
}

/** Whether the end is before the start, which is an error of the client. A length back from the end never is. */
export function endsBeforeStart(range: Range, end: Bound | null): boolean {
  if (end === null || range.kind === 'full' || range.kind === 'back') return false
  const startMs = range.kind === 'instant' ? range.epochMs : epochMsOf(range.first)
  const endMs = end.kind === 'instant' ? end.epochMs : epochMsOf(end.last) + DAY_MS - 1
  return startMs > endMs
}

/**
 * The window of a range. Lengths are counted back from `end`, else from `lastDate`, the last closed trading date of
 * the snapshot; minutes and hours from the regular close of that day, which `closeMs` returns in epoch milliseconds.
 */
export function resolveWindow(
  range: Range,
  end: Bound | null,
  lastDate: string,
  closeMs: (date: string) => number,
): Window {
  const to = end?.kind === 'day' ? end.last : null
  const toMs = end?.kind === 'instant' ? end.epochMs : null
  const until = { to, toMs }
  if (range.kind === 'full') return { from: null, fromMs: null, ...until }
  if (range.kind === 'instant') return { from: null, fromMs: range.epochMs, ...until }
  if (range.kind === 'day') {
    // A month without an end is that month only; a day without an end extends to the latest day.
    const wholeMonth = end === null && range.first !== range.last
    return { from: range.first, fromMs: null, to: wholeMonth ? range.last : to, toMs }
  }
  const { count, unit } = range
  if (end?.kind === 'instant') return { from: null, fromMs: back(end.epochMs, count, unit), ...until }
  const day = end?.last ?? lastDate
  if (unit === 'minute' || unit === 'hour')
    return { from: null, fromMs: back(closeMs(day), count, unit), ...until }
  return { from: dayOf(back(epochMsOf(day), count, unit)), fromMs: null, ...until }
}

/** `epochMs` moved back by calendar units; a day that the month lacks becomes the last day of the month. */
function back(epochMs: number, count: number, unit: Unit): number {
  const fixedMs = FIXED_MS[unit]
  if (fixedMs !== null) return epochMs - count * fixedMs
  const at = new Date(epochMs)
  const dayOfMonth = at.getUTCDate()
  at.setUTCMonth(at.getUTCMonth() - count * (unit === 'year' ? 12 : 1))
  if (at.getUTCDate() !== dayOfMonth) at.setUTCDate(0)
  return at.getTime()
}
