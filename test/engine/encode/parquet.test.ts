import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, test } from 'vitest'
import { parquetSql, typedSql } from '../../../src/engine/encode/sql.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { randomRuns } from '../../fixtures/tier.ts'
import { columnsOf, openConnection } from './answers.ts'
import { SCALARS } from './scalar-shapes.ts'

/** Exact ticks and days, instead of Dates that lose them. */
const parsers = {
  timestampFromMilliseconds: (ticks: bigint) => ticks,
  timestampFromMicroseconds: (ticks: bigint) => ticks,
  timestampFromNanoseconds: (ticks: bigint) => ticks,
  dateFromDays: (days: number) => days,
}

interface Answer {
  readonly path: string
  readonly metadata: FileMetaData
  readonly rows: Record<string, unknown>[]
}

/** The template's rows in a Parquet file, read by hyparquet. */
async function answered(connection: DuckDBConnection, template: string): Promise<Answer> {
  const path = join(folderForTest(), `an 'answer'.parquet`)
  const sql = parquetSql(typedSql(template, await columnsOf(connection, template)), path)
  await connection.run(sql)
  const rows = await parquetReadObjects({ file: bytesOf(path), parsers, utf8: false })
  return { path, metadata: parquetMetadata(bytesOf(path)), rows }
}

function bytesOf(path: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  return buffer instanceof ArrayBuffer
    ? buffer.slice(byteOffset, byteOffset + byteLength)
    : new ArrayBuffer(0)
}

/** A column's leaf as its schema names it, e.g. `INT64 TIMESTAMP_MICROS`; a decimal with its digits. */
function typesOf({ schema }: FileMetaData): string[] {
  return schema.slice(1).map(({ name, type, converted_type, logical_type, precision, scale }) => {
    const digits = converted_type === 'DECIMAL' ? `(${precision}, ${scale})` : ''
    const unit =
      logical_type?.type === 'TIMESTAMP'
        ? `${logical_type.unit}${logical_type.isAdjustedToUTC ? ' UTC' : ''}`
        : ''
    return [name, type ?? 'GROUP', `${converted_type ?? logical_type?.type ?? ''}${digits}`, unit]
      .join(' ')
      .trim()
  })
}

