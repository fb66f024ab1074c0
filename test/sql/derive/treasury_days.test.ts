import { expect, test } from 'vitest'
import { derivedFrom, listing } from './option-tape.ts'
import type { Row } from './rows-as-sql.ts'

const CALL = 'ACME240119C00100000'

const point = (maturity: string, interval: string, date: string, value: number | null): Row => ({
  indicator: 'treasury-yield',
  maturity,
  interval,
  date,
  value,
})

/** The rows of days, as `date maturity months point_date yield`. */
async function yields(days: readonly string[], points: readonly Row[]): Promise<string[]> {
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const rows = await derivedFrom(
    'treasury_days',
    { from, to },
    { option_chain_days: days.map(day => listing(CALL, day)), economic_points: points },
  )
  return rows.map(row => `${row.date} ${row.maturity} ${row.months} ${row.point_date} ${Number(row.yield)}`)
}

test('a daily yield counts from the second weekday after its date', async () => {
  // 2024-01-04 is a Thursday: known on Monday. Friday's is known on Tuesday.
  const points = [
    point('10year', 'daily', '2024-01-03', 3.91),
    point('10year', 'daily', '2024-01-04', 3.99),
    point('10year', 'daily', '2024-01-05', 4.05),
    point('3month', 'daily', '2024-01-05', 5.47),
  ]
  expect(await yields(['2024-01-04', '2024-01-05', '2024-01-08', '2024-01-09'], points)).toEqual([
    '2024-01-05 10year 120 2024-01-03 3.91',
    '2024-01-08 10year 120 2024-01-04 3.99',
    '2024-01-09 3month 3 2024-01-05 5.47',
    '2024-01-09 10year 120 2024-01-05 4.05',
  ])
})

test('the latest point counts, whatever its interval, and a blank one does not', async () => {
  // A week's yield is known ten days after its date, a month's five days after its end.
  const points = [
    point('2year', 'daily', '2023-12-26', 4.26),
    point('2year', 'daily', '2023-12-27', null),
    point('2year', 'weekly', '2023-12-29', 4.25),
    point('2year', 'monthly', '2023-12-01', 4.46),
    point('2year', 'monthly', '2024-01-01', 4.32),
  ]
  expect(await yields(['2024-01-05', '2024-01-08', '2024-02-05', '2024-02-06'], points)).toEqual([
    '2024-01-05 2year 24 2023-12-26 4.26',
    '2024-01-08 2year 24 2023-12-29 4.25',
    '2024-02-05 2year 24 2023-12-29 4.25',
    '2024-02-06 2year 24 2024-01-01 4.32',
  ])
})

test('of several intervals with a point of the same date, the shortest counts', async () => {
  const points = [
    point('5year', 'monthly', '2024-01-01', 3),
    point('5year', 'weekly', '2024-01-01', 2),
    point('5year', 'daily', '2024-01-01', 1),
  ]
  expect(await yields(['2024-02-06'], points)).toEqual(['2024-02-06 5year 60 2024-01-01 1'])
})

test('a point counts for 366 days after its date, and other series do not', async () => {
  const points = [
    point('30year', 'daily', '2023-01-04', 3.81),
    { ...point('', 'daily', '2024-01-02', 5.33), indicator: 'fed-funds' },
  ]
  expect(await yields(['2024-01-05', '2024-01-08'], points)).toEqual([
    '2024-01-05 30year 360 2023-01-04 3.81',
  ])
})
