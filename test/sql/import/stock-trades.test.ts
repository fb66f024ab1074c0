import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { importingFormat } from './formats.ts'

const SAMPLE = 'data/samples/stock-trades/ticks.csv'
const HEADER = 'ticker,date,ms_since_midnight_et,price,size,exchange,sale_condition_hex,suspicious'

/** What tells a trade from others: microseconds of the day, price, shares, venue and conditions. */
type TradeFields = readonly [us: number, price: string, size: number, exchange: string, condition: string]

/** The sequence as its comment has it: millisecond, digest of what tells trades apart, how many alike so far. */
function sequence(trade: TradeFields, alike = 1): string {
  const digest = createHash('md5').update(trade.join('|')).digest('hex').slice(0, 14)
  const ms = BigInt(Math.floor(trade[0] / 1000))
  return String(ms * 100_000_000_000n + (BigInt(`0x${digest}`) % 10_000_000n) * 10_000n + BigInt(alike))
}

const imported = async (lines: readonly string[], header = HEADER) => {
  const at = importingFormat('stock-trades')
  const report = await at.import([at.file('trades.csv', [header, ...lines])])
  return {
    at,
    report,
    rows: (columns: string) => at.rows(`SELECT ${columns} FROM bars ORDER BY ALL`, 'stock_trades'),
  }
}

/** Trades that nothing is wrong with, one a second from 10:00, so that bad lines are not most of a file. */
const good = (number: number) =>
  Array.from({ length: number }, (_, n) => `ACME,2024-03-04,${36_000_000 + 1000 * n},50,1,N,,0`)

describe('the sample', () => {
  test('is imported as trades with their time in UTC, before and after the clock change', async () => {
    const at = importingFormat('stock-trades')
    expect(await at.import([SAMPLE])).toMatchObject({ rows: 12, rejected: 0, notes: [] })
    // 09:30 in New York is 14:30 UTC in winter, and 13:30 from Sunday 10 March 2024 on.
    expect(
      await at.rows(
        'SELECT * EXCLUDE (sequence) FROM bars ORDER BY ticker, executed_at, price, exchange',
        'stock_trades',
      ),
    ).toEqual([
      '2024-03-04 ACME 2024-03-04 14:30:00 100.000000 100 N 2000 false',
      '2024-03-04 ACME 2024-03-04 14:30:00 100.000000 100 N 2000 false',
      '2024-03-04 ACME 2024-03-04 14:30:00 100.010000 50 D 2000 false',
      '2024-03-04 ACME 2024-03-04 14:30:00.125 100.004000 30 D 20002020 false',
      '2024-03-04 ACME 2024-03-04 14:31:00.5 100.005000 20 Q 2000 false',
      '2024-03-04 ACME 2024-03-04 15:00:00 99.990000 400 D 2000 false',
      '2024-03-04 ACME 2024-03-04 15:00:00 250.000000 400 P 2000 true',
      '2024-03-04 ACME 2024-03-04 21:00:00 100.010000 0 N 80000000 false',
      '2024-03-08 BRASS 2024-03-08 14:30:00 20.500000 10 K - false',
      '2024-03-08 BRASS 2024-03-08 20:59:59.999 20.250000 300 D 2000 false',
      '2024-03-11 BRASS 2024-03-11 13:30:00 20.500000 10 K - false',
      '2024-03-11 BRASS 2024-03-11 13:30:00.001 20.500000 15 D - false',
    ])
    const opening: TradeFields = [34_200_000_000, '100.000000', 100, 'N', '2000']
    expect(
      await at.rows(
        `SELECT sequence FROM bars WHERE executed_at = '2024-03-04 14:30:00' AND exchange = 'N' ORDER BY ALL`,
        'stock_trades',
      ),
    ).toEqual([sequence(opening), sequence(opening, 2)])
  })

  test('fills price levels: rounded to the cent half to even, D separate, without suspicious trades', async () => {
    const at = importingFormat('stock-trades')
    await at.import([SAMPLE])
    // 100.004 and 100.005 are 100.00; 400 suspicious shares at 250 and 0 shares at 100.01 make nothing.
    expect(
      await at.rows('SELECT * FROM bars WHERE ticker = $$ACME$$ ORDER BY price', 'price_levels'),
    ).toEqual(['2024-03-04 ACME 99.99 400 0', '2024-03-04 ACME 100.00 30 220', '2024-03-04 ACME 100.01 50 0'])
  })
})

