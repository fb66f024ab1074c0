import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const HEADER = 'exchange,pair,date,ms_since_midnight_utc,open,high,low,close,volume'

async function imported(
  lines: readonly string[],
  { options = {}, header = HEADER, name = 'candles.csv' }: Imported = {},
) {
  const at = importingFormat('crypto-bars')
  // Minutes, because a single one does not show its length.
  const minutes: Readonly<Record<string, string>> = header === HEADER ? { seconds: '60' } : {}
  const report = await at.import([at.file(name, [header, ...lines])], { options: { ...minutes, ...options } })
  const rows = (columns: string) => at.rows(`SELECT ${columns} FROM bars ORDER BY ALL`, 'crypto_candles')
  return { at, report, rows }
}
interface Imported {
  readonly options?: Readonly<Record<string, string>>
  readonly header?: string
  readonly name?: string
}

/** A candle of a venue and pair, that many minutes into the day. */
const candle = (venue: string, pair: string, minute = 0, price = '5') =>
  `${venue},${pair},2024-03-04,${minute * 60_000},${price},${price},${price},${price},1`

describe('the samples', () => {
  test('are imported as minutes and days in UTC, pairs with a hyphen', async () => {
    const at = importingFormat('crypto-bars')
    expect(await at.import(['data/samples/crypto-bars'])).toMatchObject({ files: 2, rows: 15, rejected: 0 })
    // 86,340,000 ms are 23 h 59 min.
    expect(
      await at.rows('SELECT * FROM bars WHERE seconds = 60 ORDER BY pair, start', 'crypto_candles'),
    ).toEqual(
      [
        'BTC-BUSD 2024-03-04 2024-03-04 00:00:00 60 63001 63009 62995 63002.5 0.75',
        'BTC-BUSD 2024-03-05 2024-03-05 00:01:00 60 64050 64060 64040 64055 0.8',
        'BTC-USD 2024-03-04 2024-03-04 00:00:00 60 63000.1 63010.5 62990 63005 1.25',
        'BTC-USD 2024-03-04 2024-03-04 00:01:00 60 63005 63040 63001 63020.25 0.5',
        'BTC-USD 2024-03-04 2024-03-04 00:03:00 60 63030 63030 63030 63030 0.00000001',
        'BTC-USD 2024-03-04 2024-03-04 23:59:00 60 64000 64100 63900 64050 2',
        'DOGE-USDT 2024-03-04 2024-03-04 00:00:00 60 0.1601234567 0.1602 0.16 0.1601 125000.5',
        'DOGE-USDT 2024-03-04 2024-03-04 00:01:00 60 0.1601 0.1601 0.1599 0.16 98000',
        'ETH-BTC 2024-03-04 2024-03-04 00:00:00 60 0.0551 0.0552 0.055 0.05515 12.5',
        'ETH-BTC 2024-03-04 2024-03-04 00:01:00 60 0.05515 0.0552 0.0551 0.0552 3',
      ].map(padded),
    )
    expect(
      await at.rows('SELECT * FROM bars WHERE seconds <> 60 ORDER BY start LIMIT 2', 'crypto_candles'),
    ).toEqual(
      [
        'SOL-USD 2024-03-01 2024-03-01 00:00:00 86400 125.6 132.1 124.9 130.4 1000.5',
        'SOL-USD 2024-03-02 2024-03-02 00:00:00 86400 130.4 131.8 127.3 129.7 900',
      ].map(padded),
    )
  })

  /** Prices with ten decimals, volumes with eight. */
  function padded(row: string): string {
    const values = row.split(' ')
    const decimals = (value: string, places: number) => {
      const [whole, part = ''] = value.split('.')
      return `${whole}.${part.padEnd(places, '0')}`
    }
    return values
      .map((value, n) => (n < 5 ? value : decimals(value, n === values.length - 1 ? 8 : 10)))
      .join(' ')
  }
})

