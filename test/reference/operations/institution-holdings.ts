import { column, latestOf } from '../column.ts'
import { type Decimal, numberOf, rounded } from '../decimal.ts'
import { filedBy, latestRows } from '../filings.ts'
import { cikOf, WAYS, waysToName } from '../institution-name.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Row, Value } from '../parquet.ts'
import type { Sample } from '../readers.ts'
import { monthsBefore } from '../relative-date.ts'
import { amongTest, paged, parameter, type Request, refused, tickerTest } from '../request.ts'
import { shownColumns } from '../shown.ts'

const FIELDS = `ticker full_name sector security_type first_buy price_first_buy units units_change historical_units
  avg_price close shares_outstanding perc_of_share_value perc_of_total`

/** A position whose ticker is not known has its CUSIP or its name instead. */
const IS_TICKER = /^[A-Z][A-Z0-9.-]{0,9}$/i

/** Positions under the ways to name their institution, with the report before as the start of a range. */
export const samples = (lake: Lake): Sample[] =>
  lake.rows('institution_positions').flatMap((row, index) => {
    const { cik, report_date: date, filing_date: filed, ticker, security_type: type } = row
    return {
      name: waysToName(lake, String(cik))[index % WAYS],
      date: filed,
      start_date: index % 2 === 0 ? date : monthsBefore(String(date), 3 * (index % 5)),
      end_date: date,
      ticker_symbol: IS_TICKER.test(String(ticker)) ? ticker : undefined,
      security_types: type,
    }
  })

export function answer(lake: Lake, request: Request): unknown {
  const cik = cikOf(lake, parameter(request, 'name') ?? '')
  if (cik === null) return refused(422)
  const [start, end] = [parameter(request, 'start_date'), parameter(request, 'end_date')]
  if (start !== null && end !== null && start > end) return refused(422)
  const hasTicker = tickerTest(request, 'ticker_symbol')
  const hasType = amongTest(request, 'security_types')
  const rows = lake.find('institution_positions', { cik })
  const positions = (
    start === null && end === null ? latestBy(rows, request) : reportsIn(latestRows(rows), start, end)
  )
    .filter(row => Number(row.units) > 0)
    .filter(row => hasTicker(row.ticker) && hasType(row.security_type))
  const order = parameter(request, 'order')?.toLowerCase() ?? 'value'
  const sorted = ordered(
    positions,
    {
      of: row => shownValue(row, order),
      direction: parameter(request, 'order_direction')?.toLowerCase() === 'asc' ? 'asc' : 'desc',
    },
    descending(column('report_date')),
    ascending(column('ticker')),
    ascending(column('security_type')),
    ascending(column('put_call')),
  )
  return {
    data: paged(request, sorted, 500).map(row => ({
      ...shownColumns(row, FIELDS),
      put_call: shownValue(row, 'put_call'),
      date: shownValue(row, 'date'),
      value: shownValue(row, 'value'),
    })),
  }
}

const reportsIn = (rows: readonly Row[], start: string | null, end: string | null): Row[] =>
  rows
    .filter(row => start === null || String(row.report_date) >= start)
    .filter(row => end === null || String(row.report_date) <= end)

/** The latest report that was filed by `date`. */
function latestBy(rows: readonly Row[], request: Request): Row[] {
  const date = parameter(request, 'date')
  const filed = latestRows(date === null ? rows : filedBy(rows, date))
  const latest = latestOf(filed, 'report_date')
  return filed.filter(row => row.report_date === latest)
}

/** A field, as far as it is not the column of its name. */
function shownValue(row: Row, field: string): Value {
  const value = row[field === 'date' ? 'report_date' : field] ?? null
  if (field === 'value') return numberOf(rounded(value as Decimal, 0))
  return field === 'put_call' && value === '' ? null : value
}
