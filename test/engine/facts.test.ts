import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StatementType } from '@duckdb/node-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openInstance } from '../../src/engine/instance.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { openConnection } from './encode/answers.ts'

/**
 * What the engine and its client do, against what one would expect, and what the product is therefore built around.
 * These tests are about the pinned version: when one fails after an upgrade, a precaution may have become needless.
 */
const FAILS_LATE = `SELECT CASE WHEN i = 150000 THEN error('late') ELSE i END AS i FROM range(200000) r(i)`

/** About a second of work on two free cores, in an operator that looks for interrupts. */
const WORK = 'SELECT sum(hash(a.range + b.range)) FROM range(1000000) a, range(20) b'

const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 'finished',
    (thrown: unknown) => String(thrown),
  )

describe('a streaming result', () => {
  test('ends early, without an error, when its query fails; a materialised one throws', async () => {
    const connection = await openConnection()
    await expect(connection.run(FAILS_LATE)).rejects.toThrow('late')
    await expect(connection.runAndReadAll(FAILS_LATE)).rejects.toThrow('late')

    const reader = await connection.streamAndReadAll(FAILS_LATE)
    expect(reader.done).toBe(true)
    expect(reader.currentRowCount).toBeLessThan(150_000)

    let rows = 0
    for await (const chunk of await connection.stream(FAILS_LATE)) rows += chunk.rowCount
    expect(rows).toBeLessThan(150_000)
  })

  test('ends early, without an error, where a file is damaged', async () => {
    const connection = await openConnection()
    const path = join(folderForTest(), 'a.parquet')
    const select = 'SELECT hash(i) AS h FROM range(1000000) r(i)'
    await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 20000)`)
    const bytes = readFileSync(path)
    // Far enough after the start that rows come before it, and before the footer, which stays whole.
    writeFileSync(path, bytes.fill(0xff, Math.floor(bytes.length * 0.8), Math.floor(bytes.length * 0.9)))
    const sql = `SELECT * FROM read_parquet('${path}')`
    await expect(connection.run(sql)).rejects.toThrow()
    const reader = await connection.streamAndReadAll(sql)
    expect(reader.done).toBe(true)
    expect(reader.currentRowCount).toBeLessThan(1_000_000)
  })

  test('ends early, without an error, when its connection runs another statement', async () => {
    const connection = await openConnection()
    const stream = await connection.stream('SELECT i FROM range(1000000) r(i)')
    let rows = (await stream.fetchChunk())?.rowCount ?? 0
    await connection.run('SELECT 42')
    for await (const chunk of stream) rows += chunk.rowCount
    expect(rows).toBeLessThan(1_000_000)
  })

  test('ends early, without an error, when it is interrupted; a materialised one throws', async () => {
    const connection = await openConnection()
    const sql = 'SELECT i FROM range(1000000000) r(i) WHERE hash(i) % 1000 = 0'
    const stream = await connection.stream(sql)
    let rows = (await stream.fetchChunk())?.rowCount ?? 0
    connection.interrupt()
    for await (const chunk of stream) rows += chunk.rowCount
    expect(rows).toBeLessThan(900_000)

    const interrupting = setInterval(() => connection.interrupt(), 50)
    onTestFinished(() => clearInterval(interrupting))
    await expect(connection.run(sql)).rejects.toThrow(/interrupt/i)
  })
})

describe('a prepared statement', () => {
  test('that overlapping requests share answers with the parameters of another', async () => {
    const connection = await openConnection()
    const statement = await connection.prepare('SELECT $1::INTEGER FROM range(1000)')
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        statement.bindInteger(1, index)
        const [row] = await (await statement.run()).getRowsJson()
        return row?.[0] === index
      }),
    )
    expect(answers.filter(right => !right).length).toBeGreaterThan(0)
  })

  test('is one statement, while run() takes several', async () => {
    const connection = await openConnection()
    await expect(connection.prepare('SELECT 1; SELECT 2')).rejects.toThrow(/multiple statements/)
    await connection.run('SELECT 1; CREATE TABLE stacked AS SELECT 7 AS n')
    expect(await (await connection.run('FROM stacked')).getRowsJson()).toEqual([[7]])
  })

  test('has its type before it runs', async () => {
    const connection = await openConnection()
    const kind = async (sql: string) => (await connection.prepare(sql)).statementType
    expect(await kind('WITH a AS (SELECT 1) SELECT * FROM a')).toBe(StatementType.SELECT)
    expect(await kind(`COPY (SELECT 1) TO 'a.csv'`)).toBe(StatementType.COPY)
    expect(await kind('CREATE TABLE t(i INTEGER)')).toBe(StatementType.CREATE)
  })
})

/** Runs a script, which has `DuckDBInstance`, `WORK`, `settled` and `pause`, in a process of its own. */
async function inProcess(script: string, libuvThreads = 4): Promise<{ code: number | null; output: string }> {
  const whole = `import { DuckDBInstance } from '@duckdb/node-api'
const WORK = ${JSON.stringify(WORK)}
const settled = ${settled}
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', whole], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, UV_THREADPOOL_SIZE: String(libuvThreads) },
  })
  let output = ''
  child.stdout.on('data', data => {
    output += data
  })
  return new Promise(resolve => child.on('close', code => resolve({ code, output })))
}

