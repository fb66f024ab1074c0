import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bindFiles } from '../../src/engine/file-lists.ts'
import { openInstance } from '../../src/engine/instance.ts'
import { copyList, dropCopy, partsOf } from '../../src/engine/native-table.ts'
import { dataset } from '../../src/lake/store/datasets.ts'
import { folderForTest } from '../fixtures/lake.ts'

const MEBIBYTE = 2 ** 20

/** Files of a SELECT with `n` rows each, and a connection of an engine that may read them. */
async function filesOf(...selects: readonly string[]) {
  const folder = folderForTest()
  const temporaryDirectory = join(folder, 'temporary')
  mkdirSync(temporaryDirectory)
  const writer = await DuckDBInstance.create(':memory:')
  const copying = await writer.connect()
  const paths = selects.map((_, index) => join(folder, `${index}.parquet`))
  for (const [index, select] of selects.entries())
    await copying.run(`COPY (${select}) TO '${paths[index]}' (FORMAT parquet)`)
  copying.closeSync()
  writer.closeSync()
  const instance = await openInstance({
    ...{ directories: [folder], temporaryDirectory, temporaryBytesMax: MEBIBYTE },
    ...{ memoryBytesMax: 512 * MEBIBYTE, threads: 1, keepsCopies: true },
  })
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  const rows = async (sql: string) => (await connection.run(sql)).getRowsJson()
  return { connection, paths, rows }
}

const SCHEMA = dataset('posts')
/** Whose symbol's number no template names. */
const TRADES = dataset('option_trades')

/** A list of files, of which the first one has all columns if others lack some. */
const listOf = (paths: readonly string[], isOlder: boolean) =>
  isOlder
    ? bindFiles(
        paths.slice(1).map(path => ({ path, isOlder })),
        SCHEMA,
        { path: () => paths[0] ?? '' },
      )
    : bindFiles(
        paths.map(path => ({ path })),
        SCHEMA,
        { path: () => '' },
      )

const read = (copy: () => Promise<void>) => copy()
const NONE: ReadonlySet<string> = new Set()

