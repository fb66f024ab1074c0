import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  comparisonOf,
  lineOf,
  markdownOf,
  type Results,
  readResults,
  writeResults,
} from '../../bench/results.ts'
import { figureOf, type Measured } from '../../bench/section.ts'
import { folderForTest } from '../fixtures/lake.ts'

const figure = (measured: Measured) => figureOf('store', 'npm run bench -- store', measured)
const results = (day: number, ...measured: readonly Measured[]): Results => ({
  date: `2026-11-0${day}T10:20:30.400Z`,
  quick: false,
  node: 'v20.19.0',
  cores: 2,
  allocator: null,
  figures: measured.map(figure),
})

test.each([
  [1.25, { atMost: 1.25 }, true],
  [1.2501, { atMost: 1.25 }, false],
  [0.5, { atLeast: 0.5 }, true],
  [0.4999, { atLeast: 0.5 }, false],
] as const)('a ratio of %d and the bound %j', (ratio, target, met) => {
  expect(figure({ name: 'filling', ratio, target }).met).toBe(met)
})

test('a figure without a bound is neither met nor missed', () => {
  expect(figure({ name: 'filling', ratio: 3 }).met).toBeNull()
  expect(figure({ name: 'filling', target: { atMost: 1 } }).met).toBeNull()
})

test.each([
  [
    { ratio: 0.4971, target: { atLeast: 0.5 } },
    'three digits at the bound',
    'store: filling  0.497 (≥ 0.5: missed)',
  ],
  [{ ratio: 0.5, target: { atLeast: 0.5 } }, 'the bound itself', 'store: filling  0.50 (≥ 0.5: met)'],
  [{ ratio: 0.7185, target: { atMost: 0.5 } }, 'two digits', 'store: filling  0.72 (≤ 0.5: missed)'],
  [
    { details: { 's, ours': 1234.5, ms: 0.012345, note: 'once' } },
    'no ratio',
    'store: filling  s, ours 1235, ms 0.0123, note once',
  ],
] as const)('the line of %j: %s', (measured, _what, line) => {
  expect(lineOf(figure({ name: 'filling', ...measured }))).toBe(line)
})

test('the table has a line for each figure', () => {
  const text = markdownOf(
    results(
      1,
      { name: 'filling', ratio: 0.71, target: { atMost: 0.5 }, details: { 's, ours': 0.378, MiB: 30.6 } },
      { name: 'alone' },
    ),
  )
  expect(text.split('\n')).toEqual([
    'Measured on 2026-11-01.',
    '',
    '| Section | Measured | Ratio | Target | Met | Values |',
    '| --- | --- | ---: | --- | --- | --- |',
    '| store | filling | 0.71 | ≤ 0.5 | no | s, ours 0.378; MiB 30.6 |',
    '| store | alone |  |  |  |  |',
    '',
  ])
})

test('a comparison names the verdicts that differ, and counts those of both runs only', () => {
  const target = { atMost: 1 }
  const one = results(
    1,
    { name: 'same', ratio: 0.5, target },
    { name: 'differs', ratio: 0.8, target },
    { name: 'missed twice', ratio: 2, target },
    { name: 'gone', ratio: 0.5, target },
    { name: 'shown alone', ratio: 4 },
  )
  const other = results(
    2,
    { name: 'shown alone', ratio: 5 },
    { name: 'missed twice', ratio: 1.5, target },
    { name: 'differs', ratio: 1.2, target },
    { name: 'same', ratio: 0.6, target },
    { name: 'added', ratio: 3, target },
  )
  expect(comparisonOf(one, other).split('\n')).toEqual([
    '| Section | Measured | 2026-11-01T10:20 | 2026-11-02T10:20 | Met | Change |',
    '| --- | --- | ---: | ---: | --- | ---: |',
    '| store | same | 0.50 | 0.60 | yes | +20 % |',
    '| store | differs | 0.80 | 1.20 | no, was yes | +50 % |',
    '| store | missed twice | 2.00 | 1.50 | no | -25 % |',
    '| store | gone | 0.50 |  |  | gone |',
    '| store | shown alone | 4.00 | 5.00 |  | +25 % |',
    '| store | added |  | 3.00 | no | new |',
    '',
    'Of the 3 verdicts that both runs have, 2 are the same.',
    '- store: differs: no, was yes',
    '',
  ])
})

test('results are read as they were written, and other files are refused by name', () => {
  const path = join(folderForTest(), 'runs', 'one.json')
  const written = results(1, { name: 'filling', ratio: 0.5, target: { atMost: 0.5 } })
  writeResults(path, written)
  expect(readResults(path)).toEqual(written)
  for (const [text, message] of [
    ['{"figures": 1}', `${path} has no figures: give a file of bench/results`],
    ['[]', `${path} has no figures: give a file of bench/results`],
    ['{', `cannot read ${path}: `],
  ] as const) {
    writeFileSync(path, text)
    expect(() => readResults(path)).toThrow(message)
  }
})
