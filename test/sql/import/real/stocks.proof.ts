import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { answered } from '../answered.ts'
import { importingFormat } from '../formats.ts'

const REAL = '../shared/realdata'
const TICKS = `${REAL}/stocks_intraday/lean_equity_tick_trades_ibm.csv.gz`
const MINUTES = `${REAL}/stocks_intraday/lean_equity_minute_trade.csv.gz`
const DAYS = `${REAL}/stocks_daily/djia_2006_2018`

/** What Python's standard library prints, a line each. */
const python = (script: string, ...args: string[]) =>
  execFileSync('python3', ['-c', script, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trimEnd()
    .split('\n')

/** Prices to the cent away from zero, shares of D and of others, of trades that are neither suspicious nor empty. */
const LEVELS = `
import csv, gzip, sys
from collections import defaultdict
from decimal import Decimal, ROUND_HALF_UP
levels = defaultdict(lambda: [0, 0])
for trade in csv.DictReader(gzip.open(sys.argv[1], 'rt')):
    if trade['suspicious'] == '1' or int(trade['size']) == 0: continue
    price = Decimal(trade['price']).quantize(Decimal('0.01'), ROUND_HALF_UP)
    levels[trade['date'], price][trade['exchange'] != 'D'] += int(trade['size'])
for (date, price), (dark, regular) in sorted(levels.items()):
    print(date, 'IBM', price, dark, regular)
`

describe.skipIf(!existsSync(REAL))('stocks of ../shared/realdata', () => {
  test('trades of IBM make the price levels that python3 counts, on and off exchange', async () => {
    const at = importingFormat('stock-trades')
    await at.import([TICKS])
    const levels = python(LEVELS, TICKS)
    expect(levels.length).toBeGreaterThan(1000)
    expect(await at.rows('SELECT * FROM bars ORDER BY date, price', 'price_levels')).toEqual(levels)

    const ask = await answered(at)
    const { data } = await ask<{
      data: { price: string; dark_pool_volume: number; regular_volume: number }[]
    }>('/api/darkpool/ibm/price-levels?date=2013-10-09')
    expect(
      data.map(
        ({ price, dark_pool_volume, regular_volume }) => `${price} ${dark_pool_volume} ${regular_volume}`,
      ),
    ).toEqual(
      levels.filter(line => line.startsWith('2013-10-09')).map(line => line.slice('2013-10-09 IBM '.length)),
    )
  }, 120_000)

  test('trades of IBM have the shares by day and venue that awk adds up, cut within milliseconds and overlapping', async () => {
    const awk = `zcat ${TICKS} | awk -F, 'NR > 1 {shares[$2 " " $6] += $5; trades[$2 " " $6]++}
      END {for (each in shares) print each, trades[each], shares[each]}' | LC_ALL=C sort`
    const expected = execFileSync('sh', ['-c', awk], { encoding: 'utf8' }).trimEnd().split('\n')
    const at = importingFormat('stock-trades')
    const lines = execFileSync('sh', ['-c', `zcat ${TICKS}`], { encoding: 'utf8', maxBuffer: 2 ** 26 })
      .trimEnd()
      .split('\n')
    const [header = ''] = lines
    // All three cuts are within a millisecond: lines 30,008 and 30,009, 30,006 and 30,007, 50,003 and 50,004.
    for (const [n, from, to] of [
      [1, 1, 30_008],
      [2, 30_008, lines.length],
      [3, 30_006, 50_003],
    ] as const)
      await at.import([at.file(`${n}.csv`, [header, ...lines.slice(from, to)])])
    expect(
      await at.rows(
        'SELECT date, exchange, count(*), sum(size) FROM bars GROUP BY ALL ORDER BY ALL',
        'stock_trades',
      ),
    ).toEqual(expected)
  }, 120_000)

  test('daily bars have the days, volumes and sums of closes that python3 adds up', async () => {
    const at = importingFormat('daily-bars')
    await at.import([DAYS])
    // A bar with a price of zero is refused.
    const expected = python(
      `
import csv, glob, sys
from decimal import Decimal, ROUND_HALF_UP
for path in sorted(glob.glob(sys.argv[1] + '/*.csv')):
    bars = [bar for bar in csv.DictReader(open(path)) if bar['Low'] == '' or Decimal(bar['Low']) > 0]
    closes = sum(Decimal(bar['Close']).quantize(Decimal('0.000001'), ROUND_HALF_UP) for bar in bars)
    print(bars[0]['Name'], len(bars), bars[0]['Date'], bars[-1]['Date'], sum(int(bar['Volume'] or 0) for bar in bars), closes)
`,
      DAYS,
    )
    expect(expected).toHaveLength(31)
    expect(
      (
        await at.rows(
          'SELECT ticker, count(*), min(date), max(date), sum(volume), sum(close) FROM bars GROUP BY 1',
          'daily_bars',
        )
      ).toSorted(),
    ).toEqual(expected.toSorted())
  }, 120_000)

  test('minute bars have the minutes in New York and the volumes that python3 reads', async () => {
    const at = importingFormat('minute-bars')
    await at.import([MINUTES])
    const expected = python(
      `
import csv, gzip, sys
from collections import defaultdict
days = defaultdict(list)
for bar in csv.DictReader(gzip.open(sys.argv[1], 'rt')):
    days[bar['ticker'], bar['date']].append((int(bar['ms_since_midnight_et']), int(bar['volume'])))
for (ticker, date), bars in sorted(days.items()):
    print(ticker, date, len(bars), min(bars)[0], max(bars)[0], sum(volume for _, volume in bars))
`,
      MINUTES,
    )
    const clock = (of: string) =>
      `${of}(epoch_ms(start AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York') % 86400000)`
    expect(
      await at.rows(
        `SELECT ticker, date, count(*), ${clock('min')}, ${clock('max')}, sum(volume) FROM bars GROUP BY 1, 2 ORDER BY 1, 2`,
        'stock_bars',
      ),
    ).toEqual(expected)
  }, 120_000)
})
