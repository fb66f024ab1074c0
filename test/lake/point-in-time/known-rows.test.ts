import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { asOf, smallLake, valuesIn } from './small-lake.ts'

const POSTS = `
  SELECT id, timestamp::DATE AS date, timestamp, 'text' AS post
  FROM (VALUES
    ('1', TIMESTAMP '2024-01-15 12:00:00'),
    ('2', TIMESTAMP '2024-01-16 01:00:00'),
    ('3', TIMESTAMP '2024-01-16 01:00:00.001'),
    ('4', TIMESTAMP '2024-02-01 00:59:59'),
    ('5', TIMESTAMP '2024-07-16 00:00:00')
  ) AS rows (id, timestamp)`

test('of a file with later rows, those up to 20:00 New York remain', async () => {
  const lake = await smallLake({ posts: POSTS })
  const known = async (day: string) => (await valuesIn(await asOf(lake, day), 'posts', 'id')).join('')
  expect(await known('2024-01-14')).toBe('')
  // 20:00 New York is 01:00 UTC in winter: the 2nd post is included, the 3rd comes a millisecond later.
  expect(await known('2024-01-15')).toBe('12')
  expect(await known('2024-01-16')).toBe('123')
  // A row of another month and file.
  expect(await known('2024-01-31')).toBe('1234')
  // Midnight UTC in summer.
  expect(await known('2024-07-14')).toBe('1234')
  expect(await known('2024-07-15')).toBe('12345')
})

test('files of known rows are those of the lake, and later ones are left out', async () => {
  const lake = await smallLake({ posts: POSTS })
  const whole = (await loadSnapshot(lake)).files('posts').map(({ path }) => path)
  const [january, february, july] = whole
  expect(whole).toHaveLength(3)
  const paths = async (day: string) => (await asOf(lake, day)).files('posts').map(({ path }) => path)
  expect(await paths('2024-07-15')).toEqual([january, february, july])
  expect(await paths('2024-07-14')).toEqual([january, february])
  expect(await paths('2024-01-30')).toEqual([january])
  const [copy, ...others] = await paths('2024-01-15')
  expect(others).toEqual([])
  expect(copy?.startsWith(lake)).toBe(false)
})

test('the lake does not change', async () => {
  const lake = await smallLake({ posts: POSTS })
  const before = readdirSync(lake, { recursive: true, encoding: 'utf8' }).sort()
  await asOf(lake, '2024-01-15')
  expect(readdirSync(lake, { recursive: true, encoding: 'utf8' }).sort()).toEqual(before)
})

test('a row of which nobody knows when it became known is in no answer as of a time', async () => {
  const market = (id: string, updated: string) => `
    SELECT '${id}' AS asset_id, DATE '2024-01-02' AS date, 'Will it rain?' AS question, 'Yes' AS outcome,
      0 AS outcome_index, 'Weather' AS category, TIMESTAMP '2024-01-02 10:00:00' AS created_at, false AS resolved,
      ${updated} AS updated_at`
  const lake = await smallLake({
    prediction_markets: `${market('1', "TIMESTAMP '2024-01-05 10:00:00'")} UNION ALL ${market('2', 'NULL')}`,
  })
  const known = async (day: string) => valuesIn(await asOf(lake, day), 'prediction_markets', 'asset_id')
  expect(await known('2024-01-04')).toEqual([])
  expect(await known('2024-01-05')).toEqual(['1'])
  expect(await known('2030-01-01')).toEqual(['1'])
})

// 2024-03-28 is the Thursday before Good Friday. The points are those of each series' regular release.
test.each([
  // Of Thursday 4 April, on Monday 8 April; of Friday 5 April, on Tuesday 9 April.
  ['treasury-yield', 'daily', '2024-04-04', '2024-04-08'],
  ['treasury-yield', 'daily', '2024-04-05', '2024-04-09'],
  ['fed-funds', 'daily', '2024-04-06', '2024-04-09'],
  ['fed-funds', 'weekly', '2024-04-03', '2024-04-13'],
  ['fed-funds', 'monthly', '2024-03-01', '2024-04-06'],
  ['payrolls', 'monthly', '2024-03-01', '2024-04-13'],
  ['cpi', 'monthly', '2024-03-01', '2024-04-21'],
  ['cpi', 'semiannual', '2024-01-01', '2024-07-21'],
  ['gdp', 'quarterly', '2024-01-01', '2024-05-02'],
  ['gdp', 'annual', '2023-01-01', '2024-02-01'],
  ['inflation', 'annual', '2023-01-01', '2024-07-19'],
])('%s %s of %s is known on %s', async (indicator, interval, date, day) => {
  const lake = await smallLake({
    economic_points: `SELECT '${indicator}' AS indicator, '' AS maturity, '${interval}' AS interval, DATE '${date}' AS date, 1 AS value`,
  })
  const last = async (asOfDay: string) => (await asOf(lake, asOfDay)).lastDate('economic_points')
  expect([await last(dayBefore(day)), await last(day)]).toEqual([null, date])
})

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

