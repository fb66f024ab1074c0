import { describe, expect, test } from 'vitest'
import { operationOf } from '../../../src/cli/query/operation-argument.ts'
import { textTable } from '../../../src/cli/terminal/text-table.ts'
import { cutToWidth } from '../../../src/cli/terminal/width.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { tapehouseHere } from '../in-process.ts'

const ndjson = (...rows: object[]) => Buffer.from(rows.map(row => `${JSON.stringify(row)}\n`).join(''))

describe('a text table', () => {
  const rows = ndjson({ name: '東京', kind: 'é', value: '1.50' }, { name: 'ab', kind: '😀x', value: '12.25' })

  test('aligns wide, combining and narrow characters', () => {
    expect(textTable(rows).split('\n')).toEqual([
      'name  kind  value',
      '────  ────  ─────',
      '東京  é      1.50',
      'ab    😀x   12.25',
      '',
    ])
  })

  test('has the requested columns in their order, or each record as lines', () => {
    expect(textTable(rows, { columns: ['value', 'name'] })).toBe(
      'value  name\n─────  ────\n 1.50  東京\n12.25  ab\n',
    )
    expect(textTable(rows, { columns: ['name', 'value'], isVertical: true })).toBe(
      '──── 1 ────\nname   東京\nvalue   1.50\n──── 2 ────\nname   ab\nvalue  12.25\n'.replace(
        '  1.50',
        ' 1.50',
      ),
    )
  })

  test('cuts long values, but not vertically', () => {
    const long = ndjson({ text: 'x'.repeat(60) })
    expect(textTable(long)).toContain(`\n${'x'.repeat(39)}…\n`)
    expect(textTable(long, { isVertical: true })).toContain(`text  ${'x'.repeat(60)}\n`)
  })

  test('is vertical if it is wider than the terminal', () => {
    const wide = ndjson(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`column_${at}`, at])))
    expect(textTable(wide).split('\n').slice(0, 2)).toEqual(['──── 1 ────', 'column_0   0'])
  })
})

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['東京都庁', 5, '東京…'],
  ['東京都庁', 4, '東…'],
  [`e${'\u0301'.repeat(1000)}f`, 5, '…'],
])('%j in %i columns', (text, width, expected) => {
  expect(cutToWidth(text, width)).toBe(expected)
})

describe('the operation of query', () => {
  test.each([
    [['economy', '--format', 'csv'], 'economy'],
    [['--format', 'csv', 'economy'], 'economy'],
    [['--symbols', 'economy', 'analytics-window'], 'analytics-window'],
    [['--sql', 'greeks', '--ticker', 'economy'], 'greeks'],
    [['nothing', 'economy'], undefined],
    [['--ticker', 'economy'], undefined],
    [['--ticker=economy', 'greeks'], 'greeks'],
  ])('of %j is %s', (argv, id) => {
    expect(operationOf(argv, ['format'])?.id).toBe(id)
  })

  test('is listed in the help, one line each, and has an example of its own', async () => {
    const { stdout } = await tapehouseHere(['query', '--help'])
    expect(stdout.toString()).toMatch(
      /\nStocks and ETFs\n {2}cash-flows {2,}Cash flow statements of a company\n/,
    )
    const own = (await tapehouseHere(['query', 'greeks', '--help'])).stdout.toString()
    expect(own).toMatch(/\nExamples:\n {2}tapehouse query greeks --ticker \S+ --expiry 20\d\d-\d\d-\d\d\n$/)
  })
})

test.each([
  [['--columns', 'nam'], 'names "nam", which the answer does not have: did you mean name?'],
  [['--columns', 'name', '--format', 'csv'], '--columns is for tables: leave it out with --format csv'],
])('query %j is a usage error', async (flags, message) => {
  const lake = await sharedMarket('small')
  const { code, stderr } = await tapehouseHere(['query', 'congress-politicians', ...flags, '--lake', lake])
  expect([code, stderr.includes(message)]).toEqual([2, true])
})
