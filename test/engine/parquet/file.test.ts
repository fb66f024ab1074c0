import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, listValue } from '@duckdb/node-api'
import { tableFromIPC } from 'apache-arrow'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { arrowSql } from '../../../src/engine/answers.ts'
import { arrowStream } from '../../../src/engine/encode/arrow.ts'
import type { RowRange } from '../../../src/engine/encode/page.ts'
import { parquetSql, rowsSql, typedSql } from '../../../src/engine/encode/sql.ts'
import { parquetOf } from '../../../src/engine/parquet/file.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { randomRuns } from '../../fixtures/tier.ts'
import { columnsOf, jsonTexts, openConnection } from '../encode/answers.ts'

/** The engine writes the same rows by a COPY: it is the independent tool of these tests, and reads both files. */
let connection: DuckDBConnection
beforeEach(async () => {
  connection = await openConnection()
})

const quoted = (path: string) => `'${path.replaceAll("'", "''")}'`

async function contentsOf(path: string) {
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
  return {
    rows: await rows(`FROM read_parquet(${quoted(path)})`),
    columns: await rows(`DESCRIBE FROM read_parquet(${quoted(path)})`),
    schema: await rows(
      `SELECT name, type, repetition_type, num_children, converted_type, scale, precision, logical_type
      FROM parquet_schema(${quoted(path)}) OFFSET 1`,
    ),
  }
}

/** What is in the file that this process writes of the rows, and in the one that the engine writes. */
async function both(template: string, rows?: RowRange) {
  const folder = folderForTest()
  const [here, engine] = [join(folder, 'here.parquet'), join(folder, 'engine.parquet')]
  const columns = await columnsOf(connection, template)
  const result = await connection.run(rowsSql(template, columns))
  writeFileSync(here, parquetOf(result, columns, rows ?? { from: 0, to: result.rowCount }))
  const limit = rows === undefined ? '' : ` LIMIT ${rows.to - rows.from} OFFSET ${rows.from}`
  await connection.run(parquetSql(`${typedSql(template, columns)}${limit}`, engine))
  return { here: await contentsOf(here), engine: await contentsOf(engine) }
}

/** The values of an Arrow stream of the rows as they are, and as the engine makes them. */
async function arrows(template: string) {
  const columns = await columnsOf(connection, template)
  const [here, engine] = [arrowSql(template, columns), typedSql(template, columns)].map(async sql => {
    const result = await connection.run(sql)
    const never = new AbortController().signal
    const table = tableFromIPC(await arrowStream(result, { from: 0, to: result.rowCount }, never))
    return { schema: String(table.schema), rows: table.toArray().map(String) }
  })
  return { here: await here, engine: await engine }
}

const integers = (bits: number) =>
  fc.bigInt({ min: -(2n ** BigInt(bits - 1)), max: 2n ** BigInt(bits - 1) - 1n }).map(String)
const decimals = (digits: number, scale: number) =>
  fc
    .bigInt({ min: -(10n ** BigInt(digits)) + 1n, max: 10n ** BigInt(digits) - 1n })
    .map(value => `${value < 0n ? '-' : ''}${String(value < 0n ? -value : value).padStart(scale + 1, '0')}`)
    .map(text => `${text.slice(0, -scale)}.${text.slice(-scale)}`)

/** SQL types with the arbitraries whose texts DuckDB casts to them. */
const CASES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  VARCHAR: fc.string({ unit: 'binary' }).filter(value => value.isWellFormed() && !value.includes('\0')),
  BOOLEAN: fc.boolean().map(String),
  DOUBLE: fc.oneof(fc.double().map(String), fc.constantFrom('nan', 'inf', '-inf')),
  TINYINT: integers(8),
  SMALLINT: integers(16),
  INTEGER: integers(32),
  BIGINT: integers(64),
  UTINYINT: fc.nat(255).map(String),
  USMALLINT: fc.nat(65_535).map(String),
  'DECIMAL(4, 2)': decimals(4, 2),
  'DECIMAL(9, 1)': decimals(9, 1),
  'DECIMAL(18, 4)': decimals(18, 4),
  'DECIMAL(38, 12)': decimals(38, 12),
  DATE: fc.oneof(
    fc
      .integer({ min: -719_162, max: 2_932_896 })
      .map(day => new Date(day * 86_400_000).toISOString().slice(0, 10)),
    fc.constantFrom('infinity', '-infinity'),
  ),
  TIMESTAMP: fc.oneof(
    fc
      .date({ min: new Date('1690-01-01'), max: new Date('2250-01-01'), noInvalidDate: true })
      .map(date => date.toISOString().replace('Z', '007')),
    fc.constantFrom('infinity', '-infinity'),
  ),
  TIMESTAMPTZ: fc
    .date({ min: new Date('1690-01-01'), max: new Date('2250-01-01'), noInvalidDate: true })
    .map(date => date.toISOString()),
  UUID: fc.uuid(),
  JSON: jsonTexts,
}

describe('a Parquet file and an Arrow stream of rows as they are have what the engine makes of them', () => {
  for (const [type, values] of Object.entries(CASES))
    test(`random values of ${type}, in columns, lists and structs, null among them`, async () => {
      const given = fc.array(fc.option(values), { minLength: 1, maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(given, async list => {
          await connection.run(
            `CREATE OR REPLACE TABLE given AS
            SELECT value::${type} AS a, CASE WHEN value IS NOT NULL THEN [value, NULL, value]::${type}[] END AS b,
              {x: value::${type}, y: [{z: value::${type}}]} AS c, []::${type}[] AS d
            FROM (SELECT unnest($values::VARCHAR[]) AS value)`,
            { values: listValue(list) },
          )
          const files = await both('FROM given')
          expect(files.here).toEqual(files.engine)
          const streams = await arrows('FROM given')
          expect(streams.here).toEqual(streams.engine)
        }),
        { numRuns: randomRuns(12) },
      )
    })

  test('rows of a page, over several chunks', async () => {
    const template = `SELECT i, repeat('x', (i % 40)::INTEGER) AS t, CASE WHEN i % 3 = 0 THEN [i::VARCHAR] END AS l
      FROM range(5000) r(i) ORDER BY i DESC`
    const files = await both(template, { from: 2000, to: 4700 })
    expect(files.here.rows).toHaveLength(2700)
    expect(files.here).toEqual(files.engine)
  })

  test('no rows', async () => {
    const files = await both(`SELECT 1::DECIMAL(9, 2) AS a, ['x'] AS b, {c: 'y'} AS d WHERE false`)
    expect(files.here).toEqual(files.engine)
  })

  test.each(['a"b\'; DROP', 'Ключ 😀', 'a.b', 'list', 'x\ny'])('a column named %j', async name => {
    const files = await both(`SELECT 1.5 AS "${name.replaceAll('"', '""')}", ['x'] AS other`)
    expect(files.here).toEqual(files.engine)
  })
})
