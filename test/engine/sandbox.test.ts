import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openInstance } from '../../src/engine/instance.ts'
import { breaches } from '../../src/engine/sandbox/attempts.ts'
import { prepareCopy, prepareOwn, prepareSelect } from '../../src/engine/sandbox/gate.ts'
import { folderForTest } from '../fixtures/lake.ts'

/** A connection of an instance that may read `lake`, and both folders. */
async function connected() {
  const folder = folderForTest()
  const [lake, temporary] = [join(folder, 'lake'), join(folder, 'temporary')]
  for (const path of [lake, temporary]) mkdirSync(path)
  const instance = await openInstance({
    directories: [lake],
    temporaryDirectory: temporary,
    temporaryBytesMax: 1024 ** 2,
    memoryBytesMax: 256 * 1024 ** 2,
    threads: 1,
  })
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  await connection.run('CREATE TABLE t AS SELECT 1 AS query')
  return { instance, connection, lake, temporary }
}

describe('the gate of the serving path', () => {
  const passing = [
    'SELECT 1',
    'FROM t',
    'WITH a AS (SELECT 1) FROM a',
    'SELECT query FROM t -- a comment; another',
    `SELECT 'enable_logging' = 'query'`,
    '-- a comment\n(SELECT 1)',
    'VALUES (1)',
    'DESCRIBE t',
    'SELECT 1;',
  ]
  test.each(passing)('prepares %s', async sql => {
    const { connection } = await connected()
    const statement = await prepareSelect(connection, sql)
    await statement.run()
    statement.destroySync()
  })

  const refused = (lake: string) => [
    `COPY (SELECT 1) TO '${lake}/a.parquet'`,
    `COPY t TO '${lake}/a.csv'`,
    `ATTACH '${lake}/a.db'`,
    `ATTACH ':memory:' AS store_1`,
    `EXPORT DATABASE '${lake}/a'`,
    `IMPORT DATABASE '${lake}/a'`,
    'COPY FROM DATABASE memory TO memory',
    'SELECT 1; SELECT 2',
    `SELECT 1; COPY (SELECT 1) TO '${lake}/a.parquet'`,
    'CREATE TABLE a AS SELECT 1',
    'CREATE MACRO a() AS 1',
    'CREATE OR REPLACE TABLE t AS SELECT 2',
    'INSERT INTO t VALUES (2)',
    'WITH a AS (SELECT 2) INSERT INTO t FROM a',
    'UPDATE t SET query = 2',
    'DELETE FROM t',
    'DROP TABLE t',
    'ALTER TABLE t ADD COLUMN b INTEGER',
    `COMMENT ON TABLE t IS 'a'`,
    'MERGE INTO t USING t AS u ON true WHEN MATCHED THEN DELETE',
    'SET threads = 1',
    `SET VARIABLE a = 1`,
    'RESET threads',
    'USE memory',
    'INSTALL httpfs',
    'LOAD httpfs',
    'UPDATE EXTENSIONS',
    'CHECKPOINT',
    'VACUUM',
    'ANALYZE',
    'BEGIN',
    'COMMIT',
    'PREPARE a AS SELECT 1',
    'EXPLAIN SELECT 1',
    `EXPLAIN ANALYZE COPY (SELECT 1) TO '${lake}/a.parquet'`,
    'CALL enable_logging()',
    'PRAGMA enable_profiling',
    'DETACH memory',
    `FROM enable_logging(storage = 'file', storage_path = '${lake}/log')`,
    `FROM "ENABLE_logging"()`,
    'FROM enable_logging /* a */ -- b\n ()',
    'SELECT * FROM t, system.main.enable_logging()',
    `FROM query('FROM enable_' || 'logging()')`,
    `FROM query_table('t')`,
    `FROM json_execute_serialized_sql('{}')`, // cspell:disable-line
    `SELECT write_log('a')`,
    'FROM checkpoint()',
    'FROM arrow_scan(1, 2, 3)',
  ]
  test('refuses all other statements, which then do not run', async () => {
    const { connection, lake, temporary } = await connected()
    for (const sql of refused(lake))
      await expect(
        (async () => {
          const statement = await prepareSelect(connection, sql)
          await statement.run()
        })(),
        sql,
      ).rejects.toThrow(/^the gate refuses a statement|Cannot prepare multiple statements|schema\.sql/)
    expect([readdirSync(lake), readdirSync(temporary)]).toEqual([[], []])
    const [row] = await (await connection.run('FROM t')).getRowsJson()
    expect(row).toEqual([1])
  })

  test('passes a COPY of one SELECT to a file of the temporary folder', async () => {
    const { connection, lake, temporary } = await connected()
    const copied = join(temporary, `it's.parquet`)
    const statement = await prepareCopy(connection, 'SELECT query AS n FROM t', copied, temporary)
    await statement.run()
    statement.destroySync()
    expect(existsSync(copied)).toBe(true)
    const [file] = [join(lake, 'a.parquet')]
    const wrong: [select: string, path: string][] = [
      ['SELECT 1', file],
      ['SELECT 1', join(temporary, '..', 'lake', 'a.parquet')],
      ['SELECT 1', join(temporary, 'below', 'a.parquet')],
      ['SELECT 1', 'a.parquet'],
      [`SELECT 1) TO '${file}' (FORMAT parquet); SELECT (1`, copied],
      [`SELECT 1) TO '${file}' (FORMAT parquet) --`, copied],
      [`SELECT 1) TO '${file}' (FORMAT parquet); COPY (SELECT 1`, copied],
      ['SELECT 1; SELECT 2', copied],
      ['INSERT INTO t VALUES (2) RETURNING *', copied],
      [`FROM enable_logging(storage = 'file', storage_path = '${lake}')`, copied],
    ]
    for (const [select, path] of wrong)
      await expect(prepareCopy(connection, select, path, temporary), select).rejects.toThrow(
        /^the gate refuses|Parser Error|syntax error/,
      )
    expect(readdirSync(lake)).toEqual([])
  })

  test('passes its own statements about tables in memory, in their exact form', async () => {
    const { connection, lake } = await connected()
    const own: [kind: Parameters<typeof prepareOwn>[1], sql: string][] = [
      ['attach', `ATTACH ':memory:' AS store_7 (COMPRESS)`],
      ['table', 'CREATE OR REPLACE TABLE store_7.t ("query" INTEGER)'],
      ['fill', 'INSERT INTO store_7.t BY NAME FROM t'],
      ['compress', 'CHECKPOINT store_7'],
      ['detach', 'DETACH store_7'],
      ['values', 'SET VARIABLE request_values = $1::VARCHAR'],
    ]
    for (const [kind, sql] of own) {
      const statement = await prepareOwn(connection, kind, sql)
      if (kind !== 'values') await statement.run()
      statement.destroySync()
    }
    const wrong: typeof own = [
      ['attach', `ATTACH '${lake}/a.db' AS store_7 (COMPRESS)`],
      ['attach', `ATTACH ':memory:' AS other (COMPRESS)`],
      ['table', 'CREATE OR REPLACE TABLE t ("query" INTEGER)'],
      ['table', 'CREATE OR REPLACE TABLE store_7.t AS FROM t'],
      ['fill', 'INSERT INTO t BY NAME FROM t'],
      ['fill', 'INSERT INTO store_7.t BY NAME FROM t; DROP TABLE t'],
      ['compress', 'CHECKPOINT memory'],
      ['detach', 'DETACH memory'],
      ['values', 'SET VARIABLE other = $1::VARCHAR'],
      ['values', 'SET VARIABLE request_values = (SELECT 1)'],
      ['values', 'SET VARIABLE request_values = $1'],
      ['values', 'SET VARIABLE request_values = $1::VARCHAR; DROP TABLE t'],
      ['values', 'SET threads = $1::VARCHAR'],
    ]
    for (const [kind, sql] of wrong)
      await expect(prepareOwn(connection, kind, sql), sql).rejects.toThrow(
        /^the gate refuses|Cannot prepare multiple statements/,
      )
  })
})

describe('the proof of the sandbox', () => {
  test('finds no breach of an instance of the program, and changes nothing', async () => {
    const { instance, lake, temporary } = await connected()
    expect(await breaches(instance, lake)).toEqual([])
    expect([readdirSync(lake), readdirSync(temporary), readdirSync(join(lake, '..'))]).toEqual([
      [],
      [],
      ['lake', 'temporary'],
    ])
  })

  test('finds each breach of an engine without restrictions', async () => {
    const folder = folderForTest()
    const lake = join(folder, 'lake')
    mkdirSync(lake)
    const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false' })
    onTestFinished(() => instance.closeSync())
    const found = await breaches(instance, lake)
    const open = found.filter(({ isOpen }) => isOpen).map(({ what }) => what)
    expect(open).toEqual([
      'reading a file outside the lake',
      'writing a file outside the lake',
      'changing a setting',
      'unlocking the settings',
    ])
    // Nothing was there to load, install or reach, but not for the reason that the proof wants.
    expect(found.filter(({ isOpen }) => !isOpen).map(({ what }) => what)).toEqual([
      'loading an extension',
      'installing an extension',
      'reaching the network',
    ])
    expect(readdirSync(folder)).toEqual(['lake'])
  })
})