describe('a Parquet answer', () => {
  test('keeps decimals and dates, has times in UTC, UUID and JSON as text, 128-bit integers as decimals', async () => {
    const connection = await openConnection()
    const { metadata, rows, path } = await answered(
      connection,
      `SELECT
        -99.99::DECIMAL(4, 2) AS d4, '-1234567.89'::DECIMAL(9, 2) AS d9, '-123456789012345.678'::DECIMAL(18, 3) AS d18,
        '-1234567890123456789012345678.9012345678'::DECIMAL(38, 10) AS d38,
        '-99999999999999999999999999999999999999'::HUGEINT AS h, 5::UHUGEINT AS uh, 18446744073709551615::UBIGINT AS u64,
        DATE '1969-12-31' AS day, TIME '00:00:01.5' AS t, TIMESTAMP '1969-12-31 23:59:59.999999' AS ts,
        TIMESTAMPTZ '1969-12-31 23:59:59+00' AS tz, TIMESTAMP_MS '1969-12-31 23:59:59.999' AS ms,
        TIMESTAMP_S '1969-12-31 23:59:59' AS s, TIMESTAMP_NS '1969-12-31 23:59:59.999999999' AS ns,
        'x'::ENUM('x') AS e, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID AS u, '{"a": NaN}'::JSON AS j, true AS b,
        'nan'::DOUBLE AS nan, '-inf'::FLOAT AS inf, 'infinity'::DATE AS never, 'infinity'::TIMESTAMP AS never_ts`,
    )
    expect(typesOf(metadata)).toEqual([
      'd4 INT32 DECIMAL(4, 2)',
      'd9 INT32 DECIMAL(9, 2)',
      'd18 INT64 DECIMAL(18, 3)',
      'd38 FIXED_LEN_BYTE_ARRAY DECIMAL(38, 10)',
      'h FIXED_LEN_BYTE_ARRAY DECIMAL(38, 0)',
      'uh FIXED_LEN_BYTE_ARRAY DECIMAL(38, 0)',
      'u64 INT64 UINT_64',
      'day INT32 DATE',
      't INT64 TIME_MICROS',
      'ts INT64 TIMESTAMP_MICROS MICROS UTC',
      'tz INT64 TIMESTAMP_MICROS MICROS UTC',
      'ms INT64 TIMESTAMP_MICROS MICROS UTC',
      's INT64 TIMESTAMP_MICROS MICROS UTC',
      'ns INT64 TIMESTAMP NANOS',
      'e BYTE_ARRAY UTF8',
      'u BYTE_ARRAY UTF8',
      'j BYTE_ARRAY UTF8',
      'b BOOLEAN',
      'nan DOUBLE',
      'inf FLOAT',
      'never INT32 DATE',
      'never_ts INT64 TIMESTAMP_MICROS MICROS UTC',
    ])
    expect(rows).toEqual([
      {
        d4: expect.closeTo(-99.99, 10),
        d9: expect.closeTo(-1234567.89, 6),
        d18: expect.closeTo(-123456789012345.67, 1),
        d38: expect.closeTo(-1.2345678901234569e27, -14),
        h: -1e38,
        uh: 5,
        u64: 2n ** 64n - 1n,
        day: -1,
        t: 1_500_000n,
        ts: -1n,
        tz: -1_000_000n,
        ms: -1000n,
        s: -1_000_000n,
        ns: -1n,
        e: 'x',
        u: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
        j: '{"a":null}',
        b: true,
        nan: null,
        inf: null,
        never: null,
        never_ts: null,
      },
    ])
    // hyparquet makes floating-point numbers of decimals; the engine reads them exactly.
    const exact = await connection.run(
      `SELECT d18::VARCHAR, d38::VARCHAR, h::VARCHAR FROM read_parquet($path)`,
      { path },
    )
    expect(await exact.getRowsJson()).toEqual([
      ['-123456789012345.678', '-1234567890123456789012345678.9012345678', `-${'9'.repeat(38)}`],
    ])
  })

  test('is compressed with snappy, which every reader supports', async () => {
    const connection = await openConnection()
    const { metadata } = await answered(connection, 'SELECT i, i::VARCHAR AS t FROM range(5000) r(i)')
    const codecs = metadata.row_groups.flatMap(group =>
      group.columns.map(({ meta_data }) => meta_data?.codec),
    )
    expect([...new Set(codecs)]).toEqual(['SNAPPY'])
  })

  test('keeps lists, structs and maps with their nulls', async () => {
    const connection = await openConnection()
    const { metadata, rows } = await answered(
      connection,
      `SELECT ['1.5', NULL, 'nan']::DOUBLE[] AS l, []::INTEGER[] AS el, NULL::INTEGER[] AS nl,
        {'a': 1, 'b': {'c': 'nan'::DOUBLE, 'd': 'x'}} AS s, {'a': NULL::STRUCT(b DOUBLE)} AS inner_null,
        NULL::STRUCT(a INTEGER) AS ns, [{'a': [1.5]}, {'a': NULL}] AS ls, MAP {'k': 1.5::DOUBLE, 'l': NULL} AS m,
        [1, 2]::INTEGER[2] AS arr, MAP {5::HUGEINT: true} AS hm`,
    )
    expect(typesOf(metadata).filter(type => /LIST|MAP|DECIMAL\(38/.test(type))).toEqual([
      'l GROUP LIST',
      'el GROUP LIST',
      'nl GROUP LIST',
      'ls GROUP LIST',
      'a GROUP LIST',
      'm GROUP MAP',
      'arr GROUP LIST',
      'hm GROUP MAP',
      'key FIXED_LEN_BYTE_ARRAY DECIMAL(38, 0)',
    ])
    // hyparquet leaves out what is null where a whole group is.
    expect(rows).toEqual([
      {
        l: [1.5, null, null],
        el: [],
        nl: undefined,
        s: { a: 1, b: { c: null, d: 'x' } },
        inner_null: { a: undefined },
        ns: undefined,
        ls: [{ a: [1.5] }, { a: undefined }],
        m: { k: 1.5, l: null },
        arr: [1, 2],
        hm: { 5: true },
      },
    ])
  })

  test('of any scalar, alone and in a list, reads back as written', async () => {
    const connection = await openConnection()
    const samples = fc.tuple(...SCALARS.map(({ sample }) => fc.option(sample, { nil: null, freq: 4 })))
    const property = fc.asyncProperty(samples, async values => {
      const columns = values.map((value, index) => {
        const type = SCALARS[index]?.type
        const sql = value === null ? `NULL::${type}` : value.sql
        return `${sql} AS v${index}, [${sql}, NULL]::${type}[] AS l${index}`
      })
      const { rows } = await answered(connection, `SELECT ${columns.join(', ')}`)
      values.forEach((value, index) => {
        const type = SCALARS[index]?.type ?? ''
        const expected = value === null ? null : parquetValue(type, value.typed)
        expect(rows[0]?.[`v${index}`], type).toEqual(expected)
        expect(rows[0]?.[`l${index}`], type).toEqual([expected, null])
      })
    })
    await fc.assert(property, { numRuns: randomRuns(10) })
  })

  test('keeps the order of rows on several threads, over many row groups', async () => {
    const connection = await openConnection(4)
    await connection.run('CREATE TABLE many AS SELECT i FROM range(400000) r(i)')
    const { metadata, rows } = await answered(
      connection,
      'SELECT 399999 - i AS i FROM many ORDER BY many.i DESC',
    )
    expect(metadata.row_groups.length).toBeGreaterThan(1)
    expect(rows.findIndex(({ i }, index) => i !== BigInt(index))).toBe(-1)
    expect(rows.length).toBe(400_000)
  })

  test('without rows still has the columns', async () => {
    const connection = await openConnection()
    const { metadata, rows } = await answered(connection, 'SELECT 1.5 AS d, [1] AS l WHERE false')
    expect(rows).toEqual([])
    expect(typesOf(metadata)).toEqual([
      'd INT32 DECIMAL(2, 1)',
      'l GROUP LIST',
      'list GROUP',
      'element INT32 INT_32',
    ])
  })

  test('supports bound parameters, and a template that ends in a comment', async () => {
    const connection = await openConnection()
    const path = join(folderForTest(), 'answer.parquet')
    const template =
      'SELECT i, $word AS word FROM range(10) r(i) WHERE i >= $from ORDER BY i LIMIT $limit -- the end'
    await connection.run(parquetSql(template, path), { word: 'w', from: 7, limit: 2 })
    const result = await connection.run('SELECT * FROM read_parquet($path)', { path })
    expect(await result.getRowsJson()).toEqual([
      ['7', 'w'],
      ['8', 'w'],
    ])
  })

  test('rejects a column that cannot be encoded, with its name', async () => {
    const connection = await openConnection()
    await expect(answered(connection, `SELECT [INTERVAL '1 day'] AS gaps`)).rejects.toThrow(
      /"gaps".*INTERVAL/,
    )
  })
})

/** What hyparquet makes of a value: decimals become floating-point numbers. */
function parquetValue(type: string, typed: unknown): unknown {
  if (type === 'BLOB') return Uint8Array.from(Buffer.from(String(typed), 'hex'))
  if (!/DECIMAL|HUGEINT/.test(type)) return typed
  const near = Number(typed)
  return {
    asymmetricMatch: (other: unknown) =>
      typeof other === 'number' && Math.abs(other - near) <= Math.abs(near) * 1e-12,
  }
}
