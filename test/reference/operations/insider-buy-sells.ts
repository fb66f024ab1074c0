import { type Decimal, negated, plus, rounded, times, ZERO } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import { descending, ordered } from '../order.ts'
import type { Row } from '../parquet.ts'
import type { Request } from '../request.ts'
import { groups, tickerOf } from '../rows.ts'
import { shown } from '../shown.ts'

/** The digits of shares and of prices together. */
const NOTIONAL_PLACES = 10

export function answer(lake: Lake, request: Request): unknown {
  const trades = lake
    .find('insider_trades', { ticker: tickerOf(request) })
    .filter(row => row.transaction_code === 'P' || row.transaction_code === 'S')
  const days = [...groups(trades, row => String(row.filing_date))].map(([date, rows]) => {
    const purchases = rows.filter(row => row.transaction_code === 'P')
    const sells = rows.filter(row => row.transaction_code === 'S')
    return {
      filing_date: date,
      purchases: purchases.length,
      purchases_notional: shown(notional(purchases)),
      sells: sells.length,
      sells_notional: shown(negated(notional(sells))),
    }
  })
  return {
    data: ordered(
      days,
      descending(day => day.filing_date),
    ),
  }
}

/** Shares × price of the trades. A trade without a price counts as 0. */
const notional = (trades: readonly Row[]): Decimal =>
  rounded(
    trades
      .filter(({ price }) => price !== null)
      .map(({ shares, price }) => times(shares as Decimal, price as Decimal))
      .reduce(plus, ZERO),
    NOTIONAL_PLACES,
  )
