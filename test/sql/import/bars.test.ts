import { describe, expect, test } from 'vitest'
import { importingFormat } from './formats.ts'

const MINUTES = 'ticker,date,ms_since_midnight_et,open,high,low,close,volume'
const DAYS = 'ticker,date,open,high,low,close,volume'

/** Bars at minutes after 09:30 in New York. */
const bars = (ticker: string, minutes: readonly number[], day = '2024-03-08') =>
  minutes.map(minute => `${ticker},${day},${(570 + minute) * 60_000},5,5,5,5,1`)
const every = (length: number, number: number) => Array.from({ length: number }, (_, n) => n * length)
/** What was rejected as `line|reason`. */
const reasons = (at: ReturnType<typeof importingFormat>) =>
  at.rejects().map(each =>
    each
      .split('|')
      .filter((_, n) => n === 0 || n === 2)
      .join('|'),
  )

const UNKNOWN = 'the length of the bars is unknown: specify --seconds 60 if it is a minute'
const LONGER = 'longer than a minute: specify --seconds 60 if they are minutes'

describe('minute bars', () => {
  test.each([
    ['of two minutes', every(2, 10), LONGER],
    ['of five minutes', every(5, 3), LONGER],
    ['of five minutes, with minutes missing', [0, 5, 20], LONGER],
    ['of an hour', [-30, 30, 90], LONGER],
    ['alone', [0], UNKNOWN],
  ])('%s are refused, and accepted with --seconds 60', async (_, minutes, reason) => {
    const at = importingFormat('minute-bars')
    const path = at.file('bars.csv', [MINUTES, ...bars('ACME', minutes)])
    expect(await at.refusal([path])).toContain(`seconds: ${reason}`)
    expect(await at.refusal([path], { options: { seconds: '300' } })).toContain(
      'seconds: the lake has bars of one minute only: --seconds can only be 60',
    )
    expect(await at.import([path], { options: { seconds: '60' } })).toMatchObject({ rows: minutes.length })
  })

  test('of a ticker that has longer ones, at least on one day, are rejected among minutes', async () => {
    const at = importingFormat('minute-bars')
    const path = at.file('bars.csv', [
      MINUTES,
      ...bars('ACME', every(1, 60)),
      ...bars('ACME', every(5, 24), '2024-03-11'),
      ...bars('BRASS', every(5, 12)),
      ...bars('BRASS', every(5, 12), '2024-03-11'),
      // Too few to tell: minutes with trades may be five minutes apart.
      ...bars('CEDAR', [0, 5, 30]),
      ...bars('DOVE', [3]),
      ...bars('ELM', every(1, 120)),
    ])
    expect(await at.import([path])).toMatchObject({ rows: 124, rejected: 108 })
    expect(new Set(reasons(at))).toEqual(new Set(every(1, 108).map(n => `${n + 2}|${LONGER}`)))
    expect(await at.rows('SELECT ticker, count(*) FROM bars GROUP BY 1 ORDER BY 1', 'stock_bars')).toEqual([
      'CEDAR 3',
      'DOVE 1',
      'ELM 120',
    ])
  })
})

test('daily bars with times of day are no daily bars, unless all times are the same', async () => {
  const at = importingFormat('daily-bars')
  const bar = (time: string) => `ACME,${time},5,5,5,5,1`
  const midnights = at.file('pandas.csv', [DAYS, bar('2024-01-02 00:00:00'), bar('2024-01-03 00:00:00')])
  const closes = at.file('closes.csv', [
    `${DAYS},time`,
    `${bar('2024-01-04')},16:00`,
    `${bar('2024-01-05')},16:00`,
  ])
  expect(await at.import([midnights, closes])).toMatchObject({ rows: 4, rejected: 0 })
  const reason = 'date: one of several times of day: not a daily bar'
  const halves = at.file('halves.csv', [
    DAYS,
    ...['08', '09'].flatMap(day => [bar(`2024-01-${day} 00:00:00`), bar(`2024-01-${day} 12:00:00`)]),
  ])
  expect(await at.refusal([halves])).toContain('4 of 4 rows')
  const minutes = at.file('minutes.csv', [
    `${DAYS},time`,
    `${bar('2024-01-04')},09:30`,
    `${bar('2024-01-04')},09:31`,
  ])
  expect(await at.refusal([minutes])).toContain(reason)
})

