import { latestOf } from './column.ts'
import type { Row } from './parquet.ts'
import { groups } from './rows.ts'

/** What the filings of a Form 13F report state by a date, where it was filed more than once. */

/** The rows that were filed by a date. */
export const filedBy = (rows: readonly Row[], date: string): Row[] =>
  rows.filter(row => String(row.filing_date) <= date)

/** Of the holdings of one report, those that count: a filing replaces earlier ones, adds to them, or is a mere stand-in. */
export function counting(holdings: readonly Row[]): Row[] {
  const ofKind = (kind: string | null) => holdings.filter(row => (row.filing_kind ?? null) === kind)
  const reports = ofKind('report')
  const base = latestOf(reports.length > 0 ? reports : ofKind('undated'), 'filing_date')
  const lots = groups(ofKind(null), lotOf)
  return holdings.filter(row => {
    if (String(row.filing_date) < base) return false
    if (row.filing_kind === 'report' || row.filing_kind === 'addition') return true
    if (row.filing_kind === 'undated') return reports.length === 0
    return row.filing_date === latestOf(lots.get(lotOf(row)) ?? [], 'filing_date')
  })
}

const lotOf = (row: Row): string => JSON.stringify([row.cusip, row.security_type, row.put_call])

/** The latest row of each position of each report among rows of one institution. */
export function latestRows(positions: readonly Row[]): Row[] {
  const latest = new Map<string, Row>()
  for (const row of positions) {
    const name = JSON.stringify([row.report_date, row.ticker, row.security_type, row.put_call])
    const other = latest.get(name)
    if (other === undefined || String(other.filing_date) < String(row.filing_date)) latest.set(name, row)
  }
  return [...latest.values()]
}
