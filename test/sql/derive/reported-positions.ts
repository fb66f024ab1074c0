import { onTestFinished } from 'vitest'
import { openWriter } from '../../../src/engine/writer.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { derivedBy } from '../../fixtures/derive.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { type Row, rowsAsSql } from './rows-as-sql.ts'

export const R1 = '2023-03-31'
export const R2 = '2023-06-30'
export const R3 = '2023-09-30'
export const R4 = '2023-12-31'
export const QUARTERS = [R1, R2, R3, R4, '2024-03-31', '2024-06-30', '2024-09-30', '2024-12-31', '2025-03-31']

/** A holding of institution 1: its CUSIP is the ticker, shares unless specified otherwise, each worth a dollar. */
export const holding = (report_date: string, ticker: string, units: number, more: Row = {}): Row => ({
  report_date,
  filing_date: '2026-01-01',
  cik: '1',
  cusip: ticker,
  ticker,
  full_name: `${ticker} Inc`,
  security_type: 'Share',
  put_call: '',
  units,
  value: units,
  ...more,
})

interface Others {
  readonly closes?: readonly Row[]
  readonly tickers?: readonly Row[]
  readonly splits?: readonly Row[]
}

/** Derives report date after report date, each with the positions of those before; answers all rows. */
export async function reported(
  holdings: readonly Row[],
  { closes, tickers, splits }: Others = {},
): Promise<Row[]> {
  const folder = folderForTest()
  const writer = await openWriter({ directories: [folder] })
  onTestFinished(() => writer.close())
  await writer.run(dataset('institution_positions').createSql)
  const given = {
    institution_holdings: rowsAsSql(holdings),
    institution_positions: 'FROM institution_positions',
    ...(closes && { stock_days: rowsAsSql(closes) }),
    ...(tickers && { tickers: rowsAsSql(tickers) }),
    ...(splits && { stock_splits: rowsAsSql(splits) }),
  }
  for (const date of [...new Set(holdings.map(each => String(each.report_date)))].toSorted()) {
    const rows = await derivedBy(writer, folder, 'institution_positions', { from: date, to: date }, given)
    if (rows.length > 0) await writer.run(`INSERT INTO institution_positions BY NAME (${rowsAsSql(rows)})`)
  }
  return writer.rows(
    'FROM institution_positions ORDER BY report_date, cik, ticker, security_type, put_call, filing_date',
  )
}

export const of = (rows: readonly Row[], ticker: string, ...columns: string[]) =>
  rows.filter(row => row.ticker === ticker).map(row => columns.map(column => row[column] ?? null))

export const closeAt = (date: string, close: number, ticker = 'ACME') => ({ ticker, date, close })
