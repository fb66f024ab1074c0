import { addDays, daysBetween } from '../../market/day.ts'
import { isSession } from '../../market/sessions.ts'

/** The number of rows of a dataset by day, ascending. Days without rows are missing. */
export type DayRows = ReadonlyMap<string, number>

/** One partition of a dataset, as its manifest describes it. */
export interface CountedPart {
  /** Rows and checksum by day. Missing for adopted files; a dataset that is not divided by date has only `all`. */
  readonly days?: Readonly<Record<string, readonly [rows: number, checksum: string]>> | undefined
  readonly files: readonly { readonly rows: number; readonly dates: readonly [string, string] }[]
}

/**
 * The rows of a dataset by day. Files without counts of days are spread evenly over the trading sessions between their
 * first and last date.
 */
export function dayRows(parts: readonly CountedPart[]): DayRows {
  const rows = new Map<string, number>()
  const add = (day: string, count: number) => rows.set(day, (rows.get(day) ?? 0) + count)
  for (const { days, files } of parts) {
    if (days === undefined) for (const file of files) for (const day of spread(file)) add(...day)
    else for (const [day, [count]] of Object.entries(days)) if (count > 0 && day !== 'all') add(day, count)
  }
  return new Map([...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Only the last days of a file are listed: a default date is near the end of the lake. */
const SPREAD_DAYS = 400

function spread({ rows, dates: [first, last] }: CountedPart['files'][number]): [string, number][] {
  const span = daysBetween(first, last) + 1
  const listed = Math.min(span, SPREAD_DAYS)
  const days = Array.from({ length: listed }, (_, index) => addDays(last, index - listed + 1))
  const sessions = days.filter(day => day === last || isSession(day))
  return sessions.map(day => [day, (rows * listed) / span / sessions.length])
}

/**
 * The rows of a dataset by day, if the lake has recorded them for each day. Null otherwise: for adopted files, and for a
 * dataset that is not divided by date.
 */
export function recordedRows(parts: readonly CountedPart[]): DayRows | null {
  return parts.some(({ days }) => days === undefined || 'all' in days) ? null : dayRows(parts)
}
