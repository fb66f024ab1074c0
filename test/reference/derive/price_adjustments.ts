import { dayAfter } from '../calendar.ts'
import { column } from '../column.ts'
import { type Decimal, decimal, minus, numberOf, plus, times, ZERO } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import type { Row } from '../parquet.ts'
import { groups } from '../rows.ts'

const HISTORY_DAYS = 380
const GAP_MAX_DAYS = 10
const PRICE_MIN = 0.1
const NEAR = 0.03
const STEADY = 0.25
const SHOWN = 0.02

/** Ratios at which shares are split, by the text that names them. */
const RATIOS: readonly (readonly [text: string, ratio: number])[] = [
  ['3:2', 1.5],
  ['2:3', 2 / 3],
  ...[2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50, 100].flatMap(
    shares =>
      [
        [`${shares}:1`, shares],
        [`1:${shares}`, 1 / shares],
      ] as const,
  ),
]

/** The days on which the basis of a ticker's prices changes, or seems to change. */
export function derive(lake: Lake): Row[] {
  return [...groups(lake.rows('stock_days'), row => String(row.ticker)).values()].flatMap(rows => {
    const days = ordered(rows, ascending(column('date')))
    return days.flatMap((day, at) => {
      const before = days[at - 1]
      if (before === undefined || String(before.date) < dayAfter(String(day.date), -HISTORY_DAYS)) return []
      const change = changeOf(lake, before, day)
      const isEmpty = Object.values(change).every(value => value === null)
      return isEmpty ? [] : [{ ticker: day.ticker ?? null, date: day.date ?? null, ...change }]
    })
  })
}

function changeOf(lake: Lake, before: Row, day: Row) {
  const since = (date: unknown) => String(date) > String(before.date) && String(date) <= String(day.date)
  const splits = lake.find('stock_splits', { ticker: day.ticker ?? null }).filter(({ date }) => since(date))
  const dividends = lake
    .find('stock_dividends', { ticker: day.ticker ?? null })
    .filter(({ ex_date: date, currency }) => since(date) && (currency === null || currency === 'USD'))
  const close = day.close as Decimal
  const former = before.close as Decimal
  const open = numberOf((day.open ?? close) as Decimal)
  const all = (name: string, until = '9999-12-31') =>
    splits
      .filter(({ date }) => String(date) <= until)
      .reduce((product, row) => product * BigInt(Number(row[name])), 1n)
  const shares = Number(all('new_shares')) / Number(all('old_shares'))
  const size = Math.max(shares, 1 / shares)
  const fall = numberOf(former) / open
  const isInBars = size > 1.4 && (shares > 1 ? fall : 1 / fall) ** 4 < size
  const isSplit = splits.length > 0 && !isInBars
  const whole = times(former, decimal(isSplit ? all('old_shares') : 1n))
  const paid = dividends
    .map(row => {
      const until = String(row.ex_date)
      const later = all('old_shares') / all('old_shares', until)
      return times(row.amount as Decimal, decimal(isSplit ? all('new_shares', until) * later : 1n))
    })
    .reduce(plus, ZERO)
  const left = dividends.length > 0 ? numberOf(minus(whole, paid)) / numberOf(whole) : null
  const dividendRatio = left !== null && left > 0 ? left : null
  const level = (row: Row) =>
    row.adjusted_close === null
      ? null
      : numberOf(row.adjusted_close as Decimal) / numberOf(row.close as Decimal)
  const levels = [level(before), level(day)] as const
  const entries = (isSplit ? shares : 1) / (dividendRatio ?? 1)
  const adjustment = adjustmentOf(levels, isSplit ? shares : null, entries)
  const isNear = String(before.date) >= dayAfter(String(day.date), -GAP_MAX_DAYS)
  const isPriced = Math.min(open, numberOf(close), numberOf(former)) >= PRICE_MIN
  const isSteady = Math.abs(numberOf(close) / open - 1) <= STEADY
  const near = RATIOS.find(([, ratio]) => Math.abs((fall * (dividendRatio ?? 1)) / ratio - 1) <= NEAR)
  const isShown =
    near !== undefined &&
    levels[0] !== null &&
    levels[1] !== null &&
    Math.abs((levels[0] / levels[1]) * near[1] - 1) <= SHOWN
  const isSuspected = near && splits.length === 0 && isNear && isPriced && isSteady && !isShown
  return {
    split_ratio: splits.length === 0 ? null : isSplit ? shares : 1,
    dividend_ratio: dividendRatio,
    adjustment: adjustment === 1 ? null : adjustment,
    suspected_split: isSuspected ? near[0] : null,
  }
}

/** The change of basis that the levels of the adjusted closes do not have already. */
function adjustmentOf(
  [former, level]: readonly [number | null, number | null],
  shares: number | null,
  entries: number,
): number | null {
  if (former === null || level === null) return (entries * (former ?? 1)) / (level ?? 1)
  if (shares === null) return null
  const isSeen = Math.abs(Math.log(level / former / shares)) <= Math.abs(Math.log(shares)) / 2
  return isSeen ? null : (entries * former) / level
}
