import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

async function imported(
  lines: readonly string[],
  header: string,
  options: Readonly<Record<string, string>> = {},
) {
  const at = importingFormat('crypto-bars')
  const report = await at.import([at.file('candles.csv', [header, ...lines])], { options })
  const rows = (columns: string) => at.rows(`SELECT ${columns} FROM bars ORDER BY ALL`, 'crypto_candles')
  return { at, report, rows }
}

describe('the length', () => {
  const header = 'pair,time,open,high,low,close,volume'
  const at = (time: string) => `BTC-USD,${time},5,5,5,5,1`

  test('is the distance between times of day, a day for a date, or that of --seconds', async () => {
    // 1709510460 s after 1970 is 2024-03-04 00:01 UTC.
    const { rows } = await imported(
      [at('2024-03-03'), at('1709510460'), at('2024-03-04T01:02:00+01:00')],
      header,
    )
    expect(await rows('start, seconds')).toEqual([
      '2024-03-03 00:00:00 86400',
      '2024-03-04 00:01:00 60',
      '2024-03-04 00:02:00 60',
    ])
    // 4 March 2024 is a Monday.
    const hours = await imported([at('2024-03-04T03:00Z'), at('2024-03-04 04:00')], header, {
      seconds: '3600',
    })
    expect(await hours.rows('start, seconds')).toEqual(['2024-03-04 04:00:00 3600'])
    expect(hours.at.rejects()).toEqual(['2|time|not a date|2024-03-04T03:00Z'])
    const weeks = await imported([at('2024-03-04'), at('2024-03-05')], header, { seconds: '604800' })
    expect(await weeks.rows('start, seconds')).toEqual(['2024-03-04 00:00:00 604800'])
    expect(weeks.at.rejects()).toEqual(['3|start|not a multiple of the candle length|2024-03-05 00:00:00'])
  })

  /** Rows at minutes after midnight of 4 March 2024, a Monday, as times with seconds. */
  const every = (...minutes: readonly number[]) =>
    minutes.map(minute => at(new Date(Date.UTC(2024, 2, 4, 0, minute)).toISOString().slice(0, 19)))
  const day = 1440

  test('is the distance of the starts of a pair in a file', async () => {
    const files: readonly (readonly [pair: string, lines: readonly string[], expected: string])[] = [
      ['FROM-MIDNIGHT', every(0, 1, 2, 4), '60 4'],
      ['FIVE-MINUTES', every(0, 5, 10, 20), '300 4'],
      ['TWO-HOURS', every(0, 120), '7200 2'],
      ['DAYS-MIDNIGHTS', every(0, day, 2 * day), '86400 3'],
      ['DATES-WEEKS', ['04', '11', '25'].map(each => at(`2024-03-${each}`)), '604800 3'],
      ['DATES-THREE', ['03', '06', '09', '12'].map(each => at(`2024-03-${each}`)), '259200 4'],
      // Minutes without trades are missing, sometimes several.
      ['SPARSE-MINUTES', every(0, 1, 3, 9, 10, 12, 17, 20, 21), '60 9'],
    ]
    const to = importingFormat('crypto-bars')
    const paths = files.map(([pair, lines]) =>
      to.file(
        `${pair}.csv`,
        [header, ...lines].map(line => line.replace('BTC-USD', pair)),
      ),
    )
    expect(await to.import(paths)).toMatchObject({ rejected: 0 })
    expect(
      await to.rows('SELECT pair, seconds, count(*) FROM bars GROUP BY ALL ORDER BY 1', 'crypto_candles'),
    ).toEqual(files.map(([pair, , expected]) => `${pair} ${expected}`).sort())
  })

  test.each(['0', '-60', '1.5', '1m'])('cannot be %s', async seconds => {
    const refused = importingFormat('crypto-bars')
    const path = refused.file('x.csv', [header, at('2024-03-04')])
    expect(await refused.refusal([path], { options: { seconds } })).toContain(
      'seconds: --seconds is not a number of seconds',
    )
  })

  const UNKNOWN = 'the length of the candles is unknown: specify it with --seconds, e.g. --seconds 60'
  const SEVERAL = 'candles of several lengths in one file: import each length apart, with its --seconds'

  test('must be specified if the distances do not show one', { tags: 'slow' }, async () => {
    const files: readonly (readonly [lines: readonly string[], reason: string])[] = [
      [every(0), UNKNOWN],
      [every(7), UNKNOWN],
      [every(0, 1500, 3000), UNKNOWN],
      [every(0, 1, 2, 3, 4, 5, 10, 15, 20, 25), SEVERAL],
      [
        every(0, 5, 10, 15, 20, 21, 22, 23, 24, 25, ...Array.from({ length: 80 }, (_, n) => 30 + 5 * n)),
        SEVERAL,
      ],
    ]
    const to = importingFormat('crypto-bars')
    // Days of another pair, so that most rows of each file are right.
    const days = Array.from({ length: 100 }, (_, n) =>
      at(new Date(Date.UTC(2023, 0, n + 1)).toISOString().slice(0, 10)).replace('BTC', 'SOL'),
    )
    const paths = files.map(([lines], n) => to.file(`${n}.csv`, [header, ...lines, ...days]))
    expect(await to.import(paths)).toMatchObject({ rows: 100 })
    expect(to.rejects().map(each => each.split('|').slice(1, 3).join('|'))).toEqual(
      files.flatMap(([lines, reason]) => lines.map(() => `seconds|${reason}`)),
    )
    const months = to.file(
      'months.csv',
      [header, '2024-01-01', '2024-02-01', '2024-03-01'].map((each, n) => (n ? at(each) : each)),
    )
    expect(await to.refusal([months])).toContain(`seconds: ${UNKNOWN}`)
  })

  test('is that of each pair in a file of several lengths, whose mixed pairs are rejected', async () => {
    const hours = (number: number) => every(...Array.from({ length: number }, (_, n) => 60 * n))
    const pairs: readonly (readonly [pair: string, lines: readonly string[]])[] = [
      ['BTC', every(0, 1, 2, 3)],
      ['ETH', hours(24)],
      // Too few to tell: minutes with trades may be an hour apart.
      ['SOL', hours(4)],
      ['ADA', every(7)],
      ['XRP', every(0, 1, 2, 3, 4, 5, 10, 15, 20, 25)],
    ]
    const to = importingFormat('crypto-bars')
    const lines = pairs.flatMap(([pair, own]) => own.map(line => line.replace('BTC', pair)))
    expect(await to.import([to.file('mixed.csv', [header, ...lines])])).toMatchObject({
      rows: 28,
      rejected: 15,
    })
    expect(
      await to.rows('SELECT pair, seconds, count(*) FROM bars GROUP BY ALL ORDER BY 1', 'crypto_candles'),
    ).toEqual(['BTC-USD 60 4', 'ETH-USD 3600 24'])
    expect(new Set(to.rejects().map(each => each.split('|').slice(1, 3).join('|')))).toEqual(
      new Set([`seconds|${SEVERAL}`]),
    )
  })

  test('may be a column, or the end of the candle', async () => {
    const to = importingFormat('crypto-bars')
    const written = [
      '1m',
      '1 min',
      'minute',
      '60s',
      'MINUTE_1',
      'PT1M',
      '1T',
      '4h',
      '1d',
      '1M',
      'month',
      '5',
      'x',
    ]
    const words = to.file('words.csv', [
      'pair,time,timeframe,open,high,low,close,volume',
      ...written.map((each, n) => `A${n}-USD,2024-03-04 00:00:00,${each},5,5,5,5,1`),
    ])
    const ends = to.file('ends.csv', [
      'pair,open_time,open,high,low,close,volume,close_time',
      'B0-USD,1709510400000,5,5,5,5,1,1709510699999',
      'B1-USD,1709510400000000,5,5,5,5,1,1709510459999999',
      'B2-USD,2024-03-04 00:00:00,5,5,5,5,1,2024-03-04 01:00:00',
      'B3-USD,2024-03-04 01:00:00,5,5,5,5,1,2024-03-04 01:00:00',
    ])
    await to.import([words, ends])
    expect(await to.rows('SELECT pair, seconds FROM bars ORDER BY pair', 'crypto_candles')).toEqual([
      ...['60', '60', '60', '60', '60', '60', '60', '14400', '86400'].map((each, n) => `A${n}-USD ${each}`),
      ...['300', '60', '3600'].map((each, n) => `B${n}-USD ${each}`),
    ])
    const reason = 'seconds|not a length of candles: specify it with --seconds'
    expect(to.rejects()).toEqual([
      ...['1M', 'month', '5', 'x'].map((each, n) => `${n + 11}|${reason}|${each}`),
      `5|${reason}|2024-03-04 01:00:00`,
    ])
  })
})

