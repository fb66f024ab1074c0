import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LakeFile, Snapshot } from '../../../src/lake/store/snapshot.ts'
import { entityTag, pin } from '../../../src/operations/answering/answer.ts'
import { nowDate, nowMicros } from '../../../src/operations/answering/now.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { alerts } from '../../../src/operations/catalog/alerts.ts'
import { congressPoliticians } from '../../../src/operations/catalog/congress-politicians.ts'
import { fecCompanies } from '../../../src/operations/catalog/fec-companies.ts'
import { snapshotWith } from '../../fixtures/snapshot.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A snapshot whose datasets all hold these dates, one a file. */
function holding(...dates: string[]): Snapshot {
  const files = dates.map(
    (day): LakeFile => ({
      path: `/${day}`,
      name: day,
      rows: 1,
      bytes: 1,
      dataset: 'any',
      sha256: day,
      dates: [day, day],
      ranges: {},
    }),
  )
  return snapshotWith({ files: () => files, lastDate: () => dates.at(-1) ?? null })
}

const at = (instant: string) => vi.setSystemTime(new Date(instant))
const micros = (instant: string) => BigInt(Date.parse(instant)) * 1000n

describe('now', () => {
  // Midnight New York is 05:00 UTC in winter, 04:00 in summer.
  test.each([
    [
      'the end of the last date held',
      '2024-01-05',
      '2026-06-01T12:00:00Z',
      '2024-01-06T05:00:00Z',
      '2024-01-05',
    ],
    ['the same in summer', '2024-07-05', '2026-06-01T12:00:00Z', '2024-07-06T04:00:00Z', '2024-07-05'],
    [
      'the present minute, which it ends with',
      '2024-01-05',
      '2024-01-05T15:04:30.5Z',
      '2024-01-05T15:05:00Z',
      '2024-01-05',
    ],
    [
      'the present minute, on the minute',
      '2024-01-05',
      '2024-01-05T15:04:00Z',
      '2024-01-05T15:04:00Z',
      '2024-01-05',
    ],
    [
      'today in New York, before its midnight',
      '2024-01-09',
      '2024-01-06T04:59:00Z',
      '2024-01-06T04:59:00Z',
      '2024-01-05',
    ],
    [
      'today in New York, from its midnight on',
      '2024-01-09',
      '2024-01-06T05:00:00Z',
      '2024-01-06T05:00:00Z',
      '2024-01-06',
    ],
  ])('is %s', (_, last, clock, instant, day) => {
    at(clock)
    const snapshot = holding('2020-01-02', last)
    expect(nowMicros(snapshot, 'alerts')).toBe(micros(instant))
    expect(nowDate(snapshot, 'alerts')).toBe(day)
  })

  test('is nothing where the snapshot holds no date', () => {
    expect(nowMicros(holding(), 'alerts')).toBeNull()
    expect(nowDate(holding(), 'alerts')).toBeNull()
  })
})

/** The entity tag of a request without parameters, or with these. */
function tagOf(
  operation: Operation,
  snapshot: Snapshot,
  query: readonly (readonly [string, string])[] = [],
): string {
  const validated = validate(operation, { path: {}, query })
  if ('faults' in validated) throw new Error(JSON.stringify(validated.faults))
  return entityTag(
    pin(operation, validated.values, snapshot, { owner: null, admin: false }),
    'json',
    'identity',
  )
}

describe('an answer can be kept', () => {
  const tagsAt = (clocks: readonly string[], tag: () => string) =>
    clocks.map(clock => {
      at(clock)
      return tag()
    })

  test('for a minute where its window ends now', () => {
    const tag = () => tagOf(alerts, holding('2024-01-05'))
    const [first, second, third] = tagsAt(
      ['2024-01-05T15:04:01Z', '2024-01-05T15:05:00Z', '2024-01-05T15:05:01Z'],
      tag,
    )
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('for a day where its months end now', () => {
    const tag = () => tagOf(congressPoliticians, holding('2024-01-09'), [['last_traded_within_months', '3']])
    const [first, second, third] = tagsAt(
      ['2024-01-05T05:00:00Z', '2024-01-06T04:59:59Z', '2024-01-06T05:00:00Z'],
      tag,
    )
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('for ever where the lake ends before, or the request says the times', () => {
    const clocks = ['2024-01-05T15:04:01Z', '2024-01-08T16:00:00Z']
    for (const tag of [
      () => tagOf(alerts, holding('2024-01-02')),
      () => tagOf(alerts, holding('2024-01-09'), [['newer_than', '2024-01-05']]),
      () => tagOf(congressPoliticians, holding('2024-01-09')),
    ])
      expect(new Set(tagsAt(clocks, tag)).size).toBe(1)
  })
})

describe('the present election cycle', () => {
  const held = ['2022-12-31', '2024-12-31', '2026-12-31']
  test.each([
    ['ends with its even year', '2024-12-31T23:00:00Z', held, 2024],
    ['changes at midnight New York', '2025-01-01T04:59:59Z', held, 2024],
    ['begins with the odd year before', '2025-01-01T05:00:00Z', held, 2026],
    ['is at most the latest held', '2031-05-05T12:00:00Z', held, 2026],
    [
      'is the latest before it where the lake lacks it',
      '2029-05-05T12:00:00Z',
      ['2024-12-31', '2032-12-31'],
      2024,
    ],
    ['is its own where the lake holds later ones alone', '2023-05-05T12:00:00Z', ['2032-12-31'], 2024],
    ['is its own where the lake holds none', '2023-05-05T12:00:00Z', [], 2024],
  ])('%s', (_, clock, ends, cycle) => {
    at(clock)
    const { envelope } = fecCompanies.plan(
      { cycle: null, min_total: null, page: 1, limit: 50 } as never,
      holding(...ends),
      {
        owner: null,
        admin: false,
      },
    )
    expect(envelope?.[0]).toBe(`{"cycle":${cycle},"data":[`)
  })
})
