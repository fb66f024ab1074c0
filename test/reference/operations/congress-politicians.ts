import { column, latestOf } from '../column.ts'
import { CONGRESS_FIELDS } from '../congress.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Row } from '../parquet.ts'
import type { Sample } from '../readers.ts'
import { earlierOfToday, monthsBefore } from '../relative-date.ts'
import { parameter, type Request } from '../request.ts'
import { groups } from '../rows.ts'
import { shownColumns } from '../shown.ts'

/** The age of each trade in months, and one month less. */
export function samples(lake: Lake): Sample[] {
  const trades = lake.rows('congress_trades')
  const now = monthOf(earlierOfToday(latestOf(trades, 'filed_at_date')))
  return trades.flatMap(row => {
    const months = now - monthOf(String(row.transaction_date))
    return [months, months - 1].map(value => ({ last_traded_within_months: Math.max(1, value) }))
  })
}

const monthOf = (date: string): number => 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7))

export function answer(lake: Lake, request: Request): unknown {
  const months = parameter(request, 'last_traded_within_months')
  const trades = lake.rows('congress_trades')
  const now = earlierOfToday(latestOf(trades, 'filed_at_date'))
  const since = months === null || now === '' ? '' : monthsBefore(now, Number(months))
  const latest = [...groups(trades, row => String(row.politician_id)).values()]
    .flatMap(latestTrade)
    .filter(row => String(row.transaction_date) >= since)
  const newestFirst = ordered(
    latest,
    descending(column('transaction_date')),
    ascending(column('name')),
    ascending(column('politician_id')),
  )
  return { data: newestFirst.map(row => shownColumns(row, CONGRESS_FIELDS)) }
}

const latestTrade = (trades: readonly Row[]): Row[] =>
  ordered(
    trades,
    descending(column('transaction_date')),
    descending(column('filed_at_date')),
    ascending(column('ticker')),
    ascending(column('id')),
  ).slice(0, 1)
