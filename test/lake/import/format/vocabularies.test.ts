import { describe, expect, test } from 'vitest'
import { literal, text } from '../../../../src/engine/bind.ts'
import { importable } from '../../../../src/lake/import/format/canonical.ts'
import { sharedMacros } from '../../../../src/lake/import/format/formats.ts'
import { VOCABULARIES, vocabularyOf } from '../../../../src/lake/import/format/vocabularies.ts'
import { dataset } from '../../../../src/lake/store/datasets.ts'
import { folderForTest } from '../../../fixtures/lake.ts'
import { writerForTest } from '../../store/days.ts'
import { readingOf } from '../canonical-files.ts'

test('every value is read in any case, with other separators, and no other text is', async () => {
  const writer = await writerForTest(folderForTest())
  for (const { sql } of sharedMacros()) await writer.run(sql)
  for (const [column, { values, value }] of Object.entries(VOCABULARIES)) {
    const texts = values.flatMap(each => [
      [each, each],
      [each.toUpperCase(), each],
      [each.toLowerCase(), each],
      [each === '' ? '' : ` ${each.replaceAll(/[ _]/g, '-')} `, each],
      [each.replaceAll(/[ _]/g, ''), each],
      [`${each}x1`, null],
    ])
    const cases = [...texts, ["'; DROP TABLE x", null], ['techno', null]]
    const rows = await writer.rows(
      `SELECT ${value('written')} AS read FROM (VALUES ${cases.map(([written], at) => `(${at}, ${literal(text(written ?? null))})`)}) AS cases (place, written) ORDER BY place`,
    )
    expect(
      rows.map(({ read }) => read),
      column,
    ).toEqual(cases.map(([, expected]) => expected))
  }
})

test('each is of a column of some dataset that is imported', () => {
  const columns = importable().flatMap(name => dataset(name).columns)
  expect(Object.keys(VOCABULARIES).filter(name => !columns.some(column => column.name === name))).toEqual([])
  expect(
    columns.filter(column => vocabularyOf(column)?.values.includes('')).every(each => !each.nullable),
  ).toBe(true)
})

/** Profiles with these sectors, issue types and times of earnings. */
const PROFILES = `ticker,date,full_name,sector,issue_type,er_time
A,2024-01-02,A,Health Care,common_stock,PREMARKET
B,2024-01-02,B,information technology,Stock,Unknown
C,2024-01-02,C,,,
D,2024-01-02,D,Tech & Co,ETF,
E,2024-01-02,E,Energy,Bond,
F,2024-01-02,F,Energy,Adr,after hours
`

describe('a file with the columns of a dataset', () => {
  test.each([
    ['csv', 'as imported'],
    ['csv', 'by line'],
    ['ndjson', 'as imported'],
    ['parquet', 'as imported'],
  ] as const)(
    '%s, %s: values are brought to one form, others rejected with line and value',
    async (kind, way) => {
      const run = await readingOf('tickers')
      const csv = run.file('profiles.csv', PROFILES)
      const path = `${run.folder}/other.${kind}`
      if (kind !== 'csv')
        await run.writer.run(
          `COPY (FROM read_csv(${literal(text(csv))}, all_varchar = true)) TO ${literal(text(path))} (FORMAT ${kind === 'ndjson' ? 'json' : kind})`,
        )
      expect(await run.read(kind, kind === 'csv' ? csv : path, way)).toBe(6)
      expect(await run.accepted('ticker')).toEqual(['A', 'B', 'C'])
      expect(await run.accepted('sector')).toEqual(['Healthcare', 'Technology', 'null'])
      expect(await run.accepted('issue_type')).toEqual(['Common Stock', 'Common Stock', 'null'])
      expect(await run.accepted('er_time')).toEqual(['premarket', 'unknown', 'null'])
      const first = kind === 'csv' ? 5 : 4
      expect(await run.rejects()).toEqual([
        `${first}|sector|not one of Basic Materials, Communication Services, Consumer Cyclical, Consumer Defensive, Energy, Financial Services, Healthcare, Industrials, Real Estate, Technology, Utilities|Tech & Co`,
        `${first + 1}|issue_type|not one of ADR, Common Stock, ETF, Other, Preferred Stock, Right, Structured Product, Unit, Warrant, Index|Bond`,
        `${first + 2}|er_time|not one of premarket, postmarket, unknown|after hours`,
      ])
    },
  )
})
