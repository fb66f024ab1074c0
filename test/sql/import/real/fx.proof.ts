import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { answered } from '../answered.ts'
import { importingFormat } from '../formats.ts'

const REAL = '../shared/realdata'
const HISTORY = `${REAL}/fx/eurofxref-hist.csv`

const awk = (script: string) =>
  execFileSync('sh', ['-c', `awk -F, '${script}' ${HISTORY} | LC_ALL=C sort`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')

describe.skipIf(!existsSync(REAL))('rates of the ECB in ../shared/realdata', () => {
  test('are as many of each currency, from and to the days, as awk counts', async () => {
    const at = importingFormat('fx-rates')
    await at.import([HISTORY])
    // Newest first: the first line of a currency is its last day. N/A is no rate.
    const expected = awk(`NR == 1 {for (i = 2; i < NF; i++) name[i] = $i; next}
      {for (i = 2; i < NF; i++) if ($i != "N/A") {rates[i]++; first[i] = $1; if (!last[i]) last[i] = $1}}
      END {for (i in name) print name[i], rates[i], first[i], last[i]}`)
    expect(expected).toHaveLength(41)
    expect(
      await at.rows(
        'SELECT quote, count(*), min(date), max(date) FROM bars GROUP BY 1 ORDER BY 1',
        'fx_quotes',
      ),
    ).toEqual(expected)
    expect(
      await at.rows(
        'SELECT DISTINCT base, time::TIME, bid, ask FROM bars WHERE date = time::DATE',
        'fx_quotes',
      ),
    ).toEqual(['EUR 15:00:00 - -'])
  }, 120_000)

  test('add up to what python3 adds up', async () => {
    const at = importingFormat('fx-rates')
    await at.import([HISTORY])
    const script = `
import csv, sys
from collections import defaultdict
from decimal import Decimal
sums = defaultdict(Decimal)
for row in csv.DictReader(open(sys.argv[1])):
    for name, rate in row.items():
        if name not in ('Date', '') and rate != 'N/A': sums[name, row['Date'][:4]] += Decimal(rate)
for (name, year), total in sorted(sums.items()): print(name, year, total.quantize(Decimal('1e-10')))
`
    const expected = execFileSync('python3', ['-c', script, HISTORY], { encoding: 'utf8' })
      .trimEnd()
      .split('\n')
    expect(
      await at.rows('SELECT quote, year(date), sum(rate) FROM bars GROUP BY 1, 2 ORDER BY 1, 2', 'fx_quotes'),
    ).toEqual(expected)
  }, 120_000)

  test('answer with the last day, crossed through the euro', async () => {
    const at = importingFormat('fx-rates')
    await at.import([HISTORY])
    const [line = ''] = awk('NR == 2 {print $1, $2, $3}')
    const [day, dollars, yen] = line.split(' ')
    const ask = await answered(at)
    const { data } = await ask<{ data: { rate: number; last_refreshed: string } }>(
      '/api/forex/rate?from=usd&to=jpy',
    )
    expect(data.rate).toBeCloseTo(Number(yen) / Number(dollars), 9)
    expect(data.last_refreshed).toBe(`${day} 15:00:00`)
  }, 120_000)
})
