import { expect, onTestFinished, test } from 'vitest'
import { openWriter } from '../../../src/engine/writer.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { derived, derivedBy } from '../../fixtures/derive.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { rowsAsSql } from './rows-as-sql.ts'

const DAY_MS = 86_400_000
const FIRST = Date.parse('2022-01-03T00:00:00Z')
const dateAt = (day: number) => new Date(FIRST + day * DAY_MS).toISOString().slice(0, 10)
const dayOf = (date: unknown) => (Date.parse(`${date}T00:00:00Z`) - FIRST) / DAY_MS

/** A number from 0 to 9,999 that depends on nothing but its arguments. */
const draw = (a: number, b: number, c: number) =>
  ((a * 7919 + b * 104_729 + c * 1_299_709) * 2_654_435) % 10_000

// An alias, not an interface: only that fits the rows of a table of values.
type Day = {
  readonly ticker: string
  readonly date: string
  readonly high: number | null
  readonly low: number | null
  readonly close: number
  readonly volume: number | null
}

/** Three tickers over 800 days: one of every day, one of every fifth, one of every twenty-fifth; some without figures. */
const DAYS: readonly Day[] = [1, 5, 25].flatMap((step, ticker) =>
  Array.from({ length: 800 / step }, (_, index): Day => {
    const day = index * step
    const close = 100 + (draw(ticker, day, 1) % 900) / 4
    const known = draw(ticker, day, 2) % 6 > 0
    return {
      ticker: `T${ticker}`,
      date: dateAt(day),
      high: known ? close + 2 : null,
      low: known ? close - 2 : null,
      close,
      volume: draw(ticker, day, 3) % 5 > 0 ? draw(ticker, day, 4) : null,
    }
  }),
)

const whole = { from: dateAt(0), to: dateAt(799) }

/** Splits on days with and without a row of the ticker, two of them between two of its days. */
const SPLITS = [
  { ticker: 'T0', date: dateAt(203), new_shares: 2, old_shares: 1 },
  { ticker: 'T0', date: dateAt(460), new_shares: 1, old_shares: 10 },
  { ticker: 'T0', date: dateAt(704), new_shares: 3, old_shares: 2 },
  { ticker: 'T1', date: dateAt(402), new_shares: 7, old_shares: 1 },
  { ticker: 'T2', date: dateAt(676), new_shares: 4, old_shares: 1 },
  { ticker: 'T2', date: dateAt(690), new_shares: 1, old_shares: 30 },
  { ticker: 'T9', date: dateAt(300), new_shares: 5, old_shares: 1 },
]

/** A fraction of two integers, rounded half to even. */
const evenQuotient = (units: bigint, divisor: bigint) => {
  const twice = 2n * (units % divisor)
  const floor = units / divisor
  return floor + (twice > divisor || (twice === divisor && floor % 2n === 1n) ? 1n : 0n)
}

/** New and old shares of all splits of a ticker after a day, up to a later one. */
function ratioBetween(ticker: string, after: string, until: string): [bigint, bigint] {
  const between = SPLITS.filter(each => each.ticker === ticker && each.date > after && each.date <= until)
  return [
    between.reduce((product, each) => product * BigInt(each.new_shares), 1n),
    between.reduce((product, each) => product * BigInt(each.old_shares), 1n),
  ]
}

/** The days as bars, which open at the close before, on the basis of their day. */
const BARS = DAYS.map((day, index) => {
  const before = DAYS[index - 1]
  return {
    ...day,
    open: before?.ticker === day.ticker ? String(priceOn(before, day, before.close)) : null,
  }
})

/** A price of an earlier day, all of which are quarters, in millionths on the basis of a later one. */
function priceOn(day: Day, later: Day, price: number): number {
  const [shares, former] = ratioBetween(day.ticker, day.date, later.date)
  return Number(evenQuotient(BigInt(price * 4) * 250_000n * former, shares)) / 1e6
}

test('the figures equal a plain computation from each day and its past', async () => {
  const rows = await derived('stock_days', whole, {
    daily_bars: rowsAsSql(BARS),
    stock_splits: rowsAsSql(SPLITS),
  })
  const expected = DAYS.map(day => {
    const past = DAYS.filter(
      each =>
        each.ticker === day.ticker && each.date <= day.date && dayOf(each.date) >= dayOf(day.date) - 380,
    )
    const year = past.filter(each => dayOf(each.date) >= dayOf(day.date) - 364)
    const volumes = past.filter(each => each.volume !== null).slice(-30)
    const before = past.at(-2)
    const sum = volumes.reduce((total, each) => {
      const [shares, former] = ratioBetween(each.ticker, each.date, day.date)
      return total + (Number(each.volume) * Number(shares)) / Number(former)
    }, 0)
    return {
      ticker: day.ticker,
      date: day.date,
      previous:
        before && dayOf(before.date) >= dayOf(day.date) - 10 ? priceOn(before, day, before.close) : null,
      mean: volumes.length > 0 ? (sum / volumes.length).toFixed(4) : null,
      high: Math.max(...year.map(each => priceOn(each, day, each.high ?? each.close))),
      low: Math.min(...year.map(each => priceOn(each, day, each.low ?? each.close))),
    }
  })
  const found = rows.map(row => ({
    ticker: row.ticker,
    date: row.date,
    previous: row.previous_close === null ? null : Number(row.previous_close),
    mean: row.avg30_volume,
    high: Number(row.week52_high),
    low: Number(row.week52_low),
  }))
  expect(found).toEqual(expected)
})

test('runs of 400 days and of 7, and days one by one, compute the same rows as one run', {
  tags: 'slow',
}, async () => {
  const folder = folderForTest()
  const writer = await openWriter({ directories: [folder] })
  onTestFinished(() => writer.close())
  await writer.run(dataset('stock_days').createSql)
  await writer.run(`CREATE TABLE daily AS ${rowsAsSql(BARS)}`)
  const given = {
    daily_bars: 'FROM daily',
    stock_days: 'FROM stock_days',
    stock_splits: rowsAsSql(SPLITS),
  }
  const lake = () => writer.rows('FROM stock_days ORDER BY ticker, date')
  const run = async (from: number, to: number) => {
    const days = { from: dateAt(from), to: dateAt(to) }
    const rows = await derivedBy(writer, folder, 'stock_days', days, given)
    await writer.run(`DELETE FROM stock_days WHERE date BETWEEN '${days.from}' AND '${days.to}'`)
    await writer.run(`INSERT INTO stock_days BY NAME (${rowsAsSql(rows)})`)
  }
  await run(0, 799)
  const atOnce = await lake()
  expect(atOnce).toHaveLength(DAYS.length)
  for (const [length, first] of [
    [400, 0],
    [7, 660],
    [1, 775],
  ] as const) {
    // Rows of days that are yet to be computed stay in the lake until then: they must not matter.
    await writer.run(
      `UPDATE stock_days SET close = 9999, high = 9999, volume = 9999999 WHERE date >= '${dateAt(first)}'`,
    )
    for (let day = first; day < 800; day += length) await run(day, Math.min(799, day + length - 1))
    expect(await lake()).toEqual(atOnce)
  }
})