describe('a pair', () => {
  test.each([
    ['BTCBUSD', 'BTC-BUSD'],
    ['BTCUSDT', 'BTC-USDT'],
    ['ethbtc', 'ETH-BTC'],
    ['BTC/EUR', 'BTC-EUR'],
    ['doge_usd', 'DOGE-USD'],
    ['1INCH-XYZ', '1INCH-XYZ'],
    ['USDTUSD', 'USDT-USD'],
    // TUSD, BUSD and GUSD are quote currencies, too.
    ['XBTUSD', 'BTC-USD'],
    ['DOTUSD', 'DOT-USD'],
    ['shibusd', 'SHIB-USD'],
    ['OGUSD', 'OG-USD'],
    ['DOTTUSD', 'DOT-TUSD'],
    ['XDG/XBT', 'DOGE-BTC'],
  ])('written %s is %s', async (written, pair) => {
    const { rows } = await imported([candle('acorn', written)])
    expect(await rows('pair')).toEqual([pair])
  })

  const BARE = 'date,open,high,low,close,volume'
  const DAY = '2024-03-04,5,6,4,5,1'

  test('is that of --pair, else that in the name of the file', async () => {
    expect(await (await imported([DAY], { header: BARE, name: 'BTC-EUR.csv' })).rows('pair')).toEqual([
      'BTC-EUR',
    ])
    const withPair = { header: BARE, name: 'BTC-EUR.csv', options: { pair: 'btcusd' } }
    expect(await (await imported([DAY], withPair)).rows('pair')).toEqual(['BTC-USD'])
    const inRow = await imported([candle('acorn', 'ETHUSD')], { options: { pair: 'BTC-USD' } })
    expect(await inRow.rows('pair')).toEqual(['ETH-USD'])
  })

  test.each([
    'yahoo_btc.csv',
    'yahoo-btc.csv',
    'data-BTC.csv',
    'BTC-DAILY.csv',
    'BTC-XUSD.csv',
    'BTCUSD.csv',
  ])('is not guessed from a file called %s', async name => {
    const at = importingFormat('crypto-bars')
    expect(await at.refusal([at.file(name, [BARE, DAY])])).toContain('pair: missing: specify it with --pair')
  })

  test('that ends in no known quote currency is rejected', async () => {
    const { at } = await imported([candle('acorn', 'BTCXYZ'), candle('acorn', 'USD'), ...minutes(3)])
    expect(at.rejects()).toEqual([
      '2|pair|not a pair with a known quote currency|BTCXYZ',
      '3|pair|not a pair with a known quote currency|USD',
    ])
  })
})

const minutes = (number: number) => Array.from({ length: number }, (_, n) => candle('acorn', 'BTC-USD', n))

describe('several venues of one pair', () => {
  const both = [
    candle('Acorn', 'BTCUSD', 0, '5'),
    candle('birch', 'BTC-USD', 1, '6'),
    candle('birch', 'ETH-USD', 0, '7'),
    candle('acorn', 'SOL-USD', 0, '8'),
    candle('acorn', 'LTC-USD', 0, '9'),
  ]

  test('are rejected without --exchange, other pairs are not', async () => {
    const { at, rows } = await imported(both)
    expect(await rows('pair')).toEqual(['ETH-USD', 'LTC-USD', 'SOL-USD'])
    expect(at.rejects()).toEqual([
      '2|exchange|several venues for this pair: specify one with --exchange|Acorn',
      '3|exchange|several venues for this pair: specify one with --exchange|birch',
    ])
  })

  test.each([
    ['birch', ['BTC-USD 6', 'ETH-USD 7']],
    ['ACORN', ['BTC-USD 5', 'LTC-USD 9', 'SOL-USD 8']],
    ['birch, acorn', ['BTC-USD 6', 'ETH-USD 7', 'LTC-USD 9', 'SOL-USD 8']],
  ])('come from %s where --exchange says so', async (exchange, expected) => {
    const { report, rows } = await imported(both, { options: { exchange } })
    expect(report).toMatchObject({ rejected: 0 })
    expect(await rows('pair, open::INTEGER')).toEqual(expected)
  })

  test('are accepted if one has minutes and the other days', async () => {
    const lines = [
      'acorn,BTC-USD,2024-03-04,5,5,5,5,1',
      'birch,BTC-USD,2024-03-04 00:01,6,6,6,6,1',
      'birch,BTC-USD,2024-03-04 00:02,7,7,7,7,1',
    ]
    const { rows } = await imported(lines, { header: HEADER.replace('ms_since_midnight_utc,', '') })
    expect(await rows('seconds, open::INTEGER')).toEqual(['60 6', '60 7', '86400 5'])
  })

  test('need a venue in each row, and an existing one', async () => {
    const more = [candle('', 'SOL-USD', 1), candle('birch', 'XYZ')]
    const { at } = await imported([...both, ...more], { options: { exchange: 'acorn' } })
    expect(at.rejects()).toEqual(['7|exchange|missing|', '8|pair|not a pair with a known quote currency|XYZ'])
    const none = importingFormat('crypto-bars')
    const path = none.file('candles.csv', [HEADER, ...both])
    expect(await none.refusal([path], { options: { exchange: 'ash', seconds: '60' } })).toContain(
      'exchange: none of the venues in --exchange is in the files',
    )
  })
})

