import { type Decimal, decimal, plus, rounded, textOf } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import type { Row } from '../parquet.ts'
import { groups, total } from '../rows.ts'

const OFF_EXCHANGE = 'D'

/** Shares at each price, rounded to the cent with halves away from zero, on and off exchange. */
export function derive(lake: Lake): Row[] {
  const trades = lake
    .rows('stock_trades')
    .filter(({ canceled, size }) => canceled === false && Number(size) > 0)
  const levels = groups(trades, row => `${row.date} ${row.ticker} ${textOf(cents(row.price as Decimal))}`)
  return [...levels.values()].map(level => ({
    date: level[0].date ?? null,
    ticker: level[0].ticker ?? null,
    price: cents(level[0].price as Decimal),
    dark_pool_volume: total(
      level.filter(({ exchange }) => exchange === OFF_EXCHANGE),
      'size',
    ),
    regular_volume: total(
      level.filter(({ exchange }) => exchange !== OFF_EXCHANGE),
      'size',
    ),
  }))
}

/** Prices are positive: half a cent more, less what is below a cent. */
function cents(price: Decimal): Decimal {
  const { units, scale } = plus(price, decimal('0.005'))
  return rounded({ units: units / 10n ** BigInt(scale - 2), scale: 2 }, 2)
}
