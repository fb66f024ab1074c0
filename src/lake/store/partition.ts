import { FIRST_DAY, LAST_DAY, lastDayOfMonth } from '../../market/day.ts'
import type { Unit } from './schema.ts'

/** A range of days, both ends inclusive, `YYYY-MM-DD`. */
export interface Span {
  readonly from: string
  readonly to: string
}

/** The partition of an adopted lake for files that fit in no day, month or year. */
export const CATCH_ALL = 'all'

const PREFIX: Record<Unit, string> = { day: 'date=', month: 'month=', year: 'year=' }
const DIGITS: Record<Unit, number> = { day: 10, month: 7, year: 4 }
const NAME = /^(date=\d{4}-\d{2}-\d{2}|month=\d{4}-\d{2}|year=\d{4}|all)$/

/** The partition of a unit that contains `date`: `date=2024-01-03`, `month=2024-01`, `year=2024`. */
export const partitionOf = (unit: Unit, date: string) => `${PREFIX[unit]}${date.slice(0, DIGITS[unit])}`

/** Whether `name` is the name of a partition. */
export const isPartition = (name: string) => NAME.test(name)

/** The first and the last calendar day of a partition; for the catch-all, of the whole calendar. */
export function spanOf(partition: string): Span {
  const period = partition.slice(partition.indexOf('=') + 1)
  if (partition.startsWith('date=')) return { from: period, to: period }
  if (partition.startsWith('month=')) return { from: `${period}-01`, to: lastDayOfMonth(period) }
  if (partition.startsWith('year=')) return { from: `${period}-01-01`, to: `${period}-12-31` }
  return { from: FIRST_DAY, to: LAST_DAY }
}

export const holds = (span: Span, date: string) => span.from <= date && date <= span.to
export const contains = (outer: Span, inner: Span) => outer.from <= inner.from && inner.to <= outer.to
export const overlaps = (one: Span, other: Span) => one.from <= other.to && other.from <= one.to
