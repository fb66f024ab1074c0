import { FIRST_DAY, LAST_DAY, lastDayOfMonth } from '../../market/day.ts'
import type { Unit } from './schema.ts'

/** A range of days, both ends inclusive, `YYYY-MM-DD`. */
export interface Span {
  readonly from: string
  readonly to: string
}

/** The partition of an adopted lake for files that fit in no day, month or year. */
export const CATCH_ALL = 'all'

const LENGTH: Record<Unit, number> = { day: 10, month: 7, year: 4 }
const NAME = /^(\d{4}(-\d{2}(-\d{2})?)?|all)$/
/** What the names of format 1 have before the period: `date=2024-01-03`. */
const FORMER_PREFIX = /^(date|month|year)=/

/** The partition of a unit that contains `date`: `2024-01-03`, `2024-01`, `2024`. */
export const partitionOf = (unit: Unit, date: string) => date.slice(0, LENGTH[unit])

/** The unit of a partition; a day for the catch-all. */
export const unitOf = (partition: string): Unit =>
  partition.length === LENGTH.year ? 'year' : partition.length === LENGTH.month ? 'month' : 'day'

/** The name of a partition that has this name in format 1. */
export const fromFormer = (name: string) => name.replace(FORMER_PREFIX, '')

/** Whether `name` is the name of a partition. */
export const isPartition = (name: string) => NAME.test(name)

/** The first and the last calendar day of a partition; for the catch-all, of the whole calendar. */
export function spanOf(partition: string): Span {
  if (partition === CATCH_ALL) return { from: FIRST_DAY, to: LAST_DAY }
  switch (unitOf(partition)) {
    case 'day':
      return { from: partition, to: partition }
    case 'month':
      return { from: `${partition}-01`, to: lastDayOfMonth(partition) }
    case 'year':
      return { from: `${partition}-01-01`, to: `${partition}-12-31` }
  }
}

export const holds = (span: Span, date: string) => span.from <= date && date <= span.to
export const contains = (outer: Span, inner: Span) => outer.from <= inner.from && inner.to <= outer.to
export const overlaps = (one: Span, other: Span) => one.from <= other.to && other.from <= one.to