describe('a price outside high and low, and a date in the future,', () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const WARNINGS = [
    { fault: 'close: above the high', rows: 1 },
    { fault: 'close: below the low', rows: 1 },
    { fault: 'date: in the future', rows: 1 },
    { fault: 'open: above the high', rows: 1 },
    { fault: 'open: below the low', rows: 1 },
  ]
  const prices = ['9,8,4,5', '5,8,4,3', '3,8,4,9', '4,8,4,8']

  test('are warnings about daily bars and minute bars, which are kept', async () => {
    const days = importingFormat('daily-bars')
    const ofDays = await days.import([
      days.file('days.csv', [
        DAYS,
        ...prices.map((each, n) => `ACME,2024-01-0${n + 2},${each},1`),
        `ACME,${tomorrow},5,5,5,5,1`,
      ]),
    ])
    expect(ofDays).toMatchObject({ rows: 5, rejected: 0, warnings: WARNINGS })
    const minutes = importingFormat('minute-bars')
    const ofMinutes = await minutes.import([
      minutes.file('minutes.csv', [
        MINUTES,
        ...prices.map((each, n) => `ACME,2024-01-02,${(570 + n) * 60_000},${each},1`),
        `ACME,${tomorrow},34200000,5,5,5,5,1`,
      ]),
    ])
    expect(ofMinutes).toMatchObject({ rows: 5, rejected: 0, warnings: WARNINGS })
  })
})

test('a bar with a negative volume is kept without it, with a warning, and rejected under --strict', async () => {
  const files: readonly (readonly [string, string, readonly string[]])[] = [
    ['daily-bars', DAYS, ['ACME,2024-01-02,5,5,5,5,-7', 'ACME,2024-01-03,5,5,5,5,7']],
    ['minute-bars', MINUTES, ['ACME,2024-01-02,34200000,5,5,5,5,-7', 'ACME,2024-01-02,34260000,5,5,5,5,7']],
  ]
  for (const [format, header, rows] of files) {
    const at = importingFormat(format)
    const path = at.file('bars.csv', [header, ...rows])
    expect(await at.import([path], { isStrict: true })).toMatchObject({ rows: 1, rejected: 1 })
    expect(await at.import([path])).toMatchObject({
      rows: 2,
      rejected: 0,
      warnings: [{ fault: 'volume: below zero: left out', rows: 1 }],
    })
    const dataset = format === 'daily-bars' ? 'daily_bars' : 'stock_bars'
    expect(await at.rows('SELECT volume FROM bars ORDER BY volume NULLS FIRST', dataset)).toEqual(['-', '7'])
  }
})

test('a number may have an exponent', async () => {
  const at = importingFormat('daily-bars')
  const path = at.file('days.csv', [
    DAYS,
    'ACME,2024-01-02,1e-05,1.5E+3,1.0000025e-5,12.345e1,1e3',
    'ACME,2024-01-03,5,5,5,5,1.2345678e7',
    'ACME,2024-01-04,5,5,5,5,1.5e0',
  ])
  expect(await at.import([path])).toMatchObject({ rows: 2, rejected: 1 })
  expect(
    await at.rows('SELECT open, high, low, close, volume FROM bars ORDER BY date', 'daily_bars'),
  ).toEqual(['0.000010 1500.000000 0.000010 123.450000 1000', '5.000000 5.000000 5.000000 5.000000 12345678'])
  expect(at.rejects()).toEqual(['4|volume|not a whole number|1.5e0'])
})