describe('a native table', () => {
  test('cuts files into lots of a row group', () => {
    const files = [
      { path: 'a', rows: 100_000 },
      { path: 'b', rows: 0 },
      { path: 'c', rows: 150_000 },
    ]
    expect(partsOf(files)).toEqual([
      [
        { path: 'a', from: 0 },
        { path: 'c', from: 0, to: 22_880 },
      ],
      [{ path: 'c', from: 22_880, to: 145_760 }],
      [{ path: 'c', from: 145_760 }],
    ])
    expect(partsOf([])).toEqual([])
  })

  test('has the rows of its files in their order, also of files that are copied in parts', async () => {
    const values = (from: number) => `SELECT range + ${from} AS n, 'row ' || range AS "a ""text""",
      CASE WHEN range % 3 > 0 THEN range END::DECIMAL(38, 10) AS exact, [range, NULL] AS list`
    const { connection, paths, rows } = await filesOf(
      `${values(0)} FROM range(100000)`,
      `${values(100_000)} FROM range(100000)`,
    )
    const table = await copyList(connection, 'store_1', listOf(paths, false), NONE, read)
    expect([table.name, table.rows]).toEqual(['store_1.t', 200_000])
    const files = `read_parquet(['${paths.join("', '")}'])`
    expect(await rows(`SELECT count(*) FROM store_1.t WHERE n <> rowid`)).toEqual([['0']])
    for (const [one, other] of [
      ['store_1.t', files],
      [files, 'store_1.t'],
    ])
      expect(await rows(`SELECT count(*) FROM (FROM ${one} EXCEPT ALL FROM ${other})`)).toEqual([['0']])
    // Each row group is compressed once and none is small but the last one.
    expect(
      await rows(`SELECT DISTINCT row_group_id, count FROM pragma_storage_info('store_1.t')
        WHERE column_id = 0 AND segment_type = 'BIGINT' ORDER BY ALL`),
    ).toEqual([
      ['0', '122880'],
      ['1', '77120'],
    ])
    await dropCopy(connection, table.name)
    expect(await rows(`SELECT count(*) FROM duckdb_databases() WHERE database_name = 'store_1'`)).toEqual([
      ['0'],
    ])
  })

  test('has all columns of files that lack some', async () => {
    const { connection, paths, rows } = await filesOf(
      'SELECT 0::BIGINT AS n, 0::INTEGER AS added WHERE false',
      'SELECT range::INTEGER AS n FROM range(70000)',
      'SELECT range + 70000 AS n, 7 AS added FROM range(70000)',
    )
    const table = await copyList(connection, 'store_2', listOf(paths, true), NONE, read)
    expect(table.rows).toBe(140_000)
    expect(await rows('SELECT count(*), count(added), sum(n), typeof(any_value(n)) FROM store_2.t')).toEqual([
      ['140000', '70000', '9799930000', 'BIGINT'],
    ])
  })

  test('has the contracts of most premium first, in parts in which those of a ticker are together', async () => {
    const { connection, paths, rows } = await filesOf(
      `SELECT * FROM (VALUES ('A1', 99.5), ('A2', 1000000), ('B1', 10000), ('B2', 0), ('C1', 9999.99), ('C2', 100),
       ('D1', 999999.99), ('D2', 5000000), ('D3', 100)) contracts(option_symbol, premium)`,
    )
    const bound = bindFiles(
      paths.map(path => ({ path })),
      dataset('contract_days'),
      { path: () => '' },
    )
    await copyList(connection, 'store_7', bound, NONE, read)
    const symbols = (await rows('SELECT option_symbol FROM store_7.t ORDER BY rowid')).flat().join(' ')
    expect(symbols).toBe('A2 D2 B1 D1 C1 C2 D3 A1 B2')
  })

  test('keeps texts that repeat as a dictionary, if it has many rows', async () => {
    const texts = (rows: number) =>
      `SELECT 'row ' || range AS each, CASE WHEN range % 5 > 0 THEN 'kind ' || range % 47 END AS kind FROM range(${rows})`
    const { connection, paths, rows } = await filesOf(texts(20_000), texts(9000))
    const compressions = async (table: string, path: string | undefined) => {
      await copyList(connection, table, listOf([path ?? ''], false), NONE, read)
      expect(await rows(`SELECT count(*) FROM (FROM ${table}.t EXCEPT ALL FROM '${path}')`)).toEqual([['0']])
      return rows(`SELECT column_name, compression FROM pragma_storage_info('${table}.t')
        WHERE segment_type = 'VARCHAR' ORDER BY ALL`)
    }
    expect(await compressions('store_8', paths[0])).toEqual([
      ['each', 'Uncompressed'],
      ['kind', 'DICT_FSST'],
    ])
    expect(await compressions('store_9', paths[1])).toEqual([
      ['each', 'Uncompressed'],
      ['kind', 'Uncompressed'],
    ])
  })

  test('lacks the rare columns of its dataset that are not wanted', async () => {
    const { connection, paths, rows } = await filesOf(
      `SELECT 7::BIGINT AS option_symbol_id, 8::BIGINT AS multi_leg_id, range AS size, range % 3 AS other
      FROM range(200000)`,
    )
    const list = paths.map(path => ({ path, rows: 200_000 }))
    const bound = bindFiles(list, TRADES, { path: () => '' })
    const table = await copyList(connection, 'store_6', bound, new Set(['multi_leg_id']), read)
    expect(table.rows).toBe(200_000)
    expect(await rows('SELECT count(*), sum(size), sum(other) FROM store_6.t')).toEqual([
      ['200000', '19999900000', '199999'],
    ])
    expect(await rows('SELECT column_name FROM (DESCRIBE store_6.t)')).toEqual([
      ['multi_leg_id'],
      ['size'],
      ['other'],
    ])
    expect(table.serves('SELECT size, multi_leg_id, option_symbol FROM t')).toBe(true)
    expect(table.serves('SELECT size FROM t WHERE "option_symbol_id" = 7')).toBe(false)
  })

  test('has all rows of a file that has more of them than is known', async () => {
    const { connection, paths, rows } = await filesOf('SELECT range AS n FROM range(130000)')
    const list = paths.map(path => ({ path, rows: 9 }))
    await copyList(connection, 'store_7', bindFiles(list, SCHEMA, { path: () => '' }), NONE, read)
    expect(await rows('SELECT count(*) FROM store_7.t')).toEqual([['130000']])
  })

  test('compresses a column in the way of its type, which is not always the smallest', async () => {
    // Left to itself, DuckDB stores the runs of these values as runs, and words in fewer bytes.
    const { connection, paths, rows } = await filesOf(
      `SELECT range // 1000 AS whole, (range // 1000)::DECIMAL(18, 4) AS narrow,
        (range // 1000)::DECIMAL(38, 10) AS wide, DATE '2024-01-02' + (range // 1000)::INTEGER AS day,
        range // 1000 % 2 = 0 AS flag, 'word' || range AS word FROM range(122880)`,
    )
    await copyList(connection, 'store_8', listOf(paths, false), NONE, read)
    expect(
      await rows(`SELECT column_name, string_agg(DISTINCT compression) FROM pragma_storage_info('store_8.t')
        WHERE segment_type <> 'VALIDITY' GROUP BY column_name, column_id ORDER BY column_id`),
    ).toEqual([
      ['whole', 'BitPacking'],
      ['narrow', 'BitPacking'],
      ['wide', 'RLE'],
      ['day', 'BitPacking'],
      ['flag', 'BitPacking'],
      ['word', 'Uncompressed'],
    ])
  })

  test('takes a fraction of the memory of its values', async () => {
    // 200,000 rows of 20 columns of 16 bytes are 61 MiB.
    const columns = Array.from(
      { length: 20 },
      (_, index) => `(range // ${100 + index})::DECIMAL(38, 10) AS n${index}`,
    )
    const { connection, paths, rows } = await filesOf(`SELECT ${columns.join(', ')} FROM range(200000)`)
    const table = await copyList(connection, 'store_3', listOf(paths, false), NONE, read)
    expect(table.bytes).toBeGreaterThan(0)
    expect(table.bytes).toBeLessThan(8 * MEBIBYTE)
    const [[held] = []] = await rows('SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory()')
    expect(Number(held)).toBeLessThan(8 * MEBIBYTE)
  })

  test('leaves nothing behind if a file cannot be read', async () => {
    const { connection, paths, rows } = await filesOf('SELECT 1 AS n')
    await expect(
      copyList(connection, 'store_4', listOf([...paths, '/tmp/missing.parquet'], false), NONE, read),
    ).rejects.toThrow()
    expect(await rows(`SELECT count(*) FROM duckdb_databases() WHERE database_name = 'store_4'`)).toEqual([
      ['0'],
    ])
  })

  test('is made anew if a file was changed meanwhile', async () => {
    const { connection, paths, rows } = await filesOf('SELECT range AS n FROM range(9)')
    const table = await copyList(connection, 'store_5', listOf(paths, false), NONE, async copy => {
      await copy()
      await copy()
    })
    expect([table.rows, await rows('SELECT count(*) FROM store_5.t')]).toEqual([9, [['9']]])
  })
})
