import { expect, test } from 'vitest'
import { fingerprint, windowOf } from '../../../src/lake/derive/fingerprint.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { derivations, inOrder, parseDerivation } from '../../../src/lake/store/derivation.ts'
import type { HeldDays } from '../../../src/lake/store/held-days.ts'

const HEADER = `-- stock_days: a summary
-- days: daily_bars, stock_bars
-- run: 7
-- reads: daily_bars on the day
-- reads: stock_bars 1 date before
-- reads: tickers all before
-- reads: insiders all
-- reads: stock_days 380 days before
SELECT 1`

test('a derivation has its inputs and how far back it reads them', () => {
  const { dataset: own, summary, days, run, reads } = parseDerivation('stock_days', HEADER)
  expect([own.name, summary, days.map(({ name }) => name), run]).toEqual([
    'stock_days',
    'a summary',
    ['daily_bars', 'stock_bars'],
    7,
  ])
  expect(reads.map(each => [each.dataset.name, each.reach])).toEqual([
    ['daily_bars', { kind: 'day' }],
    ['stock_bars', { kind: 'dates', count: 1 }],
    ['tickers', { kind: 'before' }],
    ['insiders', { kind: 'all' }],
    ['stock_days', { kind: 'days', count: 380 }],
  ])
})

test.each([
  ['run: 7', 'run: 0', 'expected a whole number of days in "-- run: …"'],
  ['-- run: 7\n', '', 'expected one line "-- run: …"'],
  ['daily_bars on the day', 'daily_bars yesterday', 'found "daily_bars yesterday"'],
  ['-- reads: insiders all', '-- reads: tickers all', 'expected one line "-- reads: …" for each input'],
  ['insiders all', 'nobody all', 'unknown dataset "nobody"'],
])('a header with %j as %j is refused', (part, wrong, problem) => {
  expect(() => parseDerivation('stock_days', HEADER.replace(part, wrong))).toThrow(problem)
})

test('each derivation is after its inputs, and none depends on itself through others', () => {
  const names = [...derivations().keys()]
  for (const { dataset: own, reads } of derivations().values())
    for (const { dataset: input } of reads)
      if (derivations().has(input.name) && input !== own)
        expect(names.indexOf(input.name), `${own.name} reads ${input.name}`).toBeLessThan(
          names.indexOf(own.name),
        )
  const one = parseDerivation('stock_days', HEADER.replace('insiders all', 'price_levels on the day'))
  const other = parseDerivation(
    'price_levels',
    '-- price_levels: s\n-- days: stock_trades\n-- run: 1\n-- reads: stock_days on the day\nSELECT 1',
  )
  expect(() => inOrder([one, other])).toThrow('stock_days, price_levels depend on each other')
})

/** Days of a dataset, each with the digest that is given, or its own date. */
const held = (name: string, days: readonly string[], digests: Record<string, string> = {}): HeldDays => ({
  dataset: dataset(name),
  days,
  digest: day => (days.includes(day) ? (digests[day] ?? day) : ''),
  rows: day => (days.includes(day) ? 1 : 0),
  files: () => [],
})

const DAYS = ['2024-01-02', '2024-01-03', '2024-01-05', '2024-01-08']

test('a window is as long as its input specifies, and own history ends before the day', () => {
  const days = held('stock_bars', DAYS)
  const day = '2024-01-08'
  expect(windowOf({ kind: 'day' }, days, day, false)).toEqual({ from: day, to: day })
  // The two dates before that are held, whatever the calendar.
  expect(windowOf({ kind: 'dates', count: 2 }, days, day, false)).toEqual({ from: '2024-01-03', to: day })
  expect(windowOf({ kind: 'dates', count: 9 }, days, day, false)).toEqual({ from: '2024-01-02', to: day })
  expect(windowOf({ kind: 'days', count: 4 }, days, day, false)).toEqual({ from: '2024-01-04', to: day })
  expect(windowOf({ kind: 'dates', count: 1 }, days, day, true)).toEqual({
    from: '2024-01-05',
    to: '2024-01-07',
  })
  expect(windowOf({ kind: 'before' }, days, day, true)).toEqual({ from: '0000-01-01', to: '2024-01-07' })
  expect(windowOf({ kind: 'all' }, days, '2024-01-03', false)).toEqual({
    from: '0000-01-01',
    to: '9999-12-31',
  })
})

test('a fingerprint changes with each day in its windows and with no other', () => {
  const derivation = parseDerivation(
    'stock_days',
    `-- stock_days: s
-- days: daily_bars
-- run: 1
-- reads: daily_bars 1 date before
-- reads: insiders all
-- reads: stock_days 3 days before
SELECT 1`,
  )
  const of = (digests: Record<string, Record<string, string>>, sql = derivation) =>
    fingerprint(
      sql,
      new Map([
        ['daily_bars', held('daily_bars', DAYS, digests.daily_bars)],
        ['stock_days', held('stock_days', DAYS, digests.stock_days)],
        ['insiders', held('insiders', ['all'], digests.insiders)],
      ]),
      '2024-01-05',
    )
  const whole = of({})
  expect(of({})).toBe(whole)
  // The day, the date before it; not the one before that, nor a later one.
  expect(of({ daily_bars: { '2024-01-05': 'x' } })).not.toBe(whole)
  expect(of({ daily_bars: { '2024-01-03': 'x' } })).not.toBe(whole)
  expect(of({ daily_bars: { '2024-01-02': 'x' } })).toBe(whole)
  expect(of({ daily_bars: { '2024-01-08': 'x' } })).toBe(whole)
  // Own history: the three calendar days before, without the day itself.
  expect(of({ stock_days: { '2024-01-02': 'x' } })).not.toBe(whole)
  expect(of({ stock_days: { '2024-01-05': 'x' } })).toBe(whole)
  expect(of({ insiders: { all: 'x' } })).not.toBe(whole)
  expect(of({}, { ...derivation, hash: 'x' })).not.toBe(whole)
})
