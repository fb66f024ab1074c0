import { describe, expect, test } from 'vitest'
import { type ClosingRule, closedDate } from '../../../src/lake/closing/closed-date.ts'
import { type CountedPart, dayRows } from '../../../src/lake/closing/day-rows.ts'
import { sourcesOfDay } from '../../../src/lake/store/derivation.ts'

const RULE: ClosingRule = { percent: 50, sessions: 20 }

/** The last closed date of the first dataset, each of which is its own source. */
function closedOf(
  rows: Readonly<Record<string, Readonly<Record<string, number>>>>,
  { closed = null, rule = RULE }: { closed?: string | null; rule?: ClosingRule } = {},
): string | null {
  const [first = '', ...others] = Object.keys(rows)
  const calendar = {
    closed,
    rows: (name: string) => new Map(Object.entries(rows[name] ?? {})),
    sources: (name: string) => [name],
  }
  return closedDate([first, ...others], calendar, rule)
}

/** Five sessions of January 2024 with these numbers of rows; 0: none. */
const week = (...counts: readonly number[]) =>
  Object.fromEntries(
    ['2024-01-08', '2024-01-09', '2024-01-10', '2024-01-11', '2024-01-12'].flatMap((day, index) =>
      counts[index] ? [[day, counts[index]]] : [],
    ),
  )

describe('the last closed date', () => {
  test('has at least half the median rows of the days before', () => {
    // Medians of the four days before: (80 + 100) / 2 = 90, half of which is 45.
    expect(closedOf({ trades: week(80, 100, 70, 120, 45) })).toBe('2024-01-12')
    expect(closedOf({ trades: week(80, 100, 70, 120, 44) })).toBe('2024-01-11')
    expect(closedOf({ trades: week(100, 100, 100, 20, 30) })).toBe('2024-01-10')
  })

  test('is the first day of a lake, and null in an empty lake', () => {
    expect(closedOf({ trades: week(3) })).toBe('2024-01-08')
    expect(closedOf({ trades: {} })).toBeNull()
  })

  test('has all datasets', () => {
    expect(closedOf({ trades: week(9, 9, 9, 9, 9), chains: week(7, 7, 7, 0, 3) })).toBe('2024-01-10')
    expect(closedOf({ trades: week(9, 9, 9, 9, 9), chains: week(7, 7, 7, 0, 4) })).toBe('2024-01-12')
  })

  test('is a day of the first dataset', () => {
    expect(closedOf({ trades: week(9, 9, 9), chains: week(7, 7, 7, 7, 7) })).toBe('2024-01-10')
  })

  test('does not need a dataset whose import began later, or ended more than 20 sessions before', () => {
    expect(closedOf({ trades: week(9, 9, 9, 9), chains: week(0, 0, 0, 0, 7) })).toBe('2024-01-11')
    // 2023-12-13 is 20 sessions before 2024-01-12: 12 of December with the 13th, without Christmas, and 8 of January.
    expect(closedOf({ trades: week(9, 9, 9, 9, 9), chains: { '2023-12-13': 7 } })).toBeNull()
    expect(closedOf({ trades: week(9, 9, 9, 9, 9), chains: { '2023-12-12': 7 } })).toBe('2024-01-12')
  })

  test('is compared with the 20 sessions before it: a day long after the others is closed', () => {
    // The 20th session before 2024-02-09 is 2024-01-11, because 15 January is a holiday.
    const trades = week(9, 9, 9, 9, 9)
    expect(closedOf({ trades: { ...trades, '2024-02-09': 4 } })).toBe('2024-01-12')
    expect(closedOf({ trades: { ...trades, '2024-06-03': 4 } })).toBe('2024-06-03')
  })

  test('can be any day up to the one that a command closed', () => {
    const rows = { trades: week(100, 100, 1, 1, 1) }
    expect(closedOf(rows, { closed: '2024-01-11' })).toBe('2024-01-11')
    expect(closedOf(rows, { closed: '2024-02-01' })).toBe('2024-01-12')
  })

  test('follows the rule', () => {
    const rows = { trades: week(10, 100, 100, 20, 19) }
    // 20 of the median 100 of the days before; 19 of (20 + 100) / 2 = 60.
    expect(closedOf(rows, { rule: { percent: 30, sessions: 20 } })).toBe('2024-01-12')
    expect(closedOf(rows, { rule: { percent: 40, sessions: 20 } })).toBe('2024-01-10')
    // 19 of 20, the day before alone.
    expect(closedOf(rows, { rule: { percent: 90, sessions: 1 } })).toBe('2024-01-12')
    expect(closedOf({ ...rows, chains: week(7) }, { rule: { percent: 0, sessions: 20 } })).toBe('2024-01-12')
  })
})

describe('rows by day', () => {
  const file = (rows: number, first: string, last: string): CountedPart['files'][number] => ({
    rows,
    dates: [first, last],
  })

  test('are those of the manifests, over all partitions', () => {
    const digests = (rows: Readonly<Record<string, number>>): CountedPart => ({
      days: Object.fromEntries(Object.entries(rows).map(([day, count]) => [day, [count, '']])),
      files: [],
    })
    const parts = [
      digests({ '2024-01-09': 2, '2024-01-08': 1 }),
      digests({ '2024-01-09': 3 }),
      digests({ all: 9 }),
    ]
    expect([...dayRows(parts)]).toEqual([
      ['2024-01-08', 1],
      ['2024-01-09', 5],
    ])
  })

  test('are spread over the sessions of a file without counts', () => {
    // 2024-01-12 is a Friday, and Monday the 15th a holiday.
    const files = [file(30, '2024-01-12', '2024-01-17'), file(5, '2024-01-17', '2024-01-17')]
    expect([...dayRows([{ files }])]).toEqual([
      ['2024-01-12', 10],
      ['2024-01-16', 10],
      ['2024-01-17', 15],
    ])
  })
})

test('contracts are complete with the trades, chains and stocks of the day, which their own rows do not show', () => {
  expect(new Set(sourcesOfDay('contract_days'))).toEqual(
    new Set(['option_trades', 'option_chain_days', 'stock_days']),
  )
  expect(sourcesOfDay('price_levels')).toEqual(['stock_trades'])
  expect(sourcesOfDay('option_trades')).toEqual(['option_trades'])
})