describe('a price outside high and low, and a start in the future,', () => {
  test('are warnings, and the candles are kept', async () => {
    const header = 'pair,time,open,high,low,close,volume'
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const { report } = await imported(
      [
        'BTC-USD,2024-03-04 00:00:00,9,8,4,5,1',
        'BTC-USD,2024-03-04 00:01:00,5,8,4,3,1',
        'BTC-USD,2024-03-04 00:02:00,3,8,4,9,1',
        'BTC-USD,2024-03-04 00:03:00,4,8,4,8,1',
        `BTC-USD,${tomorrow}T00:00:00Z,5,5,5,5,1`,
      ],
      header,
    )
    expect(report).toMatchObject({ rows: 5, rejected: 0 })
    expect(report.warnings).toEqual([
      { fault: 'close: above the high', rows: 1 },
      { fault: 'close: below the low', rows: 1 },
      { fault: 'open: above the high', rows: 1 },
      { fault: 'open: below the low', rows: 1 },
      { fault: 'start: in the future', rows: 1 },
    ])
  })
})

describe('the unit of the volume', () => {
  // A day of dollars at a price of 50,000: a million dollars would be 20 coins.
  const days = (volume: string, price = '50000') =>
    ['04', '05', '06'].map(day => `2024-03-${day},${price},${price},${price},${price},${volume}`)
  const header = 'date,open,high,low,close,volume'

  test('is the only plausible one', async () => {
    const to = importingFormat('crypto-bars')
    const files = [
      // So few dollars are no market, so many coins are more than all, and none are both.
      to.file('FEW-USD.csv', [header, ...days('20000')]),
      to.file('MANY-USD.csv', [header, ...days('25000000000')]),
      to.file('NONE-USD.csv', [header, ...days('0')]),
      // Won are about a thousandth of a dollar.
      to.file('FEW-KRW.csv', [header, ...days('20000000', '50000000')]),
    ]
    await to.import(files)
    expect(await to.rows('SELECT DISTINCT pair, volume FROM bars ORDER BY 1', 'crypto_candles')).toEqual([
      'FEW-KRW 20000000.00000000',
      'FEW-USD 20000.00000000',
      'MANY-USD 500000.00000000',
      'NONE-USD 0.00000000',
    ])
  })

  test('must be specified if both are plausible', async () => {
    const at = importingFormat('crypto-bars')
    const path = at.file('DOGE-USD.csv', [header, ...days('1000000000', '0.1')])
    expect(await at.refusal([path])).toContain(
      'volume: of coins or of the quote currency: specify --volume base or --volume quote',
    )
    await at.import([path], { options: { volume: 'quote' } })
    expect(await at.rows('SELECT DISTINCT volume FROM bars', 'crypto_candles')).toEqual([
      '10000000000.00000000',
    ])
  })

  test('is that of the name of a column', async () => {
    const to = importingFormat('crypto-bars')
    const files = [
      ['volume,quote_volume', '1000000000,100000000'],
      ['Volume_(BTC),Volume_(Currency)', '7,100000000'],
      ['Volume USD', '100000000'],
    ].map(([names, values], n) =>
      to.file(`${n}.csv`, [
        `pair,date,open,high,low,close,${names}`,
        `DOGE${n}-USD,2024-03-04,0.1,0.1,0.1,0.1,${values}`,
      ]),
    )
    await to.import(files)
    expect(await to.rows('SELECT volume FROM bars ORDER BY pair', 'crypto_candles')).toEqual([
      '1000000000.00000000',
      '7.00000000',
      '1000000000.00000000',
    ])
  })
})

test('a volume in the quote currency is divided by the mean of high, low and close', async () => {
  const line = 'BTC-USD,2024-03-04,5,9,3,6,36'
  const header = 'pair,date,open,high,low,close,volume'
  // (9 + 3 + 6) / 3 = 6, and 36 / 6 = 6.
  const quote = await imported([line], header, { volume: 'quote' })
  expect(await quote.rows('volume')).toEqual(['6.00000000'])
  const base = await imported([line], header, { volume: 'base' })
  expect(await base.rows('volume')).toEqual(['36.00000000'])
  const at = importingFormat('crypto-bars')
  const refused = await at.refusal([at.file('x.csv', [header, line])], { options: { volume: 'usd' } })
  expect(refused).toContain('volume: --volume is neither base nor quote')
})
