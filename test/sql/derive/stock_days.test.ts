import { describe, expect, test } from 'vitest'
import { earlyCloses } from '../../../src/market/sessions.ts'
import { derived } from '../../fixtures/derive.ts'
import { type Row, rowsAsSql } from './rows-as-sql.ts'

const DAY = { from: '2024-01-03', to: '2024-01-03' }

interface Given {
  readonly daily?: readonly Row[]
  readonly bars?: readonly Row[]
  readonly own?: readonly Row[]
}

function stockDays({ daily, bars, own }: Given, days = DAY) {
  const inputs = Object.entries({ daily_bars: daily, stock_bars: bars, stock_days: own })
  return derived(
    'stock_days',
    days,
    Object.fromEntries(inputs.flatMap(([name, rows]) => (rows ? [[name, rowsAsSql(rows)]] : []))),
  )
}

/** A minute bar of ACME: open, high, low, close. */
function bar(start: string, prices: readonly number[], volume: number | null, more: Row = {}): Row {
  const [open = 0, high = 0, low = 0, close = 0] = prices
  return { ticker: 'ACME', date: start.slice(0, 10), start, open, high, low, close, volume, ...more }
}

describe('the bar of a day', () => {
  test('is the imported one, unchanged, if there is one', async () => {
    const imported = {
      ticker: 'ACME',
      date: '2024-01-03',
      open: null,
      high: '11.500000',
      low: null,
      close: '10.000000',
      adjusted_close: '5.000000',
      volume: null,
    }
    const bars = [
      bar('2024-01-03 15:00:00', [99, 99, 99, 99], 77),
      bar('2024-01-03 15:00:00', [3, 4, 2, 3], 77, { ticker: 'BRASS' }),
    ]
    const rows = await stockDays({ daily: [imported], bars })
    expect(rows[0]).toMatchObject(imported)
    expect(rows[1]).toMatchObject({ ticker: 'BRASS', open: '3.000000', close: '3.000000', volume: '77' })
    expect(rows).toHaveLength(2)
  })

  test('is otherwise derived from the minutes of the regular session, in winter from 14:30 to 21:00 UTC', async () => {
    const rows = await stockDays({
      bars: [
        bar('2024-01-03 20:59:00', [11, 12, 11, 11.5], 30),
        bar('2024-01-03 14:29:00', [900, 999, 1, 900], 5000),
        bar('2024-01-03 14:30:00', [10, 10.5, 9.5, 10.25], 10),
        bar('2024-01-03 17:00:00', [10, 13, 9.25, 9.5], 20),
        bar('2024-01-03 21:00:00', [800, 999, 1, 800], 5000),
      ],
    })
    expect(rows).toEqual([
      {
        ticker: 'ACME',
        date: '2024-01-03',
        open: '10.000000',
        high: '13.000000',
        low: '9.250000',
        close: '11.500000',
        adjusted_close: null,
        volume: '60',
        previous_close: null,
        avg30_volume: '60.0000',
        week52_high: '13.000000',
        week52_low: '9.250000',
      },
    ])
  })

  test('is derived from the minutes from 13:30 to 20:00 UTC in summer', async () => {
    const july = { from: '2024-07-01', to: '2024-07-01' }
    const bars = [
      bar('2024-07-01 13:29:00', [1, 1, 1, 1], 1),
      bar('2024-07-01 13:30:00', [2, 2, 2, 2], 2),
      bar('2024-07-01 19:59:00', [3, 3, 3, 3], 4),
      bar('2024-07-01 20:00:00', [4, 4, 4, 4], 8),
    ]
    const [row] = await stockDays({ bars }, july)
    expect(row).toMatchObject({ open: '2.000000', close: '3.000000', volume: '6' })
  })

  test('ends at 13:00 New York on every early close since 1990, and on no other day', async () => {
    const days = { from: '1990-01-01', to: '2035-12-31' }
    const minutes = ['12:59', '13:00'].map(
      (time, index) =>
        `SELECT 'ACME' AS ticker, day::DATE AS date, (day::DATE + TIME '${time}') AT TIME ZONE 'America/New_York'
        AT TIME ZONE 'UTC' AS start, ${index} AS open, ${index} AS high, ${index} AS low, ${index} AS close
        FROM range(DATE '1990-01-01', DATE '2036-01-01', INTERVAL 1 DAY) AS days (day)`,
    )
    const rows = await derived('stock_days', days, { stock_bars: minutes.join(' UNION ALL ') })
    expect(rows).toHaveLength(16_801)
    const early = rows.filter(row => row.close === '0.000000').map(row => row.date)
    expect(early).toEqual(earlyCloses(days.from, days.to))
  })

  test('is missing without a minute in the session, and lacks a volume where no minute has one', async () => {
    const bars = [
      bar('2024-01-03 14:00:00', [1, 1, 1, 1], 1),
      bar('2024-01-03 15:00:00', [1, 1, 1, 1], null, { ticker: 'BRASS' }),
    ]
    const rows = await stockDays({ bars })
    expect(rows.map(row => [row.ticker, row.volume, row.avg30_volume])).toEqual([['BRASS', null, null]])
  })

  test('of a date outside the run is not derived', async () => {
    const daily = ['2024-01-02', '2024-01-04'].map(date => ({ ticker: 'ACME', date, close: 1 }))
    const bars = [
      bar('2024-01-02 15:00:00', [1, 1, 1, 1], 1, { ticker: 'BRASS' }),
      bar('2024-01-04 15:00:00', [1, 1, 1, 1], 1, { ticker: 'BRASS' }),
    ]
    expect(await stockDays({ daily, bars })).toEqual([])
  })
})