const OPEN = `const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
const connection = await instance.connect()
const start = Date.now()
await connection.run(WORK)
const usual = Date.now() - start
const running = settled(connection.run(WORK))
await pause(usual / 4)`

describe('a connection', () => {
  test('that is closed under a running query never settles it, or brings the process down', {
    tags: 'slow',
  }, async () => {
    const { code, output } = await inProcess(`${OPEN}
      connection.closeSync()
      running.then(how => console.log('settled', how))
      await pause(usual * 3 + 1000)
      process.kill(process.pid, 'SIGKILL')`)
    expect(output).not.toContain('settled')
    expect(code).not.toBe(0)
  })

  test('that is interrupted, awaited and then closed lets the process end', async () => {
    const { code, output } = await inProcess(`${OPEN}
      connection.interrupt()
      console.log('settled', await running)
      connection.closeSync()
      instance.closeSync()`)
    expect(output).toMatch(/settled .*INTERRUPT/)
    expect(code).toBe(0)
  })

  test('loses an interrupt that comes before its query has a thread', { tags: 'slow' }, async () => {
    const { output } = await inProcess(
      `const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
      const [first, second] = [await instance.connect(), await instance.connect()]
      const busy = settled(first.run(WORK))
      const waiting = settled(second.run(WORK))
      second.interrupt()
      console.log('busy', await busy, 'waiting', await waiting)
      const again = settled(second.run(WORK.replace('20)', '2000)')))
      setInterval(() => second.interrupt(), 20).unref()
      console.log('again', await again)`,
      1,
    )
    expect(output).toMatch(/^busy finished waiting finished\nagain .*INTERRUPT/)
  })
})

describe('allowed_directories', () => {
  test('also allow writing there, and the temporary folder too', async () => {
    const folder = folderForTest()
    for (const name of ['lake', 'temporary', 'other']) mkdirSync(join(folder, name))
    const instance = await openInstance({
      directories: [join(folder, 'lake')],
      temporaryDirectory: join(folder, 'temporary'),
      temporaryBytesMax: 1024 ** 2,
      memoryBytesMax: 256 * 1024 ** 2,
      threads: 1,
    })
    const connection = await instance.connect()
    for (const name of ['lake', 'temporary']) {
      await connection.run(`COPY (SELECT 1) TO '${join(folder, name, 'a.csv')}'`)
      expect(existsSync(join(folder, name, 'a.csv'))).toBe(true)
    }
    await connection.run(`ATTACH '${join(folder, 'lake', 'a.db')}' AS a`)
    await connection.run('CREATE TABLE a.t AS SELECT 1')
    await expect(connection.run(`COPY (SELECT 1) TO '${join(folder, 'other', 'a.csv')}'`)).rejects.toThrow(
      /Permission/,
    )
    connection.closeSync()
    instance.closeSync()
  })
})

test('rows of a list of files come in their order, whatever the number of threads', async () => {
  const connection = await openConnection()
  await connection.run('SET threads = 4')
  const folder = folderForTest()
  const paths = [3, 0, 2, 1].map(file => `'${join(folder, `${file}.parquet`)}'`)
  for (const [place, path] of paths.entries()) {
    const select = `SELECT ${place} * 50000 + i AS i, repeat('x', 100) AS text FROM range(50000) r(i)`
    await connection.run(`COPY (${select}) TO ${path} (FORMAT parquet, ROW_GROUP_SIZE 10240)`)
  }
  const result = await connection.run(
    `SELECT i FROM read_parquet([${paths.join(', ')}], hive_partitioning = false) WHERE i % 3 < 2`,
  )
  const rows = (await result.getColumns())[0]?.map(Number) ?? []
  expect(rows).toEqual(Array.from({ length: 200_000 }, (_, i) => i).filter(i => i % 3 < 2))
})
