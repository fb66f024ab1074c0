import { column, joinedColumns } from '../column.ts'
import type { Lake } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import { type Request, refused } from '../request.ts'
import { tickerOf } from '../rows.ts'
import { shownColumns } from '../shown.ts'

const FUND =
  'name etf_company domicile description website inception_date expense_ratio holdings_count aum has_options'

export function answer(lake: Lake, request: Request): unknown {
  const ticker = tickerOf(request)
  const date = lake.closedDate(['stock_days'])
  const rows = ordered(lake.find('etfs', { ticker }), ascending(column('date')))
  // The fund as known on the date; if the lake only has later data, the earliest.
  const fund = rows.findLast(row => date === null || String(row.date) <= date) ?? rows[0]
  if (fund === undefined) return refused(422)
  const stock = joinedColumns(lake.find('stock_days', { ticker, date })[0], 'avg30_volume volume')
  const options = joinedColumns(
    lake.find('option_ticker_days', { ticker, date })[0],
    'volume call_volume put_volume',
  )
  return {
    data: {
      ...shownColumns(fund, FUND),
      avg30_volume: stock.avg30_volume,
      stock_vol: stock.volume,
      opt_vol: options.volume,
      call_vol: options.call_volume,
      put_vol: options.put_volume,
    },
  }
}
