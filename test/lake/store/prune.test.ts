import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareKeys, indexFiles, type LakeFile, type Selection } from '../../../src/lake/store/prune.ts'
import { randomRuns } from '../../fixtures/tier.ts'

const file = (name: string, dates: [string, string], ranges: LakeFile['ranges'] = {}): LakeFile => ({
  path: `/lake/${name}`,
  name,
  rows: 1,
  bytes: 1,
  dataset: 'any',
  sha256: '',
  dates,
  ranges,
})

const bytes = (text: string) => Buffer.from(text, 'utf8')

test('keys are ordered as their UTF-8 bytes, not as UTF-16 units', () => {
  expect(compareKeys('\u{1f600}', '\uffee')).toBeGreaterThan(0)
  expect('\u{1f600}' < '\uffee').toBe(true)
  const unit = fc.constantFrom(
    'A',
    'z',
    'é',
    '\ud7ff',
    '\ue000',
    '\uffee',
    '\u{10000}',
    '\u{1f600}',
    '\u{10ffff}',
  )
  const key = fc.string({ unit, maxLength: 4 })
  fc.assert(
    fc.property(key, key, (one, other) => {
      expect(Math.sign(compareKeys(one, other))).toBe(Math.sign(Buffer.compare(bytes(one), bytes(other))))
    }),
    { numRuns: randomRuns(250) },
  )
})

test('a selection leaves exactly the files that may hold its rows', () => {
  const date = fc.integer({ min: 1, max: 28 }).map(n => `2024-02-${String(n).padStart(2, '0')}`)
  const key = fc.constantFrom('A', 'B', 'M', 'Z', 'ZZ', '\uffee', '\u{1f600}')
  const pair = (value: fc.Arbitrary<string>) =>
    fc.tuple(value, value).map(([a, b]): [string, string] => (compareKeys(a, b) <= 0 ? [a, b] : [b, a]))
  const anyFile = fc.record({ dates: pair(date), ticker: fc.option(pair(key)) })
  const selection = fc.record(
    { from: date, to: date, keys: fc.record({ ticker: fc.array(key, { maxLength: 3 }) }) },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(anyFile, { maxLength: 12 }), selection, (made, wanted: Selection) => {
      const files = made.map(({ dates, ticker }, index) =>
        file(String(index), dates, ticker === null ? {} : { ticker }),
      )
      const slow = files.filter(({ dates, ranges }) => {
        const tickers = wanted.keys?.ticker
        const { ticker } = ranges
        return (
          dates[1] >= (wanted.from ?? '') &&
          dates[0] <= (wanted.to ?? '9') &&
          (tickers === undefined ||
            ticker === undefined ||
            tickers.some(
              value =>
                Buffer.compare(bytes(ticker[0]), bytes(value)) <= 0 &&
                Buffer.compare(bytes(value), bytes(ticker[1])) <= 0,
            ))
        )
      })
      const index = indexFiles(files)
      expect(new Set(index.select(wanted))).toEqual(new Set(slow))
      expect(index.lastDate).toBe(
        files
          .map(({ dates }) => dates[1])
          .toSorted()
          .at(-1) ?? null,
      )
    }),
    { numRuns: randomRuns(125) },
  )
})

test('a lookup of one day among ten thousand files looks at the key ranges of that day only', () => {
  let looked = 0
  const counted = (name: string, date: string): LakeFile => ({
    ...file(name, [date, date]),
    get ranges() {
      looked += 1
      return { ticker: ['A', 'M'] as const }
    },
  })
  const days = Array.from({ length: 5000 }, (_, index) =>
    new Date(Date.UTC(2005, 0, 1 + index)).toISOString().slice(0, 10),
  )
  const index = indexFiles(days.flatMap(date => [counted(`${date}/1`, date), counted(`${date}/2`, date)]))
  const found = index.select({ from: '2010-03-03', to: '2010-03-03', keys: { ticker: ['B', 'X'] } })
  expect(found.map(({ name }) => name)).toEqual(['2010-03-03/1', '2010-03-03/2'])
  expect(looked).toBe(2)
})

test('files of unknown bounds are never pruned by key, and no value wanted means no file', () => {
  const index = indexFiles([
    file('known', ['2024-01-02', '2024-01-02'], { ticker: ['A', 'F'] }),
    file('unknown', ['2024-01-02', '2024-01-02']),
  ])
  const names = (keys: Selection['keys']) => index.select(keys ? { keys } : {}).map(({ name }) => name)
  expect(names({ ticker: ['Z'] })).toEqual(['unknown'])
  expect(names({ ticker: ['F'] })).toEqual(['known', 'unknown'])
  expect(names(undefined)).toEqual(['known', 'unknown'])
})
