import type { Lake, Row } from './lake.ts'
import { parameter, type Request, withDot } from './request.ts'

/** What many operations do with rows. */

/** The requested date, or the default of an operation that reads these datasets. */
export const dateOf = (lake: Lake, request: Request, datasets: readonly string[]): string | null =>
  parameter(request, 'date') ?? lake.closedDate(datasets)

/** A requested contract: upper-case, without the spaces of a padded root. */
export const contractOf = (request: Request, name: string): string | null =>
  parameter(request, name)?.replaceAll(' ', '').toUpperCase() ?? null

export const tickerOf = (request: Request): string | null =>
  withDot(parameter(request, 'ticker')?.toUpperCase() ?? null)

/** Rows with the same text, by that text. */
export function groups<T>(rows: readonly T[], textOf: (row: T) => string): Map<string, [T, ...T[]]> {
  const found = new Map<string, [T, ...T[]]>()
  for (const row of rows) {
    const same = found.get(textOf(row))
    if (same === undefined) found.set(textOf(row), [row])
    else same.push(row)
  }
  return found
}

/** The sum of a column of whole numbers, without nulls. */
export const total = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0)

/** The same, but null where no row has a value. */
export const totalOrNull = (rows: readonly Row[], column: string): number | null =>
  rows.every(row => row[column] === null) ? null : total(rows, column)

const SAMPLES_MOST = 1000

/** Some rows of a dataset, spread evenly over it. */
export function someRows(lake: Lake, dataset: string): readonly Row[] {
  const rows = lake.rows(dataset)
  const step = Math.ceil(rows.length / SAMPLES_MOST)
  return rows.filter((_, index) => index % step === 0)
}