describe('the close of the day before', () => {
  const closeOf = (date: string, close: number, ticker = 'ACME') => ({ ticker, date, close })

  test('is that of the ticker, at most 10 calendar days ago', async () => {
    const rows = await stockDays(
      {
        own: [
          closeOf('2023-12-22', 8, 'LATE'),
          closeOf('2023-12-23', 7, 'TEN'),
          closeOf('2023-12-28', 1),
          closeOf('2023-12-29', 2),
        ],
        daily: [
          closeOf('2024-01-02', 3),
          closeOf('2024-01-03', 4),
          closeOf('2024-01-02', 9, 'LATE'),
          closeOf('2024-01-02', 9, 'TEN'),
          closeOf('2024-01-02', 9, 'NEW'),
        ],
      },
      { from: '2024-01-02', to: '2024-01-03' },
    )
    expect(rows.map(row => [row.ticker, row.date, row.previous_close])).toEqual([
      ['ACME', '2024-01-02', '2.000000'],
      ['ACME', '2024-01-03', '3.000000'],
      ['LATE', '2024-01-02', null],
      ['NEW', '2024-01-02', null],
      ['TEN', '2024-01-02', '7.000000'],
    ])
  })

  test('is never an earlier version of the dates that are computed', async () => {
    const own = [closeOf('2024-01-02', 2), closeOf('2024-01-03', 700), closeOf('2024-01-04', 800)]
    const daily = [closeOf('2024-01-03', 3), closeOf('2024-01-04', 4)]
    const rows = await stockDays({ own, daily }, { from: '2024-01-03', to: '2024-01-04' })
    expect(rows.map(row => [row.close, row.previous_close, row.week52_high])).toEqual([
      ['3.000000', '2.000000', '3.000000'],
      ['4.000000', '3.000000', '4.000000'],
    ])
  })
})

