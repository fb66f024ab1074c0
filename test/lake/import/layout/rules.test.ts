import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { literal, text } from '../../../../src/engine/bind.ts'
import { macrosUsed } from '../../../../src/engine/macros.ts'
import { openWriter, type Writer } from '../../../../src/engine/writer.ts'
import { sharedMacros } from '../../../../src/lake/import/format/formats.ts'
import type { ColumnRule } from '../../../../src/lake/import/layout/layout.ts'
import { type Origins, ruleSql } from '../../../../src/lake/import/layout/rule.ts'

let writer: Writer
beforeAll(async () => {
  writer = await openWriter({ directories: [], threads: 1 })
})
afterAll(() => writer.close())

const COLUMNS = new Map([
  ['Date', '20240310'],
  ['Time', '0230'],
  ['Side', 'B'],
])

const origins: Origins = {
  column: name => {
    const value = COLUMNS.get(name)
    return value === undefined ? undefined : literal(text(value))
  },
  options: { ticker: 'SPY' },
  fileName: 'ACME_2024.csv',
  above: ['Symbol: XYZ', 'Date: 2024-01-31'],
}

async function convert(rule: string | ColumnRule, changed: Partial<Origins> = {}): Promise<unknown> {
  const sql = ruleSql(rule, { ...origins, ...changed })
  if (sql === undefined) return undefined
  for (const macro of macrosUsed(sql, sharedMacros())) await writer.run(macro.sql)
  const [row] = await writer.rows(`SELECT (${sql})::VARCHAR AS value`)
  return row?.value
}

/** A number that was shifted has zeros around it, which formats remove. */
const withoutPadding = (value: unknown) =>
  typeof value === 'string' && value.includes('0'.repeat(30))
    ? value
        .replace(/^0+(?=\d)/, '')
        .replace(/^\./, '0.')
        .replace(/\.?0+$/, '')
    : value

describe('the value of a rule', () => {
  test.each<[ColumnRule, string | null]>([
    [{ value: '$1,234.50', number: 'us' }, '1234.50'],
    [{ value: '(1,234)', number: 'us' }, '-1234'],
    [{ value: '38.5K', number: 'us' }, '38500'],
    [{ value: '1,200.5M', number: 'us' }, '1200500000'],
    [{ value: '3B', number: 'us' }, '3000000000'],
    [{ value: '12,34', number: 'us' }, '12,34'],
    [{ value: '1.234,50', number: 'eu' }, '1234.50'],
    [{ value: '118,93M', number: 'eu' }, '118930000'],
    [{ value: '-0,52%', number: 'eu' }, '-0.52'],
    [{ value: '-', null: ['-'] }, null],
    [{ value: 'AAPL US Equity', match: '^(\\S+) US' }, 'AAPL'],
    [{ value: 'AAPL LN Equity', match: '^(\\S+) US' }, null],
    [{ value: '31/01/2024', date: '%d/%m/%Y' }, '2024-01-31'],
    [{ value: '9 Sept2024', date: '%d %b%Y' }, '2024-09-09'],
    [{ value: '26JAN24', date: '%d%b%y' }, '2024-01-26'],
    [{ value: '45322', date: 'excel' }, '2024-01-31'],
    [{ value: 'never', date: '%d/%m/%Y' }, 'never'],
    [{ value: '1704067200', time: 'unix' }, '2024-01-01T00:00:00.000000Z'],
    [{ value: '1704067200000', time: 'unix' }, '2024-01-01T00:00:00.000000Z'],
    [{ value: '2024-07-01 09:30', time: 'iso', zone: 'America/New_York' }, '2024-07-01T13:30:00.000000Z'],
    [
      { value: '2024-07-01T09:30:00+02:00', time: 'iso', zone: 'America/New_York' },
      '2024-07-01T07:30:00.000000Z',
    ],
    [
      { value: '20241103 0130', time: '%Y%m%d %H%M', zone: 'America/New_York' },
      '2024-11-03T06:30:00.000000Z',
    ],
    [{ value: '42', times: '0.0001' }, '0.0042'],
    [{ from: 'Side', words: { B: 'buy' } }, 'buy'],
    [{ value: 'BAC-L', symbols: 'nasdaq' }, 'inet:BAC-L'],
    [{ value: 'BRK.B', symbols: 'nasdaq' }, 'BRK.B'],
    [{ from: ['Absent', 'Side'] }, 'B'],
    [{ join: ['Date', 'Time'] }, '20240310 0230'],
    [{ option: 'ticker' }, 'SPY'],
    [{ file: '^([A-Z]+)_' }, 'ACME'],
    [{ above: '^Symbol: (\\w+)' }, 'XYZ'],
    [{ option: 'pair', or: { from: 'Side' } }, 'B'],
  ])('%j', async (rule, value) => {
    expect(withoutPadding(await convert(rule))).toBe(value)
  })

  test('is the text itself for a time that daylight saving time skips, for the format to reject', async () => {
    const rule = { join: ['Date', 'Time'], time: '%Y%m%d %H%M', zone: 'America/New_York' }
    expect(await convert(rule)).toBe('20240310 0230')
    expect(await convert(rule, { options: { zone: 'UTC' } })).toBe('2024-03-10T02:30:00.000000Z')
  })

  test('is missing without its column, flag or name of a file', async () => {
    for (const rule of [
      { from: 'Absent' },
      { option: 'pair' },
      { file: '^(\\d+)' },
      { above: '^Name: (.*)' },
    ])
      expect(await convert(rule)).toBeUndefined()
    expect(() => ruleSql({ value: 'x', time: 'iso', zone: 'Mars' }, origins)).toThrow(
      'unknown time zone "Mars"',
    )
  })
})
