import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { answered } from '../answered.ts'
import { importingFormat } from '../formats.ts'

const REAL = '../shared/realdata'
const MINUTES = `${REAL}/crypto/lean_crypto_minute_trade.csv.gz`
const DAYS = `${REAL}/crypto/yahoo_btc.csv`

interface Candle {
  readonly start_time: string
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}
const shown = ({ start_time, open, high, low, close, volume }: Candle) =>
  [start_time, open, high, low, close, volume].join(' ')
const withoutVolume = (each: Candle) => shown(each).replace(/ [^ ]+$/, '')
const volumeOf = (line: string) => Number(line.split(' ').at(-1))

/** Candles of so many seconds, weeks from Monday, newest first, of rows (seconds since 1970, four prices, volume). */
const CANDLES = `
import csv, gzip, sys
from datetime import datetime, timezone
from decimal import Decimal, ROUND_HALF_EVEN
def seconds(day): return int(datetime.fromisoformat(day).replace(tzinfo=timezone.utc).timestamp())
def rounded(x, places): return Decimal(x).quantize(Decimal(10) ** -places, ROUND_HALF_EVEN)
def candles(rows, length):
    monday = seconds('2000-01-03')
    buckets = {}
    for start, *values in sorted(rows):
        buckets.setdefault((start - monday) // length, []).append(values)
    for bucket, all in sorted(buckets.items(), reverse=True):
        start = datetime.fromtimestamp(monday + bucket * length, timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')
        prices = [all[0][0], max(each[1] for each in all), min(each[2] for each in all), all[-1][3]]
        print(start, *(rounded(price, 10) for price in prices), sum(each[4] for each in all))
`
const python = (script: string, ...args: string[]) =>
  execFileSync('python3', ['-c', CANDLES + script, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trimEnd()
    .split('\n')

describe.skipIf(!existsSync(REAL))('crypto pairs of ../shared/realdata', () => {
  test('minutes make the hours and days that python3 makes, of each pair', async () => {
    const at = importingFormat('crypto-bars')
    await at.import([MINUTES])
    const ask = await answered(at)
    const expected = python(
      `
pairs = {}
for bar in csv.DictReader(gzip.open(sys.argv[1], 'rt')):
    start = seconds(bar['date']) + int(bar['ms_since_midnight_utc']) // 1000
    prices = [Decimal(bar[name]) for name in ('open', 'high', 'low', 'close')]
    pairs.setdefault(bar['pair'], []).append((start, *prices, rounded(bar['volume'], 8)))
for pair, rows in pairs.items():
    for length in (86400, 3600):
        print('#', pair, length)
        candles(rows, length)
`,
      MINUTES,
    )
      .join('\n')
      .split(/^# /m)
    for (const [pair, written, days] of [
      ['BTC-USD', 'BTCUSD', 9],
      ['BTC-EUR', 'BTCEUR', 3],
      ['ETH-USD', 'ETHUSD', 4],
      ['LTC-USD', 'LTCUSD', 3],
      ['BTC-BUSD', 'BTCBUSD', 1],
      ['BTC-USDT', 'BTCUSDT', 1],
    ] as const)
      for (const [size, length] of [
        ['1d', 86_400],
        ['1h', 3600],
      ] as const) {
        const { data } = await ask<{ data: Candle[] }>(`/api/crypto/${pair}/ohlc/${size}?limit=500`)
        const [, ...candles] =
          expected
            .find(part => part.startsWith(`${written} ${length}\n`))
            ?.trimEnd()
            .split('\n') ?? []
        expect(data.map(shown)).toEqual(candles)
        if (size === '1d') expect(candles).toHaveLength(days)
      }
  }, 120_000)

  test('days of Yahoo make the weeks and months that python3 makes, their volume in coins', async () => {
    const at = importingFormat('crypto-bars')
    await at.import([DAYS], { options: { pair: 'BTC-USD', volume: 'quote' } })
    const rows = `
days = [
    (bar['Date'], *(rounded(bar[name], 10) for name in ('Open', 'High', 'Low', 'Close')), Decimal(bar['Volume']))
    for bar in csv.DictReader(open(sys.argv[1]))
]
coins = lambda high, low, close, dollars: rounded(dollars * 3 / (high + low + close), 8)
`
    const weeks = python(
      `${rows}
candles([(seconds(day), o, h, l, c, coins(h, l, c, v)) for day, o, h, l, c, v in days], 7 * 86400)`,
      DAYS,
    ).slice(0, 500)
    const ask = await answered(at)
    const { data } = await ask<{ data: Candle[] }>('/api/crypto/btc-usd/ohlc/1w?limit=500')
    expect(data.map(withoutVolume)).toEqual(weeks.map(line => line.replace(/ [^ ]+$/, '')))
    // The import divides doubles, which hold 15 digits.
    for (const [n, week] of weeks.entries())
      expect(Number(data[n]?.volume) / volumeOf(week)).toBeCloseTo(1, 9)

    const months = python(
      `${rows}
from itertools import groupby
for month, all in groupby(days, lambda day: day[0][:7]):
    all = list(all)
    print(month, all[0][1], max(each[2] for each in all), min(each[3] for each in all), all[-1][4], len(all))`,
      DAYS,
    )
    expect(
      await at.rows(
        `SELECT strftime(date, '%Y-%m'), arg_min(open, start), max(high), min(low), arg_max(close, start), count(*)
         FROM bars GROUP BY 1 ORDER BY 1`,
        'crypto_candles',
      ),
    ).toEqual(months)
  }, 120_000)
})
