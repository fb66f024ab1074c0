import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { date } from '../../src/engine/bind.ts'
import { completed } from '../../src/engine/computed-columns.ts'
import { checks } from '../../src/lake/audit/check.ts'
import { makeDayTables } from '../../src/lake/audit/day-tables.ts'
import { datasets } from '../../src/lake/store/datasets.ts'
import { type CastFinder, castFinder } from '../fixtures/lossy-casts.ts'

/**
 * A cast that loses digits rounds in DuckDB and truncates in other engines. So a template says which one it means: what
 * it casts to fewer places is a call of a function that rounds.
 */

const SQL = fileURLToPath(new URL('../../sql/', import.meta.url))
const FOLDERS = ['endpoints', 'derive', 'stream']
const BINDINGS = { from: date('2024-01-02'), to: date('2024-01-31') }

/** Casts of decimals times the power of ten that makes them whole. */
const WHOLE = new Set([
  'DECIMAL(38,9) to HUGEINT: (CAST(dividend.amount AS DECIMAL(38,9)) * 1000000000)',
  'DECIMAL(38,6) to HUGEINT: (CAST(any_value(former_close) AS DECIMAL(38,6)) * 1000000)',
])

let finder: CastFinder

beforeAll(async () => {
  finder = await castFinder()
  await finder.run(readFileSync(`${SQL}macros.sql`, 'utf8'))
  for (const file of readdirSync(`${SQL}schema`))
    await finder.run(readFileSync(`${SQL}schema/${file}`, 'utf8'))
  await makeDayTables(finder, { days: () => null })
})
afterAll(() => finder.close())

/** A template that reads tables of its datasets in place of files. */
const ofTables = (sql: string) =>
  sql
    .trim()
    .replace(/;$/, '')
    .replaceAll(/read_parquet\(\$(\w+)[^)]*\)/g, '$1')

test.each(FOLDERS.flatMap(folder => readdirSync(SQL + folder).map(file => `${folder}/${file}`)))(
  '%s rounds what it casts to fewer digits',
  async file => {
    const found = await finder.lossyCasts(ofTables(readFileSync(SQL + file, 'utf8')))
    expect(found.filter(cast => !WHOLE.has(cast))).toEqual([])
  },
)

test.each([...datasets()].filter(([name]) => readdirSync(`${SQL}derive`).includes(`${name}.sql`)))(
  'the derivation of %s rounds what has more digits than its column',
  async (name, { columns, computed }) => {
    const derived = ofTables(readFileSync(`${SQL}derive/${name}.sql`, 'utf8'))
    const sql = computed === null ? derived : completed(computed, `(${derived})`)
    expect(await finder.lossyColumns(sql, BINDINGS, columns)).toEqual([])
  },
)

test.each(checks().map(({ name, searches }) => [name, searches] as const))(
  'the audit for %s rounds what it casts to fewer digits',
  async (_, searches) => {
    for (const { sql } of searches) expect(await finder.lossyCasts(ofTables(sql), BINDINGS)).toEqual([])
  },
)

const LOSSY: [select: string, found: string[]][] = [
  ['SELECT close::BIGINT AS close FROM bars', ['DECIMAL(18,6) to BIGINT: "close"']],
  ['SELECT sum(close::DECIMAL(18, 2)) AS total FROM bars', ['DECIMAL(18,6) to DECIMAL(18,2): "close"']],
  ['SELECT (sum(volume) / 2)::BIGINT AS half FROM bars', ['DOUBLE to BIGINT: (sum(volume) / 2)']],
  ['SELECT 1 FROM bars WHERE TRY_CAST(low AS INTEGER) > 3', ['DECIMAL(18,6) to INTEGER: low']],
  ['SELECT max(close) OVER (ORDER BY close::INTEGER) AS m FROM bars', ['DECIMAL(18,6) to INTEGER: "close"']],
  ['SELECT round(close, 0)::BIGINT, volume::INTEGER, close::DECIMAL(38, 10) FROM bars', []],
  ['SELECT half_even(close, 2)::DECIMAL(18, 2) AS close, sum(volume)::BIGINT AS v FROM bars GROUP BY 1', []],
]
test.each(LOSSY)('of %s, %j', async (select, found) => {
  expect(await finder.lossyCasts(`WITH bars AS (SELECT * FROM daily_bars) ${select}`)).toEqual(found)
})
