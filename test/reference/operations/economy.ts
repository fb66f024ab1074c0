import { dayAfter, weekday } from '../calendar.ts'
import { compare, type Decimal, decimal, minus, numberOf, quotient, rounded, sum, times } from '../decimal.ts'
import { INTERVALS, type Interval, MATURITY_NAMES, SERIES } from '../economy-series.ts'
import type { Lake } from '../lake.ts'
import { descending, ordered } from '../order.ts'
import type { Sample } from '../readers.ts'
import { monthsBefore } from '../relative-date.ts'
import { parameter, type Request, refused } from '../request.ts'
import { groups } from '../rows.ts'

interface Point {
  readonly date: string
  readonly value: Decimal | null
}

const PLACES = 10
/** The days of a period that can precede the first stored point: a weekend and a holiday. */
const DAYS_BEFORE = 3
/** The days of a period that can follow the last stored point: a weekend. */
const DAYS_AFTER = 2

/** The intervals that an indicator takes. */
export const samples = (): Sample[] =>
  Object.entries(SERIES).flatMap(([indicator, { intervals }]) =>
    intervals.flatMap(interval =>
      Object.keys(MATURITY_NAMES).map(maturity => ({ indicator, interval, maturity })),
    ),
  )

export function answer(lake: Lake, request: Request): unknown {
  const indicator = parameter(request, 'indicator')?.toLowerCase() ?? ''
  const series = SERIES[indicator]
  if (series === undefined) return refused(422)
  const interval = (parameter(request, 'interval')?.toLowerCase() ?? series.intervals[0]) as Interval
  if (!series.intervals.includes(interval)) return refused(422)
  const isYield = indicator === 'treasury-yield'
  const maturity = isYield ? (parameter(request, 'maturity')?.toLowerCase() ?? '10year') : ''
  const points = pointsOf(lake, indicator, maturity, interval)
  const derived = points.length === 0 && indicator === 'inflation' ? inflation(lake) : points
  return {
    data: {
      name: isYield ? `${MATURITY_NAMES[maturity]} ${series.name}` : series.name,
      unit: series.unit,
      interval,
      data: ordered(
        derived,
        descending(({ date }) => date),
      ).map(({ date, value }) => ({ date, value: value && numberOf(value) })),
    },
  }
}

/** The stored points of an interval, else points of the finest stored interval, aggregated. */
function pointsOf(lake: Lake, indicator: string, maturity: string, interval: Interval): Point[] {
  const finer = INTERVALS.slice(0, INTERVALS.indexOf(interval))
  for (const source of [interval, ...finer]) {
    const rows = lake.find('economic_points', { indicator, maturity, interval: source })
    const points = rows.map(row => ({ date: String(row.date), value: row.value as Decimal | null }))
    if (points.length > 0)
      return source === interval ? points : aggregated(points, source, interval, indicator)
  }
  return []
}

/** The periods that the points cover from start to end. */
function aggregated(
  points: readonly Point[],
  source: Interval,
  interval: Interval,
  indicator: string,
): Point[] {
  const dates = points.map(({ date }) => date).toSorted()
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  return [...groups(points, ({ date }) => startOf(date, interval))]
    .filter(([start]) => first <= dayAfter(start, DAYS_BEFORE))
    .filter(([start]) => endOf(last, source) >= dayAfter(endOf(start, interval), -DAYS_AFTER))
    .map(([date, inPeriod]) => ({ date, value: totalOf(inPeriod, SERIES[indicator]?.total ?? 'mean') }))
}

function totalOf(points: readonly Point[], total: 'mean' | 'sum'): Decimal | null {
  const values = points.flatMap(({ value }) => value ?? [])
  if (values.length === 0) return null
  return total === 'sum'
    ? rounded(sum(values), PLACES)
    : quotient(sum(values), decimal(values.length), PLACES)
}

/** The first day of the period of a date. */
function startOf(date: string, interval: Interval): string {
  const { months } = LENGTHS[interval]
  if (interval === 'weekly') return dayAfter(date, 1 - weekday(date))
  if (months === 0) return date
  const [year, month] = date.split('-').map(Number) as [number, number]
  const first = month - ((month - 1) % months)
  return `${year}-${String(first).padStart(2, '0')}-01`
}

/** The day after a period. */
const endOf = (start: string, interval: Interval): string => {
  const { months, days } = LENGTHS[interval]
  return months > 0 ? monthsBefore(start, -months) : dayAfter(start, days)
}

const LENGTHS: Readonly<Record<Interval, { readonly days: number; readonly months: number }>> = {
  daily: { days: 1, months: 0 },
  weekly: { days: 7, months: 0 },
  monthly: { days: 0, months: 1 },
  quarterly: { days: 0, months: 3 },
  semiannual: { days: 0, months: 6 },
  annual: { days: 0, months: 12 },
}

/** The change of the annual mean of the price index, in percent. */
function inflation(lake: Lake): Point[] {
  const means = new Map(pointsOf(lake, 'cpi', '', 'annual').map(({ date, value }) => [date, value]))
  return [...means].flatMap(([date, value]) => {
    const before = means.get(monthsBefore(date, 12)) ?? null
    if (value === null || before === null || compare(before, decimal(0)) === 0) return []
    return [{ date, value: quotient(times(minus(value, before), decimal(100)), before, PLACES) }]
  })
}
