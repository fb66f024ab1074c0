import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { folderForTest } from '../fixtures/lake.ts'
import { openConnection } from './encode/answers.ts'

/** What the pinned engine does with values and files, against what one would expect; see `facts.test.ts`. */
const rowsOf = async (connection: DuckDBConnection, sql: string) => (await connection.run(sql)).getRowsJson()

async function parquet(connection: DuckDBConnection, path: string, select: string): Promise<string> {
  mkdirSync(dirname(path), { recursive: true })
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`)
  return path
}

describe('values', () => {
  test('of 64 bits and more, and sums of integers, arrive as bigint; decimals lose their type in JS', async () => {
    const connection = await openConnection()
    const result = await connection.run(
      'SELECT 1::BIGINT, sum(i::INTEGER), 1.10::DECIMAL(4, 2) FROM range(3) r(i)',
    )
    expect(result.columnTypes().map(String)).toEqual(['BIGINT', 'HUGEINT', 'DECIMAL(4,2)'])
    expect(await result.getRowsJS()).toEqual([[1n, 3n, 1.1]])
  })

  test('in to_json are numbers for decimals, and NaN, which is no JSON', async () => {
    const connection = await openConnection()
    const sql = `SELECT to_json({'d': 1.10::DECIMAL(4, 2), 'n': 'nan'::DOUBLE, 'i': '-inf'::DOUBLE})::VARCHAR`
    expect(await rowsOf(connection, sql)).toEqual([['{"d":1.1,"n":NaN,"i":-Infinity}']])
    expect(await rowsOf(connection, `SELECT to_json({'t': TIMESTAMP '2024-01-01'})::VARCHAR`)).toEqual([
      ['{"t":"2024-01-01 00:00:00"}'],
    ])
    expect(await rowsOf(connection, `SELECT '{"a": NaN}'::JSON::VARCHAR`)).toEqual([['{"a": NaN}']])
  })

  test('are cast from text that no API should take', async () => {
    const connection = await openConnection()
    expect(await rowsOf(connection, `SELECT '1e3'::INTEGER, '0x10'::INTEGER, '1_000'::INTEGER`)).toEqual([
      [1000, 16, 1000],
    ])
    expect(await rowsOf(connection, `SELECT isinf('infinity'::DATE)`)).toEqual([[true]])
  })

  test('of DECIMAL without integer digits are written without the zero', async () => {
    const connection = await openConnection()
    expect(await rowsOf(connection, `SELECT '-0.5'::DECIMAL(4, 4)::VARCHAR`)).toEqual([['-.5000']])
  })

  test('of ARRAY have no CASE that mixes them with null', async () => {
    const connection = await openConnection()
    const sql = 'SELECT CASE WHEN a IS NOT NULL THEN a END FROM (VALUES ([1, 2]::INTEGER[2]), (NULL)) t(a)'
    await expect(connection.run(sql)).rejects.toThrow(/Unimplemented type for case/)
  })
})

describe('read_parquet', () => {
  test('opens the files of a list, and all that a glob matches, whatever the query reads', async () => {
    const connection = await openConnection()
    const folder = folderForTest()
    for (const day of [1, 2, 3]) {
      await parquet(connection, join(folder, `day=${day}`, 'a.parquet'), `SELECT ${day} AS d`)
    }
    writeFileSync(join(folder, 'day=3', 'b.parquet'), 'not a Parquet file')
    const filesRead = async (from: string) => {
      const [row] = await rowsOf(
        connection,
        `EXPLAIN ANALYZE SELECT d FROM read_parquet(${from}) WHERE d = 1`,
      )
      return /Total Files Read: (\d+)/.exec(String(row?.[1]))?.[1]
    }
    expect(await filesRead(`['${folder}/day=1/a.parquet']`)).toBe('1')
    expect(await filesRead(`'${folder}/*/a.parquet'`)).toBe('3')
    await expect(filesRead(`'${folder}/*/*.parquet'`)).rejects.toThrow(/b\.parquet/)
  })

  test('takes a bound list of files, but not an empty one', async () => {
    const connection = await openConnection()
    const path = await parquet(connection, join(folderForTest(), 'a.parquet'), 'SELECT 1 AS n')
    const read = (files: string[]) =>
      connection.run(
        'SELECT * FROM read_parquet($files)',
        { files: listValue(files) },
        { files: LIST(VARCHAR) },
      )
    expect(await (await read([path])).getRowsJson()).toEqual([[1]])
    await expect(read([])).rejects.toThrow(/at least one file/)
    await expect(connection.run('SELECT * FROM read_parquet(NULL)')).rejects.toThrow(/NULL/)
  })

  test('takes the name of a folder for a column, unless hive_partitioning is off', async () => {
    const connection = await openConnection()
    const folder = folderForTest()
    const select = `SELECT DATE '1999-01-01' AS day`
    const inside = await parquet(connection, join(folder, 'day=2024-01-02', 'a.parquet'), select)
    const outside = await parquet(connection, join(folder, 'flat', 'a.parquet'), select)
    const days = (list: string) => rowsOf(connection, `SELECT day FROM read_parquet(${list})`)
    expect(await days(`['${inside}']`)).toEqual([['2024-01-02']])
    expect(await days(`['${inside}'], hive_partitioning = false`)).toEqual([['1999-01-01']])
    expect(await days(`['${inside}', '${outside}']`)).toEqual([['1999-01-01'], ['1999-01-01']])
  })
})
