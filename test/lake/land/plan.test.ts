import { describe, expect, test } from 'vitest'
import { type Extent, extentOf, planLanding } from '../../../src/lake/land/plan.ts'
import type { Dataset } from '../../../src/lake/store/datasets.ts'
import { spanOf } from '../../../src/lake/store/partition.ts'
import { DAILY_BARS } from '../store/days.ts'

const BARS: Dataset = { ...DAILY_BARS, partition: { units: ['day', 'month'], column: 'date' } }

const stored = (...partitions: string[]): Extent[] =>
  partitions.map(partition => ({ partition, ...spanOf(partition) }))
const catchAll = (from: string, to: string): Extent => ({ partition: 'all', from, to })

/** Which partition each date lands in, and what each partition takes in. */
function planned(dates: string[], have: Extent[] = [], dataset = DAILY_BARS): Record<string, unknown> {
  const steps = planLanding(dataset, dates, have)
  return Object.fromEntries(
    steps.map(({ partition, dates, sources }) => [partition, [...dates, ...sources.map(name => `+${name}`)]]),
  )
}

describe('incoming dates land', () => {
  test('as days where they fill nothing', () => {
    expect(planned(['2024-01-03', '2024-01-04'])).toEqual({
      '2024-01-03': ['2024-01-03'],
      '2024-01-04': ['2024-01-04'],
    })
  })

  test('in a month from its first to its last session', () => {
    // 2024-06 begins on a Saturday and ends on a Sunday: its sessions run from the 3rd to the 28th.
    expect(planned(['2024-06-03', '2024-06-28'])).toEqual({ '2024-06': ['2024-06-03', '2024-06-28'] })
    expect(Object.keys(planned(['2024-06-04', '2024-06-28']))).toEqual(['2024-06-04', '2024-06-28'])
    expect(Object.keys(planned(['2024-06-03', '2024-06-27']))).toEqual(['2024-06-03', '2024-06-27'])
  })

  test('in a year from its first to its last session, and what hangs over as months and days', () => {
    expect(
      planned(['2022-12-30', '2023-01-03', '2023-12-29', '2024-01-02', '2024-01-31', '2024-02-01']),
    ).toEqual({
      '2023': ['2023-01-03', '2023-12-29'],
      '2024-01': ['2024-01-02', '2024-01-31'],
      '2022-12-30': ['2022-12-30'],
      '2024-02-01': ['2024-02-01'],
    })
  })

  test('in no unit that the dataset lacks', () => {
    expect(Object.keys(planned(['2023-01-03', '2023-07-03', '2023-12-29'], [], BARS))).toEqual([
      '2023-01',
      '2023-07',
      '2023-12',
    ])
  })

  test('in the partition that answers for their day already, the coarsest of several', () => {
    expect(planned(['2024-01-03'], stored('2024'))).toEqual({
      '2024': ['2024-01-03', '+2024'],
    })
    expect(planned(['2024-01-03', '2024-02-01'], stored('2024-01-03', '2024-01-04'))).toEqual({
      '2024-01-03': ['2024-01-03', '+2024-01-03'],
      '2024-02-01': ['2024-02-01'],
    })
    expect(planned(['2024-01-03'], stored('2024-01-03', '2024-01'))).toEqual({
      '2024-01': ['2024-01-03', '+2024-01-03', '+2024-01'],
    })
  })

  test('in a period that becomes coarse, together with the finer partitions inside it', () => {
    expect(planned(['2024-06-03', '2024-06-04', '2024-06-28'], stored('2024-06-04', '2024-07-01'))).toEqual({
      '2024-06': ['2024-06-03', '2024-06-04', '2024-06-28', '+2024-06-04'],
    })
  })

  test('in days again if all of their days are stored as days', () => {
    expect(Object.keys(planned(['2024-06-03', '2024-06-28'], stored('2024-06-03', '2024-06-28')))).toEqual([
      '2024-06-03',
      '2024-06-28',
    ])
  })

  test('in the catch-all between its first and last row, with all that shares days with it', () => {
    const have = [...stored('2023-12-29', '2024-02', '2024-03-01'), catchAll('2024-01-02', '2024-02-05')]
    expect(planned(['2023-12-28', '2024-01-03', '2024-02-29', '2024-03-01'], have)).toEqual({
      all: ['2024-01-03', '2024-02-29', '+2024-02', '+all'],
      '2023-12-28': ['2023-12-28'],
      '2024-03-01': ['2024-03-01', '+2024-03-01'],
    })
  })

  test('in a year without the month inside it that the catch-all takes in', () => {
    const have = [...stored('2023-06', '2023-08'), catchAll('2023-05-31', '2023-06-01')]
    expect(planned(['2023-01-03', '2023-06-02', '2023-08-01', '2023-12-29'], have)).toEqual({
      all: ['2023-06-02', '+2023-06', '+all'],
      '2023': ['2023-01-03', '2023-08-01', '2023-12-29', '+2023-08'],
    })
  })

  test('beside a catch-all that they do not touch', () => {
    const have = [...stored('2024-02'), catchAll('2024-01-02', '2024-01-31')]
    expect(planned(['2024-02-01'], have)).toEqual({ '2024-02': ['2024-02-01', '+2024-02'] })
  })
})

test('the catch-all answers for the days of its rows, any other partition for its period', () => {
  const file = (first: string, last: string) => ({
    name: 'a',
    rows: 1,
    bytes: 1,
    sha256: '',
    dates: [first, last] as [string, string],
    ranges: {},
  })
  const manifest = (partition: string) => ({
    format: 2 as const,
    dataset: 'daily_bars',
    partition,
    columns: {},
    inputs: [],
    files: [file('2024-02-10', '2024-02-20'), file('2024-02-05', '2024-02-11')],
  })
  expect(extentOf(manifest('all'))).toEqual({ partition: 'all', from: '2024-02-05', to: '2024-02-20' })
  expect(extentOf(manifest('2024-02'))).toEqual({
    partition: '2024-02',
    from: '2024-02-01',
    to: '2024-02-29',
  })
})