describe('pieces and overlaps', () => {
  const [header = '', ...lines] = readFileSync(SAMPLE, 'utf8').trimEnd().split('\n')
  const all = async (at: ReturnType<typeof importingFormat>) =>
    at.rows('SELECT * FROM bars ORDER BY ALL', 'stock_trades')
  const whole = async () => all((await imported(lines, header)).at)

  test.each([
    ['cut within a millisecond', 2, 2],
    ['cut between days', 8, 8],
    ['that overlap', 5, 1],
    ['of which one holds the other', 12, 6],
  ])(
    'files %s produce the rows of the whole file, together or one after the other',
    { tags: 'slow' },
    async (_, end, start) => {
      const pieces = [lines.slice(0, end), lines.slice(start)]
      const apart = importingFormat('stock-trades')
      for (const [n, piece] of pieces.entries())
        await apart.import([apart.file(`${n}.csv`, [header, ...piece])])
      expect(await all(apart)).toEqual(await whole())
      const together = importingFormat('stock-trades')
      await together.import(pieces.map((piece, n) => together.file(`${n}.csv`, [header, ...piece])))
      expect(await all(together)).toEqual(await whole())
    },
  )

  test('a corrected file that marks a trade as suspicious replaces it', async () => {
    const { at, rows } = await imported(['ACME,2024-03-04,36000000,50,1,N,2000,0', ...good(1)])
    await at.import([at.file('again.csv', [HEADER, 'ACME,2024-03-04,36000000,50,1,N,2000,1'])])
    expect(await rows('sale_condition, canceled')).toEqual(['2000 true', '- false'])
  })
})

describe('a time', () => {
  test('may be an instant, whose trading day is that in New York', async () => {
    const { rows, report } = await imported(
      [
        'acme,2024-03-05T01:30:00Z,1,1,D,',
        'acme,2024-03-04 20:30:00.5-05:00,2,1,d,',
        'acme,2024-03-05 01:30:01,3,1,D,',
        // 1709602202 s after 1970 is 2024-03-05 01:30:02 UTC.
        'acme,1709602202,4,1,D,',
        'acme,1709602202003,5,1,D,',
        'acme,1709602202000004,6,1,D,',
        'acme,1709602202000005999,7,1,D,true',
        'acme,1709602202.000006,8,1,D,',
      ],
      'symbol,timestamp,price,quantity,venue,cancelled',
    )
    expect(report).toMatchObject({ rows: 8, rejected: 0 })
    expect(await rows('price::INTEGER AS p, executed_at, date, ticker, exchange, canceled')).toEqual([
      '1 2024-03-05 01:30:00 2024-03-04 ACME D false',
      '2 2024-03-05 01:30:00.5 2024-03-04 ACME D false',
      '3 2024-03-05 01:30:01 2024-03-04 ACME D false',
      '4 2024-03-05 01:30:02 2024-03-04 ACME D false',
      '5 2024-03-05 01:30:02.003 2024-03-04 ACME D false',
      '6 2024-03-05 01:30:02.000004 2024-03-04 ACME D false',
      '7 2024-03-05 01:30:02.000005 2024-03-04 ACME D true',
      '8 2024-03-05 01:30:02.000006 2024-03-04 ACME D false',
    ])
  })

  test('distinguishes and orders trades to the microsecond', async () => {
    const { rows } = await imported(
      ['ACME,2024-03-04T15:00:00.000007Z,1,1,N', 'ACME,2024-03-04T15:00:00.000002Z,1,1,N'],
      'ticker,time,price,size,exchange',
    )
    // 15:00 UTC is 10:00 in New York, 36,000 s into the day.
    const at = (us: number) => sequence([36_000_000_000 + us, '1.000000', 1, 'N', ''])
    expect(await rows('executed_at, sequence')).toEqual([
      `2024-03-04 15:00:00.000002 ${at(2)}`,
      `2024-03-04 15:00:00.000007 ${at(7)}`,
    ])
  })
})

