import type { DuckDBConnection } from '@duckdb/node-api'
import { Float64, List, tableFromIPC, Vector } from 'apache-arrow'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrowTable } from '../../../src/engine/arrow/arrow.ts'
import { arrowStream } from '../../../src/engine/encode/arrow.ts'
import type { RowRange } from '../../../src/engine/encode/page.ts'
import { randomRuns } from '../../fixtures/tier.ts'
import { readColumn } from '../arrow/read-arrow.ts'
import { openConnection, typedResult } from './answers.ts'
import { columnOf, shapes } from './nested-shapes.ts'

/** SQL of a value, its Arrow type, and the value. */
const VALUES: readonly (readonly [sql: string, type: string, value: unknown])[] = [
  ['true', 'Bool', true],
  ['(-128)::TINYINT', 'Int8', -128],
  ['(-32768)::SMALLINT', 'Int16', -32768],
  ['(-2147483648)::INTEGER', 'Int32', -2147483648],
  ["'-9223372036854775808'::BIGINT", 'Int64', -(2n ** 63n)],
  ['255::UTINYINT', 'Uint8', 255],
  ['65535::USMALLINT', 'Uint16', 65535],
  ['4294967295::UINTEGER', 'Uint32', 4294967295],
  ['18446744073709551615::UBIGINT', 'Uint64', 2n ** 64n - 1n],
  ["'-99999999999999999999999999999999999999'::HUGEINT", 'Decimal[38e0]', `-${'9'.repeat(38)}`],
  ["'99999999999999999999999999999999999999'::UHUGEINT", 'Decimal[38e0]', '9'.repeat(38)],
  ['-99.99::DECIMAL(4, 2)', 'Decimal[4e+2]', '-99.99'],
  ['-1234.5::DECIMAL(5, 1)', 'Decimal[5e+1]', '-1234.5'],
  ['-1234567.89::DECIMAL(9, 2)', 'Decimal[9e+2]', '-1234567.89'],
  ['-12345678.90::DECIMAL(10, 2)', 'Decimal[10e+2]', '-12345678.90'],
  ["'-123456789012345.678'::DECIMAL(18, 3)", 'Decimal[18e+3]', '-123456789012345.678'],
  ["'-1234567890123456.789'::DECIMAL(19, 3)", 'Decimal[19e+3]', '-1234567890123456.789'],
  [
    "'-1234567890123456789012345678.9012345678'::DECIMAL(38, 10)",
    'Decimal[38e+10]',
    '-1234567890123456789012345678.9012345678',
  ],
  ['1.5::FLOAT', 'Float32', 1.5],
  ['-2.25::DOUBLE', 'Float64', -2.25],
  ["'nan'::DOUBLE", 'Float64', null],
  ["'-inf'::FLOAT", 'Float32', null],
  ["'Ключ 😀' || chr(0)", 'Utf8', 'Ключ 😀\0'],
  ["'b'::ENUM('a', 'b')", 'Utf8', 'b'],
  ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID", 'Utf8', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  [`'{"a": NaN}'::JSON`, 'Utf8', '{"a":null}'],
  ["'\\x00\\xFF'::BLOB", 'Binary', '00ff'],
  ["DATE '1969-12-31'", 'Date32<DAY>', -1],
  ["'infinity'::DATE", 'Date32<DAY>', null],
  ["TIME '00:00:01.5'", 'Time64<MICROSECOND>', 1_500_000n],
  ["TIMESTAMP '1969-12-31 23:59:59.999999'", 'Timestamp<MICROSECOND, UTC>', -1n],
  ["TIMESTAMPTZ '1970-01-01 01:00:00+01'", 'Timestamp<MICROSECOND, UTC>', 0n],
  ["TIMESTAMP_S '1969-12-31 23:59:59'", 'Timestamp<MICROSECOND, UTC>', -1_000_000n],
  ["TIMESTAMP_MS '1969-12-31 23:59:59.999'", 'Timestamp<MICROSECOND, UTC>', -1000n],
  ["TIMESTAMP_NS '1969-12-31 23:59:59.999999999'", 'Timestamp<NANOSECOND, UTC>', -1n],
  ["'-infinity'::TIMESTAMP", 'Timestamp<MICROSECOND, UTC>', null],
  ["['1.5', NULL, 'nan']::DOUBLE[]", 'List<Float64>', [1.5, null, null]],
  ['[]::VARCHAR[]', 'List<Utf8>', []],
  ['NULL::VARCHAR[]', 'List<Utf8>', null],
  ['[[1], NULL, []]', 'List<List<Int32>>', [[1], null, []]],
  [
    "{'a': 1.5, 'b': {'c': NULL::DATE}}",
    'Struct<{a:Decimal[2e+1], b:Struct<{c:Date32<DAY>}>}>',
    ['1.5', [null]],
  ],
  ['NULL::STRUCT(a STRUCT(b DOUBLE))', 'Struct<{a:Struct<{b:Float64}>}>', null],
  ["{'a': NULL::STRUCT(b DOUBLE)}", 'Struct<{a:Struct<{b:Float64}>}>', [null]],
  [
    "MAP {'k': 1.5, 'l': NULL}",
    'Map<{key:Utf8, value:Decimal[2e+1]}>',
    [
      ['k', '1.5'],
      ['l', null],
    ],
  ],
  ['[1, 2]::INTEGER[2]', 'List<Int32>', [1, 2]],
]

