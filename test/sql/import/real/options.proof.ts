import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const OPTIONS = '../shared/realdata/options'
const CHAINS = join(OPTIONS, 'cboe_delayed_2023-09-14')
const TRADES = join(OPTIONS, 'lean_option_minute_trade.csv.gz')
const QUOTES = join(OPTIONS, 'lean_option_minute_quote.csv.gz')
const INTEREST = join(OPTIONS, 'lean_option_daily_openinterest.csv.gz')

/** What another tool makes of the same files: lines of text. */
const python = (program: string, ...files: readonly string[]) =>
  execFileSync('python3', ['-c', program, ...files], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    .trim()
    .split('\n')

const awk = (program: string, file: string) =>
  execFileSync('awk', ['-F,', program, file], { encoding: 'utf8' }).trim().split('\n').toSorted()

describe.skipIf(!existsSync(OPTIONS))(`the real files in ${OPTIONS}`, () => {
  test('produce the chains of Cboe with the open interest and volume of each expiry that awk sums', async () => {
    const at = importingFormat('option-chain')
    // 3,646 and 5,441 lines of two contracts each (wc -l, less the four lines of the head and the blank first).
    expect(await at.import([CHAINS])).toMatchObject({ rows: 2 * (3646 + 5441), rejected: 0, notes: [] })
    // The 11th and the 22nd field are open interest, the 7th and the 18th volume; the symbol tells the expiry.
    const program = `
      NF == 22 && /^[A-Z][a-z][a-z] [A-Z]/ && $2 ~ /^[SX]/ {
        expiry = "20" substr($2, 4, 2) "-" substr($2, 6, 2) "-" substr($2, 8, 2)
        calls[expiry] += $11; puts[expiry] += $22; volume[expiry] += $7 + $18; contracts[expiry] += 2
      }
      END { for (expiry in calls) print ticker, expiry, calls[expiry], puts[expiry], volume[expiry], contracts[expiry] }`
    for (const [ticker, file] of [
      ['SPY', 'spy_quotedata.csv'],
      ['XSP', 'xsp_quotedata.csv'],
    ] as const) {
      const sums = await at.rows(
        `SELECT underlying_symbol, expiry, sum(open_interest) FILTER (option_type = 'call'), sum(open_interest) FILTER (option_type = 'put'),
           sum(volume), count(*)
         FROM bars WHERE underlying_symbol = '${ticker}' AND date = '2023-09-14' GROUP BY ALL`,
        'option_chain_days',
      )
      const expected = awk(program.replace('ticker,', `"${ticker}",`), join(CHAINS, file))
      expect(expected.length).toBeGreaterThan(30)
      expect(sums.toSorted()).toEqual(expected)
    }
  })

  test('produce each contract of Cboe with its quotes, and with its figures if it has an IV', async () => {
    const at = importingFormat('option-chain')
    await at.import([CHAINS])
    const program = `
import csv, sys
from decimal import Decimal
for file in sys.argv[1:]:
    for line in csv.reader(open(file)):
        if len(line) != 22 or line[1] == 'Calls': continue
        for at in (1, 12):
            last, _, bid, ask, volume, iv, delta, gamma, interest = line[at + 1:at + 10]
            price = lambda text: '%.4f' % Decimal(text)
            figure = lambda text: '%.10f' % Decimal(text) if Decimal(iv) > 0 else '-'
            print(line[at],
                price(bid) if Decimal(bid) > 0 or Decimal(ask) > 0 else '-',
                price(ask) if Decimal(ask) > 0 else '-', price(last) if Decimal(last) > 0 else '-',
                volume, interest, figure(iv), figure(delta), figure(gamma))`
    const lines = python(program, join(CHAINS, 'spy_quotedata.csv'), join(CHAINS, 'xsp_quotedata.csv'))
    const [quoted, unquoted] = [
      lines.filter(line => !line.endsWith('- - -')),
      lines.filter(line => line.endsWith('- - -')),
    ]
    const stored = await at.rows(
      'SELECT option_symbol, bid, ask, last, volume, open_interest, implied_volatility, delta, gamma FROM bars',
      'option_chain_days',
    )
    expect([quoted.length, unquoted.length]).toEqual([15_218, 2956])
    const known = new Set(stored)
    expect(lines.filter(line => !known.has(line))).toEqual([])
    // The price of the underlying is that of the head, and what Cboe does not tell is worked out from its IV.
    expect(
      await at.rows(
        `SELECT underlying_symbol, underlying_price, bool_and(theta + vega + rho + charm + vanna IS NOT NULL)
         FROM bars WHERE figures_source = 'chain' AND expiry > date GROUP BY ALL ORDER BY 1`,
        'option_greek_days',
      ),
    ).toEqual(['SPY 450.8100 true', 'XSP 450.5100 true'])
  })

  test('produce the open interest of each day and root that Python sums, without expired contracts', async () => {
    const at = importingFormat('option-open-interest')
    const program = `
import collections, csv, gzip, sys
sums, expired = collections.Counter(), 0
for row in csv.DictReader(gzip.open(sys.argv[1], 'rt')):
    if row['date'] > row['expiry']: expired += 1
    else: sums[row['underlying'], row['date'], 'contracts'] += 1; sums[row['underlying'], row['date'], 'open'] += int(row['open_interest'])
print(expired)
for ticker, date in sorted({key[:2] for key in sums}):
    print(ticker, date, sums[ticker, date, 'contracts'], sums[ticker, date, 'open'])`
    const [expired, ...sums] = python(program, INTEREST)
    expect(await at.import([INTEREST])).toMatchObject({
      rows: 9000 - Number(expired),
      rejected: Number(expired),
      faults: [{ fault: 'date: after the expiry', rows: 183 }],
    })
    expect(
      await at.rows(
        'SELECT underlying_symbol, date, count(*), sum(open_interest) FROM bars GROUP BY ALL ORDER BY 1, 2',
        'option_chain_days',
      ),
    ).toEqual(sums)
  })

  test('produce for each contract and day the trades, volume, premium and sides that Python finds', async () => {
    const at = importingFormat('option-bars')
    const report = await at.import([TRADES, QUOTES])
    expect(report).toMatchObject({ rows: 53_468, rejected: 0, notes: [] })
    expect(report.accounts.map(({ records, rows }) => [records, rows])).toEqual([
      [53_468, 53_468],
      [446_212, 0],
    ])
    // The quote of the minute or the latest before it on the day, by bisection.
    const program = `
import bisect, collections, csv, gzip, sys
from decimal import Decimal
quotes = collections.defaultdict(lambda: ([], []))
for row in csv.DictReader(gzip.open(sys.argv[2], 'rt')):
    times, values = quotes[row['option_symbol'], row['date']]
    times.append(int(row['ms_since_midnight_et'])); values.append((row['bid_close'], row['ask_close']))
for times, values in quotes.values():
    order = sorted(range(len(times)), key=times.__getitem__)
    times[:], values[:] = [times[i] for i in order], [values[i] for i in order]
sums = collections.defaultdict(lambda: [0, 0, Decimal(0), 0, 0, 0, 0])
for row in csv.DictReader(gzip.open(sys.argv[1], 'rt')):
    key, size, price = (row['option_symbol'], row['date']), int(row['volume']), Decimal(row['close'])
    total = sums[key]
    times, values = quotes.get(key, ([], []))
    at = bisect.bisect_right(times, int(row['ms_since_midnight_et']))
    bid, ask = values[at - 1] if at else ('', '')
    side = 6
    if bid and ask and 0 <= Decimal(bid) <= Decimal(ask) and Decimal(ask) > 0:
        middle = (Decimal(bid) + Decimal(ask)) / 2
        side = 3 if price > middle else 4 if price < middle else 5
    total[0] += 1; total[1] += size; total[2] += price * size * 100; total[side] += size
for (symbol, date), total in sorted(sums.items()):
    print(symbol, date, total[0], total[1], '%.4f' % total[2], *total[3:])`
    const expected = python(program, TRADES, QUOTES)
    expect(
      await at.rows(
        `SELECT option_chain_id, date, count(*), sum(size), sum(premium), sum(ask_vol), sum(bid_vol), sum(mid_vol), sum(no_side_vol)
         FROM bars GROUP BY ALL ORDER BY 1, 2`,
        'option_trades',
      ),
    ).toEqual(expected)
    // The running volume ends at the day's, and is as large as the trades before it.
    expect(
      await at.rows(
        `SELECT count(*) FROM (
           SELECT volume <> sum(size) OVER (PARTITION BY option_chain_id, date ORDER BY executed_at) AS wrong FROM bars
         ) WHERE wrong`,
        'option_trades',
      ),
    ).toEqual(['0'])
  })
})
