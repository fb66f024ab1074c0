import { dayAfter, daysFrom } from '../calendar.ts'
import { column } from '../column.ts'
import { compare, type Decimal, decimal, plus, quotient, ZERO } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import type { Row, Value } from '../parquet.ts'
import { groups, total } from '../rows.ts'
import { basisOf } from '../splits.ts'

const GAP_MAX_DAYS = 10
const VOLUME_DAYS = 30
/** Of the days before a day that count in its 52-week range. */
const YEAR_DAYS = 364

/**
 * The trading days of each ticker, with averages and extremes on the basis of the day. Splits are those of
 * `stock_splits`: the lake has to name each.
 */
export function derive(lake: Lake): Row[] {
  const bars = [...lake.rows('daily_bars'), ...barsOfMinutes(lake)]
  return [...groups(bars, row => String(row.ticker)).values()].flatMap(rows => {
    const days = ordered(rows, ascending(column('date')))
    return days.map((row, at) => ({ ...row, ...history(lake, row, days.slice(0, at + 1)) }))
  })
}

/** A bar of the one-minute bars of each ticker and day that has no daily bar. */
function barsOfMinutes(lake: Lake): Row[] {
  const days = groups(lake.rows('stock_bars'), row => JSON.stringify([row.ticker, row.date]))
  return [...days.values()].flatMap(minutes => {
    const { ticker = null, date = null } = minutes[0]
    if (lake.find('daily_bars', { ticker, date }).length > 0) return []
    const inOrder = ordered(minutes, ascending(column('start')))
    return {
      ticker,
      date,
      open: inOrder[0]?.open ?? null,
      high: extreme(
        minutes.map(row => row.high ?? null),
        1,
      ),
      low: extreme(
        minutes.map(row => row.low ?? null),
        -1,
      ),
      close: inOrder.at(-1)?.close ?? null,
      adjusted_close: null,
      volume: total(minutes, 'volume'),
    }
  })
}

/** What a day has of the days up to it, which end with it. */
function history(lake: Lake, { ticker = null, date: day = null }: Row, days: readonly Row[]): Row {
  const date = String(day)
  const basis = basisOf(lake, String(ticker), 'Share')
  const before = days.at(-2)
  const price = (row: Row, name: string) => basis.price(row[name] ?? null, String(row.date), date, 6)
  const year = days.filter(row => String(row.date) >= dayAfter(date, -YEAR_DAYS))
  const volumes = days.filter(row => row.volume !== null).slice(-VOLUME_DAYS)
  return {
    previous_close:
      before && daysFrom(String(before.date), date) <= GAP_MAX_DAYS ? price(before, 'close') : null,
    avg30_volume: mean(volumes.map(row => basis.volume(Number(row.volume), String(row.date), date))),
    week52_high: extreme(
      year.map(row => price(row, 'high')),
      1,
    ),
    week52_low: extreme(
      year.map(row => price(row, 'low')),
      -1,
    ),
  }
}

const mean = (values: readonly Decimal[]): Decimal | null =>
  values.length === 0 ? null : quotient(values.reduce(plus, ZERO), decimal(values.length), 4)

/** The greatest (1) or least (-1) of the prices that are known. */
const extreme = (prices: readonly Value[], sign: 1 | -1): Value =>
  prices
    .filter(price => price !== null)
    .map(price => price as Decimal)
    .reduce<Decimal | null>(
      (best, price) => (best === null || compare(price, best) * sign > 0 ? price : best),
      null,
    )