async function streamOf(connection: DuckDBConnection, template: string, rows?: RowRange) {
  const result = await typedResult(connection, template)
  return arrowStream(result, rows ?? { from: 0, to: result.rowCount }, new AbortController().signal)
}

describe('an Arrow stream', () => {
  test.each([
    [0, 0],
    [0, 3],
    [3, 2048],
    [2047, 2049],
    [2048, 4999],
    [100, 5000],
  ])('has rows %i to %i of a result', async (from, to) => {
    const template = `SELECT range AS n, CASE WHEN range % 3 > 0 THEN 'row ' || range END AS t, range % 7 = 0 AS b,
      [range, range + 1] AS list, CASE WHEN range % 5 > 0 THEN range / 4 END AS x FROM range(5000)`
    const connection = await openConnection()
    const read = tableFromIPC(await streamOf(connection, template, { from, to }))
    connection.closeSync()
    const expected = Array.from({ length: to - from }, (_, index) => {
      const n = from + index
      return [n, n % 3 > 0 ? `row ${n}` : null, n % 7 === 0, [n, n + 1], n % 5 > 0 ? n / 4 : null]
    })
    const found = Array.from(read, row => {
      const { n, t, b, list, x } = row.toJSON()
      return [Number(n), t, b, Array.from(list, Number), x]
    })
    expect(found).toEqual(expected)
  })

  test('has the type and the value of each kind of column', async () => {
    const connection = await openConnection()
    const template = `SELECT ${VALUES.map(([sql], index) => `${sql} AS v${index}`).join(', ')}`
    const table = tableFromIPC(await streamOf(connection, template))
    expect(table.schema.fields.map(field => String(field.type))).toEqual(VALUES.map(([, type]) => type))
    expect(VALUES.map((_, index) => readColumn(table.getChildAt(index))[0])).toEqual(
      VALUES.map(([, , value]) => value),
    )
  })

  test('of any type, nested to any depth, reads back as written', async () => {
    const connection = await openConnection()
    const property = fc.asyncProperty(shapes(3).chain(columnOf), async ({ template, values }) => {
      // Text of JSON's rules is not meant here, so JSON is no part of the shapes.
      const table = tableFromIPC(await streamOf(connection, template))
      expect(readColumn(table.getChild('c'))).toEqual(values.map(({ typed }) => typed))
    })
    await fc.assert(property, { numRuns: randomRuns(63) })
  })

  test('has many chunks, in order, with their nulls', async () => {
    const connection = await openConnection()
    const template = `SELECT
      i,
      CASE WHEN i % 3 <> 0 THEN i / 4 END AS n,
      CASE WHEN i % 5 <> 0 THEN 'row ' || i END AS t,
      CASE WHEN i % 7 <> 0 THEN [i::INTEGER, NULL, (i + 2)::INTEGER][:(i % 4)] END AS l,
      i % 2 = 0 AS b,
      CASE WHEN i % 11 <> 0 THEN {'d': (i / 8)::DECIMAL(18, 3), 'u': NULL::DATE} END AS s
    FROM range(7001) r(i) ORDER BY i`
    const stream = tableFromIPC(await streamOf(connection, template))
    const rows = Array.from({ length: 7001 }, (_, i) => i)
    expect(stream.numRows).toBe(7001)
    expect(readColumn(stream.getChild('i'))).toEqual(rows.map(BigInt))
    expect(readColumn(stream.getChild('n'))).toEqual(rows.map(i => (i % 3 === 0 ? null : i / 4)))
    expect(readColumn(stream.getChild('t'))).toEqual(rows.map(i => (i % 5 === 0 ? null : `row ${i}`)))
    expect(readColumn(stream.getChild('l'))).toEqual(
      rows.map(i => (i % 7 === 0 ? null : [i, null, i + 2].slice(0, i % 4))),
    )
    expect(readColumn(stream.getChild('b'))).toEqual(rows.map(i => i % 2 === 0))
    expect(readColumn(stream.getChild('s'))).toEqual(
      rows.map(i => (i % 11 === 0 ? null : [(i / 8).toFixed(3), null])),
    )
  })

  test('without rows still has the schema', async () => {
    const connection = await openConnection()
    const template = `SELECT 1.5 AS d, [{'a': DATE '2020-01-01'}] AS l, MAP {'k': 1} AS m WHERE false`
    const table = tableFromIPC(await streamOf(connection, template))
    expect(table.numRows).toBe(0)
    expect(table.schema.fields.map(field => `${field.name} ${field.type}`)).toEqual([
      'd Decimal[2e+1]',
      'l List<Struct<{a:Date32<DAY>}>>',
      'm Map<{key:Utf8, value:Int32}>',
    ])
  })

  test('keeps columns that are null in every row', async () => {
    const connection = await openConnection()
    const template = `SELECT NULL AS a, NULL::VARCHAR AS t, NULL::DOUBLE[] AS l, NULL::STRUCT(x BLOB) AS s,
      NULL::DECIMAL(38, 2) AS d, NULL::MAP(VARCHAR, BOOLEAN) AS m FROM range(3000)`
    const table = tableFromIPC(await streamOf(connection, template))
    for (const name of ['a', 't', 'l', 's', 'd', 'm']) {
      expect(readColumn(table.getChild(name)), name).toEqual(Array(3000).fill(null))
    }
  })
})

