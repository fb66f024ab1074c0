import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { answered } from '../answered.ts'
import { importingFormat } from '../formats.ts'

const REAL = '../shared/realdata'
const LEVELS = `${REAL}/econ/liberalmarkets`
const YIELDS = `${REAL}/econ/treasury_daily`

interface Point {
  readonly date: string
  readonly value: number | null
}

/** Means of a file's values by period, newest first: exact, then rounded to ten places, half to even. */
const MEANS = `
import csv, json, sys
from datetime import date, timedelta
from fractions import Fraction
path, period = sys.argv[1:]
start = {
    'weekly': lambda day: day - timedelta(days=day.weekday()),
    'monthly': lambda day: day.replace(day=1),
    'annual': lambda day: day.replace(month=1, day=1),
}[period]
periods = {}
for day, value in list(csv.reader(open(path)))[1:]:
    values = periods.setdefault(start(date.fromisoformat(day)), [])
    if value not in ('', '.'): values.append(Fraction(value))
mean = lambda values: round(sum(values) / len(values) * 10 ** 10) / 10 ** 10 if values else None
json.dump([{'date': str(day), 'value': mean(values)} for day, values in sorted(periods.items(), reverse=True)], sys.stdout)
`
const means = (path: string, period: string): Point[] =>
  JSON.parse(execFileSync('python3', ['-c', MEANS, path, period], { encoding: 'utf8', maxBuffer: 2 ** 26 }))

describe.skipIf(!existsSync(REAL))('series of FRED in ../shared/realdata', () => {
  test('have the points and blanks that awk counts', async () => {
    const at = importingFormat('fred')
    await at.import([LEVELS, YIELDS])
    const script = `for file in ${LEVELS}/*.csv ${YIELDS}/*.csv; do
      awk -F, 'NR > 1 {sub(/\\r/, ""); points++; if ($2 != "") {values++; sum += $2 * 1000000}; last = $1}
        END {printf "%d %d %.0f %s\\n", points, values, sum, last}' $file; done | LC_ALL=C sort`
    const expected = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')
    expect(expected).toHaveLength(9)
    const rows = await at.rows(
      `SELECT count(*), count(value), sum((value * 1000000)::BIGINT), max(date)
       FROM bars GROUP BY indicator, maturity, interval`,
      'economic_points',
    )
    expect(rows.toSorted()).toEqual(expected)
  }, 120_000)

  test('answer with the means of weeks, months and years that python3 computes', async () => {
    const at = importingFormat('fred')
    await at.import([LEVELS, YIELDS])
    const ask = await answered(at)
    const points = async (url: string) => (await ask<{ data: { data: Point[] } }>(url)).data.data
    for (const [maturity, file] of [
      ['10year', 'DGS10'],
      ['2year', 'DGS2'],
      ['3month', 'DGS3MO'],
    ]) {
      const weeks = means(`${YIELDS}/${file}.csv`, 'weekly')
      expect(weeks.length).toBeGreaterThan(2000)
      expect(await points(`/api/economy/treasury-yield?interval=weekly&maturity=${maturity}`)).toEqual(weeks)
    }
    // April 2026 ends after the file does, and is no whole month.
    const [april, ...months] = means(`${YIELDS}/DGS10.csv`, 'monthly')
    expect(april?.date).toBe('2026-04-01')
    expect(await points('/api/economy/treasury-yield')).toEqual(months)
    const [thisYear, ...years] = means(`${LEVELS}/GDPC1.csv`, 'annual')
    expect(thisYear?.date).toBe('2026-01-01')
    expect(await points('/api/economy/gdp')).toEqual(years)
  }, 120_000)
})
