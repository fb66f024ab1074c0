import { daysFrom } from '../calendar.ts'
import { column } from '../column.ts'
import { CONGRESS_FIELDS } from '../congress.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Row } from '../parquet.ts'
import type { Sample } from '../readers.ts'
import { paged, parameter, type Request } from '../request.ts'
import { tickerOf } from '../rows.ts'
import { shownColumns } from '../shown.ts'

/** A trade is to be reported within this number of days. */
const DAYS_TO_REPORT = 45

const lateTrades = (lake: Lake): Row[] =>
  lake
    .rows('congress_trades')
    .filter(row => daysFrom(String(row.transaction_date), String(row.filed_at_date)) > DAYS_TO_REPORT)

export const samples = (lake: Lake): Sample[] =>
  lateTrades(lake).map(({ filed_at_date: date, ticker }) => ({ date, ticker }))

export function answer(lake: Lake, request: Request): unknown {
  const date = parameter(request, 'date')
  const ticker = tickerOf(request)
  const late = lateTrades(lake)
    .filter(row => date === null || String(row.filed_at_date) <= date)
    .filter(row => ticker === null || row.ticker === ticker)
  const newestFirst = ordered(late, descending(column('filed_at_date')), ascending(column('id')))
  return { data: paged(request, newestFirst, 100).map(row => shownColumns(row, CONGRESS_FIELDS)) }
}