test.each([
  ['2023-01-10', '2023-07-31'],
  ['2023-06-30', '2023-07-31'],
  ['2023-07-01', '2024-01-31'],
  [null, '2025-01-31'],
])('a contribution of %s is known on %s', async (date, day) => {
  const lake = await smallLake({
    fec_contributions: `SELECT '1' AS id, 2024 AS cycle, DATE '2024-12-31' AS cycle_end, ${date ? `DATE '${date}'` : 'NULL'} AS date,
      'ACME' AS ticker, 'pac' AS kind, 100 AS amount`,
  })
  const rows = async (asOfDay: string) => valuesIn(await asOf(lake, asOfDay), 'fec_companies', 'pac_total')
  expect([await rows(dayBefore(day)), await rows(day)]).toEqual([[], ['100.00']])
})

test.each([
  ['2024-01-01', '2024-04-23'],
  ['2007-07-01', '2008-02-17'],
])('a lobbying report of the period from %s is known on %s', async (start, day) => {
  const lake = await smallLake({
    lobbying_reports: `SELECT '1' AS id, 2024 AS cycle, DATE '2024-12-31' AS cycle_end, 'ACME' AS ticker,
      'Acme' AS client_name, DATE '${start}' AS period_start, 100 AS amount`,
  })
  const rows = async (asOfDay: string) =>
    valuesIn(await asOf(lake, asOfDay), 'fec_companies', 'lobbying_total')
  expect([await rows(dayBefore(day)), await rows(day)]).toEqual([[], ['100.00']])
})

test('a report that was filed again is the first filing until the second', async () => {
  const holding = (filed: string, kind: string, ticker: string, units: number) =>
    `SELECT DATE '2024-06-30' AS report_date, DATE '${filed}' AS filing_date, '7' AS cik, '${ticker}' AS cusip,
      '${ticker}' AS ticker, 'Share' AS security_type, '' AS put_call, ${units} AS units, ${units} AS value,
      '${kind}' AS filing_kind`
  const lake = await smallLake({
    institution_holdings: [
      holding('2024-08-14', 'report', 'ACME', 30),
      holding('2024-08-14', 'report', 'BRASS', 20),
      holding('2024-09-02', 'report', 'ACME', 10),
      holding('2024-09-20', 'addition', 'ACME', 5),
    ].join(' UNION ALL '),
  })
  const totals = async (day: string) =>
    valuesIn(
      await asOf(lake, day),
      'institution_totals',
      "concat_ws(' ', filing_date, total_value, share_holdings)",
    )
  const [first, second, third] = ['2024-08-14 50.00 50', '2024-09-02 10.00 10', '2024-09-20 15.00 15']
  expect(await totals('2024-08-13')).toEqual([])
  expect(await totals('2024-09-01')).toEqual([first])
  expect(await totals('2024-09-02')).toEqual([first, second])
  expect(await totals('2024-09-19')).toEqual([first, second])
  expect(await totals('2024-09-20')).toEqual([first, second, third])
})

test('a split is known from its day on', async () => {
  const days = [
    ['2024-03-01', 100],
    ['2024-03-04', 26],
    ['2024-03-05', 25],
  ] as const
  const lake = await smallLake({
    daily_bars: days
      .map(([date, close]) => `SELECT 'ACME' AS ticker, DATE '${date}' AS date, ${close} AS close`)
      .join(' UNION ALL '),
    stock_splits: `SELECT 'ACME' AS ticker, DATE '2024-03-04' AS date, 4 AS new_shares, 1 AS old_shares`,
  })
  const highs = async (day: string) => valuesIn(await asOf(lake, day), 'stock_days', 'week52_high', 'date')
  expect(await highs('2024-03-01')).toEqual(['100.000000'])
  expect(await highs('2024-03-04')).toEqual(['100.000000', '26.000000'])
  expect(await highs('2024-03-05')).toEqual(['100.000000', '26.000000', '26.000000'])
})

test('what is derived from rows that were not known is derived again', async () => {
  const holding = (report: string, filed: string, cik: string, units: number) =>
    `SELECT DATE '${report}' AS report_date, DATE '${filed}' AS filing_date, '${cik}' AS cik, '1' AS cusip,
      'ACME' AS ticker, 'Share' AS security_type, '' AS put_call, ${units} AS units, ${units} AS value`
  const lake = await smallLake({
    institution_holdings: [
      holding('2024-06-30', '2024-08-14', '7', 30),
      holding('2024-09-30', '2024-11-14', '7', 50),
      holding('2024-09-30', '2024-11-01', '8', 50),
    ].join(' UNION ALL '),
  })
  const shares = async (day: string) =>
    valuesIn(
      await asOf(lake, day),
      'institution_totals',
      "report_date || ' ' || cik || ' ' || percent_of_total",
      'report_date, cik',
    )
  expect(await shares('2024-08-13')).toEqual([])
  expect(await shares('2024-10-31')).toEqual(['2024-06-30 7 1.0'])
  expect(await shares('2024-11-13')).toEqual(['2024-06-30 7 1.0', '2024-09-30 8 1.0'])
  // The share of the first institution that filed for September is that of the day on which it did.
  expect(await shares('2024-11-14')).toEqual(['2024-06-30 7 1.0', '2024-09-30 7 0.5', '2024-09-30 8 1.0'])
})
