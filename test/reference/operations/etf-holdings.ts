import { column, joinedColumns, latestOf } from '../column.ts'
import { type Decimal, numberOf, rounded } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Request } from '../request.ts'
import { tickerOf } from '../rows.ts'
import { shownColumns } from '../shown.ts'

const HOLDING = 'ticker name short_name type has_options weight'
const STOCK = 'open high low close volume avg30_volume week52_high week52_low previous_close'
const OPTIONS = 'call_volume put_volume call_premium put_premium bullish_premium bearish_premium'

export function answer(lake: Lake, request: Request): unknown {
  const lists = lake.find('etf_holdings', { etf: tickerOf(request) })
  const latest = latestOf(lists, 'date')
  const heaviestFirst = ordered(
    lists.filter(row => row.date === latest),
    descending(column('weight')),
    ascending(column('ticker')),
    ascending(column('name')),
  )
  const date = lake.closedDate(['stock_days'])
  return {
    data: heaviestFirst.map(row => {
      const { ticker = null } = row
      const { previous_close, ...stock } = joinedColumns(lake.find('stock_days', { ticker, date })[0], STOCK)
      return {
        ...shownColumns(row, HOLDING),
        sector: row.sector ?? '',
        shares: numberOf(rounded(row.shares as Decimal, 0)),
        ...stock,
        prev_price: previous_close,
        week_52_high: stock.week52_high,
        week_52_low: stock.week52_low,
        ...joinedColumns(lake.find('option_ticker_days', { ticker, date })[0], OPTIONS),
      }
    }),
  }
}
