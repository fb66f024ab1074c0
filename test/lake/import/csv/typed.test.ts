import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLine } from '../../../../src/lake/import/format/plain-lines.ts'
import { dataset } from '../../../../src/lake/store/datasets.ts'
import type { Column } from '../../../../src/lake/store/schema.ts'
import { randomRuns } from '../../../fixtures/tier.ts'
import { readingOf } from '../canonical-files.ts'

const { columns } = dataset('option_trades')

/** Texts of a type that DuckDB's reader takes, among them some that a mapping rejects. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  UUID: ['0e37df36-f698-11e6-8dd4-cb9ced3df976', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  DATE: ['2024-01-03', '1000-01-01', '2999-12-31'],
  TIMESTAMP: ['2024-01-03 14:30:00', '2024-01-03T00:00:00.1', '1999-12-31 23:59:59.999999'],
  BOOLEAN: ['true', 'false'],
  INTEGER: ['0', '-0', '007', '2147483647', '-2147483648'],
  BIGINT: ['0', '-1', '00012', '9223372036854775807', '-9223372036854775808'],
  'VARCHAR[]': ['[]', '"[""ask_side""]"', '" [a, b]"', '[a', '"[""x"", null]"'],
}
/** Plain texts that DuckDB's reader does not take: it fails, and the file is read as text. */
const FAILING: readonly (readonly [type: string, text: string])[] = [
  ['DATE', '2023-02-29'],
  ['TIMESTAMP', '2024-01-03 24:30:00'],
  ['BIGINT', '9223372036854775808'],
  ['DECIMAL(18,4)', '123456789012345'],
]
const TEXTS = [
  'A',
  'BRK-B',
  'call',
  'put',
  'CALL',
  '',
  '""',
  '" lead"',
  'say ""x',
  'é😀',
  '"a, ""b"""',
  '1e3',
]

function takenBy({ name, type }: Pick<Column, 'name' | 'type'>): readonly string[] {
  if (name === 'option_type') return ['call', 'put', 'call', 'put', 'PUT', 'x']
  const [, width = 0, places = 0] = (/^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []).map(Number)
  if (width === 0) return TAKEN[type] ?? TEXTS.filter(text => !text.includes('say'))
  return [
    '0',
    '-0.1',
    '007.5',
    `${'9'.repeat(width - places)}.${'9'.repeat(places)}`,
    `-1.${'0'.repeat(places)}`,
  ]
}

/** Mostly a value: half of the rows of a file must be good. */
const field = (column: Column) =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...takenBy(column)) },
    { weight: 1, arbitrary: fc.constant('') },
  )
const row = fc.tuple(...columns.map(field)).map(fields => fields.join(','))
const failing = fc.constantFrom(...FAILING).map(([type, text]) => {
  const place = columns.findIndex(column => column.type === type)
  return columns.map((column, index) => (index === place ? text : (takenBy(column)[0] ?? ''))).join(',')
})
const file = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 30 }),
  failing: fc.option(failing, { nil: null, freq: 1 }),
  lineEnd: fc.constantFrom('\n', '\r\n'),
})

/** What DuckDB's reader would take in the type of the column, and a mapping rejects or reads otherwise. */
const NOT_PLAIN: readonly (readonly [type: string, ...texts: string[]])[] = [
  ['DATE', '2024-1-3', 'infinity', '2024-01-03 00:00:00', '0000-01-03', '20240103'],
  [
    'TIMESTAMP',
    '2024-01-03 14:30:00+02',
    '2024-01-03 14:30:00Z',
    '2024-01-03 14:30:00.1234567',
    '2024-01-03',
  ],
  ['INTEGER', '1e3', '0x10', '1_000', ' 5', '5 ', '+5', '1.5'],
  ['BIGINT', '1e3', '0x10', '1_000', ' 5', '5 ', '+5', '1.5'],
  ['DECIMAL(18,4)', '1.00005', '1e-3', '1_000.5', '.5', '5.', 'nan', '"5"'],
  ['BOOLEAN', 't', '1', 'TRUE', 'yes'],
  ['UUID', '{0e37df36-f698-11e6-8dd4-cb9ced3df976}', '0e37df36f69811e68dd4cb9ced3df976'],
]
test.each(NOT_PLAIN)('as %s, a file with %s is read as text', (type, ...texts) => {
  const column: Column = { name: 'value', type, nullable: true, comment: '', since: null }
  const pattern = new RegExp(`^(?:${plainLine([column], ',')})$`)
  expect(takenBy(column).filter(text => !pattern.test(text))).toEqual([])
  expect(texts.filter(text => pattern.test(text))).toEqual([])
})

test('a file that is read in the types of its columns has the same accepted and rejected rows as one read as text', {
  tags: 'slow',
}, async () => {
  const run = await readingOf('option_trades')
  const header = columns.map(({ name }) => name)
  const pattern = new RegExp(`^(?:${plainLine(columns, ',')})$`)
  // An exponent: a file with this line is read as text.
  const other = columns.map(({ name }, place) =>
    name === 'price' ? '1e0' : (takenBy(columns[place] as Column)[0] ?? ''),
  )
  const read = async (lines: readonly string[], lineEnd: string) => {
    const path = run.file('a.csv', [header.join(','), ...lines].join(lineEnd))
    expect(await run.read('csv', path, 'whole')).toBe(lines.length)
    return run.rejects()
  }
  expect(pattern.test(other.join(','))).toBe(false)
  await fc.assert(
    fc.asyncProperty(file, async ({ rows, failing: last, lineEnd }) => {
      const lines = last === null ? rows : [...rows, last]
      for (const line of lines) expect(line).toMatch(pattern)
      const typed = await read(lines, lineEnd)
      await run.writer.run(`CREATE OR REPLACE TABLE typed AS FROM ${run.table}`)
      const asText = await read([...lines, other.join(',')], lineEnd)
      await run.writer.run(`DELETE FROM ${run.table} WHERE rowid = (SELECT max(rowid) FROM ${run.table})`)
      expect(typed).toEqual(asText)
      expect(await run.differences('typed')).toBe(0)
    }),
    { numRuns: randomRuns(3) },
  )
})