describe('an Arrow table of a result', () => {
  test('returns a list of doubles as a vector over the memory of the table', async () => {
    const connection = await openConnection()
    const sql = `SELECT s, list(s * 10000.0 + i ORDER BY i)::DOUBLE[] AS prices
      FROM range(3) a(s), range(2520) b(i) GROUP BY s ORDER BY s`
    const prices = arrowTable(await connection.run(sql)).getChild('prices')
    expect(prices?.type).toBeInstanceOf(List)
    for (const symbol of [0, 1, 2]) {
      const vector = prices?.get(symbol)
      expect(vector).toBeInstanceOf(Vector)
      expect(vector.type).toBeInstanceOf(Float64)
      expect(vector.toArray()).toEqual(Float64Array.from({ length: 2520 }, (_, i) => symbol * 10000 + i))
      expect(vector.toArray().buffer).toBe(prices?.data[0]?.children[0]?.values.buffer)
    }
  })

  test('outlives the memory of its result', async () => {
    const connection = await openConnection()
    const sum = async () => {
      const table = arrowTable(
        await connection.run('SELECT i::DOUBLE AS d, i::VARCHAR AS t FROM range(50000) r(i)'),
      )
      return { table, last: table.getChild('t')?.get(49_999) }
    }
    const { table, last } = await sum()
    // Much that is freed and taken again in between, by both sides.
    for (let round = 0; round < 8; round += 1) await sum()
    expect(last).toBe('49999')
    expect(readColumn(table.getChild('d'))).toEqual(Array.from({ length: 50_000 }, (_, i) => i))
  })

  test('keeps an ARRAY of fixed size', async () => {
    const connection = await openConnection()
    const table = arrowTable(
      await connection.run('SELECT [i, NULL, i + 1]::INTEGER[3] AS a FROM range(3) r(i)'),
    )
    expect(String(table.schema.fields[0]?.type)).toBe('FixedSizeList[3]<Int32>')
    expect(readColumn(table.getChild('a'))).toEqual([0, 1, 2].map(i => [i, null, i + 1]))
  })

  test.each([
    ["'100000000000000000000000000000000000000'::HUGEINT", /"big": 1(0{38}) .*HUGEINT.* 38 digits/],
    ["'-100000000000000000000000000000000000000'::HUGEINT", /"big": -1(0{38}) .*HUGEINT.* 38 digits/],
    [
      "'340282366920938463463374607431768211455'::UHUGEINT",
      /"big": 340282366920938463463374607431768211455 .*UHUGEINT/,
    ],
    [
      "['170141183460469231731687303715884105727'::HUGEINT]",
      /"big": 170141183460469231731687303715884105727/,
    ],
  ])('refuses the integer %s, which no Decimal128 holds', async (sql, message) => {
    const connection = await openConnection()
    const result = await connection.run(`SELECT ${sql} AS big FROM range(2)`)
    expect(() => arrowTable(result)).toThrow(message)
    await expect(typedResult(connection, `SELECT ${sql} AS big`)).rejects.toThrow(/DECIMAL\(38,0\)/)
  })

  test.each(["INTERVAL '1 day'", "'101'::BIT", "TIMETZ '10:00:00+02'", 'union_value(k := 1)'])(
    'refuses %s, with the column and the type',
    async sql => {
      const connection = await openConnection()
      const result = await connection.run(`SELECT [${sql}] AS odd`)
      expect(() => arrowTable(result)).toThrow(/"odd".*(INTERVAL|BIT|TIME WITH TIME ZONE|UNION)/)
    },
  )
})