describe('the mean volume of 30 days', () => {
  const dayBefore = (days: number) =>
    new Date(Date.parse('2024-01-03T00:00:00Z') - days * 86_400_000).toISOString().slice(0, 10)
  const volumes = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => ({
      ticker: 'ACME',
      date: dayBefore(from - index),
      close: 1,
      volume: index + 1,
    }))
  const today = (volume: number | null) => [{ ticker: 'ACME', date: '2024-01-03', close: 1, volume }]
  const mean = async (given: Given) => (await stockDays(given))[0]?.avg30_volume

  test('counts this day and the 29 before it', async () => {
    // 1, 2, … 35 before, and 36 today: the last 30 are 7 to 36, whose mean is (7 + 36)/2.
    expect(await mean({ own: volumes(35, 1), daily: today(36) })).toBe('21.5000')
  })

  test('is that of fewer days where there are fewer', async () => {
    // (1 + 2 + 5)/3 = 2.66…
    expect(await mean({ own: volumes(2, 1), daily: today(5) })).toBe('2.6667')
  })

  test('ignores days without a volume, including this one', async () => {
    const own = volumes(35, 1).map(row => ({ ...row, volume: row.volume % 7 === 0 ? null : row.volume }))
    // 1 to 35 without the five multiples of 7 are 30 numbers: (630 − 105)/30 = 17.5.
    expect(await mean({ own, daily: today(null) })).toBe('17.5000')
    // With 330 today the oldest, 1, drops out: (525 − 1 + 330)/30 = 28.46…
    expect(await mean({ own, daily: today(330) })).toBe('28.4667')
    expect(await mean({ daily: today(null) })).toBeNull()
  })

  test('looks back 380 calendar days, both sides of the edge', async () => {
    const at = (days: number, volume: number) => ({ ticker: 'ACME', date: dayBefore(days), close: 1, volume })
    expect(await mean({ own: [at(380, 30)], daily: today(10) })).toBe('20.0000')
    expect(await mean({ own: [at(381, 30)], daily: today(10) })).toBe('10.0000')
    // 28 of 1 and today's make 29: a 30th of 1,000 would count, were it not too old.
    const recent = Array.from({ length: 28 }, (_, index) => at(100 + index, 1))
    expect(await mean({ own: [at(381, 1000), ...recent], daily: today(1) })).toBe('1.0000')
    // Within a run as before it: 1,000 of 380 days ago counts today, (1,000 + 28)/29, and no more tomorrow.
    const tomorrow = { ticker: 'ACME', date: '2024-01-04', close: 1, volume: 1 }
    const rows = await stockDays(
      { own: [at(380, 1000), ...recent.slice(1)], daily: [...today(1), tomorrow] },
      { from: '2024-01-03', to: '2024-01-04' },
    )
    expect(rows.map(row => row.avg30_volume)).toEqual(['35.4483', '1.0000'])
  })
})

test('the extremes are of 364 days, of high and low, else of the close', async () => {
  const own = [
    { ticker: 'ACME', date: '2023-01-03', close: 50, high: 100, low: 1 },
    { ticker: 'ACME', date: '2023-01-04', close: 40, high: 60, low: 20 },
    { ticker: 'ACME', date: '2023-06-01', close: 70, high: null, low: null },
    { ticker: 'ACME', date: '2023-06-02', close: 15, high: 16, low: null },
    { ticker: 'BRASS', date: '2023-06-02', close: 500, high: 900, low: 0.5 },
  ]
  const daily = [
    { ticker: 'ACME', date: '2024-01-03', close: 30, high: 31, low: 29 },
    { ticker: 'ACME', date: '2024-01-04', close: 30, high: 31, low: 29 },
    { ticker: 'CEDAR', date: '2024-01-03', close: 5, high: 6, low: 4 },
  ]
  const given = { own, daily }
  const extremes = async (to: string) =>
    (await stockDays(given, { from: '2024-01-03', to })).map(row => [
      row.ticker,
      row.week52_high,
      row.week52_low,
    ])
  // 2023-01-04 is 364 days before 2024-01-03: the day before it, with 100 and 1, is out.
  expect(await extremes('2024-01-04')).toEqual([
    ['ACME', '70.000000', '15.000000'],
    ['ACME', '70.000000', '15.000000'],
    ['CEDAR', '6.000000', '4.000000'],
  ])
  const alone = own.slice(0, 2)
  const rows = await stockDays({ own: alone, daily }, { from: '2024-01-03', to: '2024-01-04' })
  expect(rows.slice(0, 2).map(row => [row.week52_high, row.week52_low])).toEqual([
    ['60.000000', '20.000000'],
    ['31.000000', '29.000000'],
  ])
})