test('invalid rows are rejected with line, column and reason', async () => {
  const bad: [line: string, fault: string][] = [
    [',2024-03-04,1,50,1,N,,0', 'ticker|missing|'],
    ['<b>ACME</b>,2024-03-04,1,50,1,N,,0', 'ticker|not a ticker|<b>ACME</b>'],
    ['ACME,,1,50,1,N,,0', 'date|missing|'],
    ['ACME,2024-02-30,1,50,1,N,,0', 'date|not a date|2024-02-30'],
    ['ACME,2202-03-04,1,50,1,N,,0', 'date|before 1900 or in the future|2202-03-04'],
    ['ACME,2024-03-04,,50,1,N,,0', 'time|missing|'],
    ['ACME,2024-03-04,86400000,50,1,N,,0', 'ms_since_midnight_et|not a time of day in milliseconds|86400000'],
    ['ACME,2024-03-04,-1,50,1,N,,0', 'ms_since_midnight_et|not a time of day in milliseconds|-1'],
    ['ACME,2024-03-04,1.5,50,1,N,,0', 'ms_since_midnight_et|not a time of day in milliseconds|1.5'],
    // 02:30 on 10 March 2024: the clocks went from 02:00 to 03:00.
    [
      'ACME,2024-03-10,9000000,50,1,N,,0',
      'ms_since_midnight_et|no such time in New York on that date (daylight saving time)|9000000',
    ],
    ['ACME,2024-03-04,1,,1,N,,0', 'price|missing|'],
    ['ACME,2024-03-04,1,"1,234.5",1,N,,0', 'price|not a plain decimal number|1,234.5'],
    ['ACME,2024-03-04,1,0.0000001,1,N,,0', 'price|not above zero|0.0000001'],
    ['ACME,2024-03-04,1,50,,N,,0', 'size|missing|'],
    ['ACME,2024-03-04,1,50,1.5,N,,0', 'size|not a whole number|1.5'],
    ['ACME,2024-03-04,1,50,-1,N,,0', 'size|below zero|-1'],
    ['ACME,2024-03-04,1,50,1,,,0', 'exchange|missing|'],
    ['ACME,2024-03-04,1,50,1,4,,0', 'exchange|not a venue letter|4'],
    ['ACME,2024-03-04,1,50,1,N,,maybe', 'suspicious|neither yes nor no|maybe'],
    ['ACME,2024-03-04,1,50,1', '|too few fields|ACME,2024-03-04,1,50,1'],
  ]
  const { at, report } = await imported([...bad.map(([line]) => line), ...good(21)], `\ufeff${HEADER}`)
  expect(report).toMatchObject({ rows: 21, rejected: bad.length })
  expect(at.rejects()).toEqual(bad.map(([, fault], n) => `${n + 2}|${fault}`))
})

test('an invalid instant is rejected, and so is one in the future', async () => {
  const { at } = await imported(
    [
      'ACME,2024-03-04 24:00:00Z,1,1,N,0',
      'ACME,5000000000,1,1,N,0',
      'ACME,2024-03-04 15:00:00Z,1,1,N,?',
      ...['1', '2', '3'].map(second => `ACME,2024-03-04 15:00:0${second}Z,1,1,N,no`),
    ],
    'ticker,time,price,size,exchange,canceled',
  )
  // 5e9 s after 1970 is in 2128.
  expect(at.rejects()).toEqual([
    '2|time|not a time|2024-03-04 24:00:00Z',
    '3|time|before 1900 or in the future|5000000000',
    '4|canceled|neither yes nor no|?',
  ])
})
