import { type Decimal, plus, rounded, ZERO } from '../decimal.ts'
import { filedBy, latestRows } from '../filings.ts'
import { cikOf, WAYS, waysToName } from '../institution-name.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Row } from '../parquet.ts'
import type { Sample } from '../readers.ts'
import { paged, parameter, type Request, refused } from '../request.ts'
import { groups } from '../rows.ts'
import { shown } from '../shown.ts'

export const samples = (lake: Lake): Sample[] =>
  lake.rows('institution_totals').map(({ cik, filing_date: date }, index) => ({
    name: waysToName(lake, String(cik))[index % WAYS],
    date,
  }))

export function answer(lake: Lake, request: Request): unknown {
  const cik = cikOf(lake, parameter(request, 'name') ?? '')
  if (cik === null) return refused(422)
  const date = parameter(request, 'date')
  const rows = lake.find('institution_positions', { cik })
  // A position with 0 units that was not held before was in an earlier filing of the report only.
  const positions = latestRows(date === null ? rows : filedBy(rows, date)).filter(
    row => row.units !== 0 || String(row.first_buy) < String(row.report_date),
  )
  const sectors = groups(positions, row => JSON.stringify([row.report_date, row.sector]))
  const newestFirst = ordered(
    [...sectors.values()].map(sectorOf),
    descending(({ report_date }) => report_date),
    descending(({ value }) => value),
    ascending(({ sector }) => sector),
  )
  return { data: paged(request, newestFirst, 500).map(row => ({ ...row, value: shown(row.value) })) }
}

/** The record of the positions of one report and sector. */
function sectorOf(positions: readonly Row[]) {
  const count = (test: (units: number, change: number) => boolean) =>
    positions.filter(row => test(Number(row.units), Number(row.units_change))).length
  return {
    report_date: positions[0]?.report_date ?? null,
    sector: positions[0]?.sector ?? null,
    value: rounded(positions.map(row => row.value as Decimal).reduce(plus, ZERO), 0),
    positions: count(units => units > 0),
    positions_closed: count(units => units === 0),
    positions_decreased: count((units, change) => units > 0 && change < 0),
    positions_increased: count((_, change) => change > 0),
  }
}