test('invalid rows are rejected with line, column and reason', async () => {
  const bad: [line: string, fault: string][] = [
    ['a,,2024-03-04,0,5,5,5,5,1', 'pair|missing: specify it with --pair|'],
    ['a,ETH-USD,,0,5,5,5,5,1', 'date|missing|'],
    ['a,ETH-USD,2024-13-04,0,5,5,5,5,1', 'date|not a date|2024-13-04'],
    ['a,ETH-USD,2202-03-04,0,5,5,5,5,1', 'date|before 1900 or in the future|2202-03-04'],
    ['a,ETH-USD,,,5,5,5,5,1', 'date|missing|'],
    [
      'a,ETH-USD,2024-03-04,86400000,5,5,5,5,1',
      'ms_since_midnight_utc|not a time of day in milliseconds|86400000',
    ],
    ['a,ETH-USD,2024-03-04,1e3,5,5,5,5,1', 'ms_since_midnight_utc|not a time of day in milliseconds|1e3'],
    ['a,ETH-USD,2024-03-04,30000,5,5,5,5,1', 'start|not a multiple of the candle length|2024-03-04 00:00:30'],
    ['a,ETH-USD,2024-03-04,0,,5,5,5,1', 'open|missing|'],
    ['a,ETH-USD,2024-03-04,0,5,,5,5,1', 'high|missing|'],
    ['a,ETH-USD,2024-03-04,0,5,5,,5,1', 'low|missing|'],
    ['a,ETH-USD,2024-03-04,0,5,5,5,,1', 'close|missing|'],
    ['a,ETH-USD,2024-03-04,0,0.00000000001,5,5,5,1', 'open|not above zero|0.00000000001'],
    ['a,ETH-USD,2024-03-04,0,5,"1,234",5,5,1', 'high|not a plain decimal number|1,234'],
    ['a,ETH-USD,2024-03-04,0,5,5,0,5,1', 'low|not above zero|0'],
    ['a,ETH-USD,2024-03-04,0,5,5,5,100000000,1', 'close|too large|100000000'],
    ['a,ETH-USD,2024-03-04,0,5,5,5,5,', 'volume|missing|'],
    ['a,ETH-USD,2024-03-04,0,5,5,5,5,1e5x', 'volume|not a plain decimal number|1e5x'],
    ['a,ETH-USD,2024-03-04,0,5,5,5,5,-0.5', 'volume|below zero|-0.5'],
    ['a,ETH-USD,2024-03-04,0,5,4,6,5,1', 'high|below the low|4'],
    ['a,ETH-USD,2024-03-04,0,,5,5,5', '|too few fields|a,ETH-USD,2024-03-04,0,,5,5,5'],
  ]
  const { at, report } = await imported([...bad.map(([line]) => line), ...minutes(22)], {
    header: `\ufeff${HEADER}`,
  })
  expect(report).toMatchObject({ rows: 22, rejected: bad.length })
  expect(at.rejects()).toEqual(bad.map(([, fault], n) => `${n + 2}|${fault}`))
})
