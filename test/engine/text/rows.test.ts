import { type DuckDBConnection, listValue } from '@duckdb/node-api'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ColumnType } from '../../../src/engine/encode/sql.ts'
import { csvSql, jsonRowsSql, ndjsonSql, rowsSql } from '../../../src/engine/encode/sql.ts'
import { encodeRows } from '../../../src/engine/text/rows.ts'
import { isWritable } from '../../../src/engine/text/values.ts'
import { randomRuns } from '../../fixtures/tier.ts'
import { columnsOf, jsonTexts, openConnection } from '../encode/answers.ts'

/** The engine writes the same rows by SQL: it is the independent tool of these tests. */
const ENCODERS = { json: jsonRowsSql, ndjson: ndjsonSql, csv: csvSql }
type Encoding = keyof typeof ENCODERS

let connection: DuckDBConnection
beforeEach(async () => {
  connection = await openConnection()
})

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

/** What the engine writes, and what this process writes. */
async function both(columns: readonly ColumnType[], template: string, encoding: Encoding) {
  const [row] = await (await connection.run(ENCODERS[encoding](template, columns))).getRowsJS()
  const here = encodeRows(await connection.run(rowsSql(template, columns)), columns, encoding, {})
  return { engine: text(row?.[0] as Uint8Array), here: here === null ? null : text(here.bytes) }
}

/** SQL types with the arbitraries whose texts DuckDB casts to them. */
const CASES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  VARCHAR: fc.string({ unit: 'binary' }).filter(value => value.isWellFormed() && !value.includes('\0')),
  DOUBLE: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  'DECIMAL(4, 2)': fc.integer({ min: -9999, max: 9999 }).map(value => (value / 100).toFixed(2)),
  'DECIMAL(38, 12)': fc
    .bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
    .map(value => `${value}`.replace(/(\d{12})$/, '.$1')),
  BIGINT: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  DATE: fc
    .integer({ min: -719_162, max: 2_932_896 })
    .map(day => new Date(day * 86_400_000).toISOString().slice(0, 10)),
  TIMESTAMP: fc
    .tuple(
      fc.date({ min: new Date('1690-01-01'), max: new Date('2250-01-01'), noInvalidDate: true }),
      fc.constantFrom('', '000', '007', '120', '999'),
    )
    .map(([date, micros]) => date.toISOString().replace('Z', micros)),
  UUID: fc.uuid(),
  JSON: jsonTexts,
}

describe('rows that are written here have the bytes that the engine writes', () => {
  for (const [type, values] of Object.entries(CASES))
    test(`random values of ${type}, in columns and lists, null among them`, async () => {
      const runs = randomRuns(20)
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.option(values), { minLength: 1, maxLength: 40 }),
          fc.constantFrom<Encoding>('json', 'ndjson', 'csv'),
          async (list, encoding) => {
            await connection.run(
              `CREATE OR REPLACE TABLE given AS
              SELECT value::${type} AS a, [value, NULL, value]::${type}[] AS b, {x: value::${type}} AS c
              FROM (SELECT unnest($values::VARCHAR[]) AS value)`,
              { values: listValue(list) },
            )
            const { engine, here } = await both(
              await columnsOf(connection, 'FROM given'),
              'FROM given',
              encoding,
            )
            expect(here).toBe(engine)
          },
        ),
        { numRuns: runs },
      )
    })

  test.each(['json', 'csv'] as const)('of several chunks (%s)', async encoding => {
    const template = `SELECT i, repeat('x', (i % 40)::INTEGER) AS t, CASE WHEN i % 3 = 0 THEN [i::VARCHAR] END AS l
      FROM range(5000) r(i) ORDER BY i DESC`
    const { engine, here } = await both(await columnsOf(connection, template), template, encoding)
    expect(here).toBe(engine)
  })
})

test('an answer stays as it is when others are written, after one with an incomplete row and a long one too', async () => {
  const answer = async (template: string) =>
    encodeRows(await connection.run(template), await columnsOf(connection, template), 'csv', {})
  const first = await answer("SELECT 'first' AS a")
  expect(await answer("SELECT 'infinity'::DATE AS a")).toBeNull()
  const long = await answer("SELECT repeat('x', 3_000_000) AS a")
  const last = await answer("SELECT 'last' AS a")
  expect([first, last].map(each => text(each?.bytes ?? new Uint8Array()))).toEqual([
    'a\nfirst\n',
    'a\nlast\n',
  ])
  expect(text(long?.bytes ?? new Uint8Array())).toBe(`a\n${'x'.repeat(3_000_000)}\n`)
  // Memory of its own: what it was written in has other bytes next.
  expect(first?.bytes.buffer.byteLength).toBe(first?.bytes.byteLength)
})

describe('only the engine writes', () => {
  test.each(['1::HUGEINT', '{a: 1.5::FLOAT}', "TIME '09:30:00'"])(
    'a column of the type of %s',
    async value => {
      const [column] = await columnsOf(connection, `SELECT ${value} AS a`)
      expect(isWritable(column?.type as ColumnType['type'])).toBe(false)
    },
  )

  test.each([
    "DATE '10000-01-01'",
    "'infinity'::DATE",
    "TIMESTAMP '2256-01-01'",
    "'-infinity'::TIMESTAMP",
    "[DATE '0044-03-15 (BC)']",
  ])('the value %s', async value => {
    const template = `SELECT ${value} AS a`
    expect((await both(await columnsOf(connection, template), template, 'json')).here).toBeNull()
  })
})
