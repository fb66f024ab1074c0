import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '../../src/api/service/problem-codes.ts'
import { operations } from '../../src/operations/index.ts'
import { read } from '../house/source.ts'

const page = read('docs/operations.md')
const [, contents = ''] = /^## Contents\n(.*?)^## /ms.exec(page) ?? []

describe('docs/operations.md', () => {
  test('begins with a table of contents that fits on two screens', () => {
    expect(page.slice(0, page.indexOf('## Contents')).split('\n').length).toBeLessThan(10)
    expect(contents.split('\n').length).toBeLessThan(90)
  })

  test('lists each operation once, below its subject', () => {
    const listed = contents.split(/^(?=\*\*\[)/m).flatMap(group => {
      const [, subject] = /^\*\*\[([^\]]+)\]/.exec(group) ?? []
      return [...group.matchAll(/^- \[([^\]]+)\]\(#[^)]+\): `([\w-]+)`, `([^`]+)`$/gm)].map(
        ([, summary, id, path]) => ({ subject, summary, id, path }),
      )
    })
    const expected = operations.map(({ subject, summary, id, path }) => ({ subject, summary, id, path }))
    const byId = (one: { id?: string }, other: { id?: string }) =>
      (one.id ?? '') < (other.id ?? '') ? -1 : 1
    expect(listed.toSorted(byId)).toEqual(expected.toSorted(byId))
  })

  test.each([
    ['open interest by expiry', 'oi-per-expiry'],
    ['greeks by strike', 'greeks'],
    ['holdings of an ETF', 'etf-holdings'],
    ['trades of an option contract', 'contract-flow'],
    ['insiders of a company', 'insiders'],
    ['exchange rate', 'forex-rate'],
  ])('has %j in its table of contents', (words, id) => {
    const lines = contents.split('\n').filter(line => line.toLowerCase().includes(words.toLowerCase()))
    expect(lines.some(line => line.includes(`\`${id}\``))).toBe(true)
  })

  test('has the section of each operation below the heading of its subject', () => {
    const found = page
      .slice(page.indexOf(contents) + contents.length)
      .split(/^## /m)
      .flatMap(part =>
        [...part.matchAll(/^`GET [^`]+`, `tapehouse query ([\w-]+)`$/gm)].map(([, id = '']) => [
          id,
          part.split('\n', 1)[0],
        ]),
      )
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(operations.map(({ id, subject }) => [id, subject])),
    )
  })

  /** Rows of the table below a text, as their cells. */
  const rowsBelow = (text: string, columns: number) => {
    const [, table = ''] = page.slice(page.indexOf(text)).split(/^\| --- .*\n/m)
    const lines =
      table
        .split(/^(?!\|)/m)[0]
        ?.trimEnd()
        .split('\n') ?? []
    return lines.map(line =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, columns + 1)
        .map(cell => cell.trim()),
    )
  }

  test.each([
    ['institution-holdings', '`limit`', 'integer, 1 to 500', '`500`'],
    ['congress-politicians', '`last_traded_within_months`', 'integer, 1 to 240', ''],
    ['contract-flow', '`id`', 'text', '**required**'],
    ['contract-flow', '`limit`', 'integer, at least 1', ''],
    ['contract-flow', '`side`', 'one of the values', '`ALL`'],
    ['screener-option-contracts', '`sectors[]`', 'list: one of the values', ''],
    ['screener-option-contracts', '`min_delta`', 'number, -1 to 1', ''],
    ['screener-option-contracts', '`expiry_dates[]`', 'list: date', ''],
    ['fec-companies', '`cycle`', 'even integer, 1900 to 9998', ''],
    ['institutions', '`name`', 'text, at most 200 characters', ''],
  ])('says what values %s takes for %s', (id, name, values, standard) => {
    const row = rowsBelow(`tapehouse query ${id}\``, 4).find(([first]) => first === name)
    expect(row?.slice(2)).toEqual([values, standard])
  })

  test('has the limits of the specification', () => {
    const rows = rowsBelow('## Limits', 4).map(cells => cells.join(' | '))
    expect(rows).toEqual(
      expect.arrayContaining(
        [
          '`institution-holdings` | `limit` | 1 to 500 | `500`',
          '`institution-sectors` | `limit` | 1 to 500 | `500`',
          '`institutions` | `limit` | 1 to 500 | `500`',
          '`alerts` | `limit` | 1 to 500 | `50`',
          '`congress-late-reports` | `limit` | 1 to 200 | `100`',
          '`flow-alerts` | `limit` | 1 to 200 | `100`',
          '`potus-posts` | `limit` | 1 to 200 | `200`',
          '`crypto-ohlc` | `limit` | 1 to 500 | `500`',
          '`option-stance` | `limit` | 1 to 100 | `25`',
          '`fec-companies` | `limit` | 1 to 200 | `50`',
          '`fec-companies` | `page` | 1 to 1,000,001 | `1`',
          '`congress-politicians` | `last_traded_within_months` | 1 to 240 |',
          '`contract-flow` | `limit` | at least 1 |',
          '`contract-flow` | `min_premium` | at least 0 | `0`',
          '`screener-option-contracts` | `min_volume` | at least 0 |',
          '`screener-option-contracts` | `max_volume` | at least 0 |',
          '`institution-holdings` | `historical_units` of a record | at most 8 entries |',
        ].map(line => expect.stringContaining(line)),
      ),
    )
  })

  test('has the body of each error', () => {
    const rows = rowsBelow('## Errors', 3)
    expect(rows).toContainEqual(['406', '`not_acceptable`', '`code`, `message`, `request_id`, `accepted`'])
    expect(rows).toContainEqual(['422', 'none', '`msg`, `path`, `query`, `url`'])
    expect(rows.map(([status]) => Number(status))).toEqual([
      ...new Set(Object.values(PROBLEMS).map(({ status }) => status)),
    ])
  })
})
