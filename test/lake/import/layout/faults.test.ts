import { describe, expect, test } from 'vitest'
import { importFormat } from '../../../../src/lake/import/format/formats.ts'
import { checkLayout } from '../../../../src/lake/import/layout/bind.ts'
import { parseLayout } from '../../../../src/lake/import/layout/layout.ts'

const base = { title: 'x', file: { kind: 'csv' }, columns: { date: 'd' } }
const parse = (layout: unknown) => parseLayout('map.json', 'map.json', JSON.stringify(layout))
const rule = (date: unknown) => ({ ...base, columns: { date } })

describe('a wrong layout is refused with the member that is wrong', () => {
  test.each<[string, unknown, string]>([
    ['an unknown member', { ...base, fil: 1 }, 'it has the unknown member "fil": did you mean "file"?'],
    ['of a rule', rule({ form: 'd' }), 'columns.date has the unknown member "form": did you mean "from"?'],
    [
      'of an alternative',
      rule({ from: 'd', or: { options: 'x' } }),
      'columns.date.or has the unknown member "options": did you mean "option"?',
    ],
    [
      'of the file',
      { ...base, file: { kind: 'csv', row: 'a' } },
      'file has the unknown member "row": did you mean "rows"?',
    ],
    ['a missing member', { title: 'x', columns: {} }, 'it lacks "file"'],
    [
      'a word',
      { ...base, file: { kind: 'tsv' } },
      'file.kind is "tsv", but must be one of csv, json, xlsx, parquet, xml',
    ],
    [
      'a notation',
      rule({ from: 'd', number: 'de' }),
      'columns.date.number is "de", but must be one of us, eu',
    ],
    ['a rule of another type', rule(5), 'columns.date is 5, but must be a string or an object'],
    ['a pattern', rule({ from: 'd', match: '(' }), 'columns.date.match is not a regular expression: "("'],
    ['a list', [], 'it is [], but must be an object'],
    ['two origins', rule({ from: 'd', value: 'x' }), 'columns.date must have exactly one of from, join'],
    ['no header and no names', { ...base, file: { kind: 'csv', header: 0 } }, 'needs file.names'],
  ])('%s', (_, layout, message) => {
    expect(() => parse(layout)).toThrow(message)
  })

  test.each<[string, unknown, string]>([
    ['a source', { ...base, source: 'nope' }, 'daily-bars has no source "nope": use raw'],
    [
      'a raw column',
      { ...base, columns: { dat: 'd' } },
      'has a rule for "dat", which is not a column of daily-bars: did you mean "date"?',
    ],
    ['no rule for a required column', base, 'has no rule for "ticker", which daily-bars needs'],
  ])('%s that its format does not have', (_, layout, message) => {
    expect(() => checkLayout(parse(layout), importFormat('daily-bars'))).toThrow(message)
  })
})
