import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { text } from '../../src/engine/bind.ts'
import type { Query } from '../../src/engine/engine.ts'
import { bindFiles, type Guard } from '../../src/engine/file-lists.ts'
import type { Observation } from '../../src/engine/observation.ts'
import { openStore } from '../../src/engine/store.ts'
import { dataset } from '../../src/lake/store/datasets.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { engineFor } from '../fixtures/service.ts'

const patience = () => new AbortController().signal
const MEBIBYTE = 1024 ** 2

/** A lake with `posts/<name>.parquet` of `rows` rows with the number `id` and the text `word`. */
async function filesOf(files: Readonly<Record<string, { rows: number; word: string }>>) {
  const lake = folderForTest()
  mkdirSync(join(lake, 'posts'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const [name, { rows, word }] of Object.entries(files))
    await connection.run(
      `COPY (SELECT range AS id, '${word}' || range AS word FROM range(${rows})) TO '${join(lake, 'posts', `${name}.parquet`)}'`,
    )
  connection.closeSync()
  instance.closeSync()
  const list = (...names: readonly string[]) =>
    names.map(name => ({ path: join(lake, 'posts', `${name}.parquet`) }))
  return { lake, list }
}

async function openStored(lake: string, storeBytesMax = 64 * MEBIBYTE, guard?: Guard) {
  const seen: Observation[] = []
  const settings = { storeBytesMax, ...(guard ? { guard } : {}) }
  const engine = await engineFor(lake, observation => seen.push(observation), settings)
  onTestFinished(() => engine.close())
  const words = async (list: readonly { path: string }[], word = 'a3') => {
    const query: Query = {
      operation: 'test',
      template: {
        name: 'test',
        sql: 'SELECT id FROM read_parquet($posts, hive_partitioning = false) WHERE word = $word ORDER BY id',
        parameters: [],
      },
      bindings: { posts: engine.bindFiles('posts', list), word: text(word) },
      values: new Set(['word']),
    }
    return Buffer.from((await engine.encode(query, 'json', patience())).bytes).toString()
  }
  /** The same answer twice from files, which makes a table of them, and then from the table. */
  const kept = async (list: readonly { path: string }[], word?: string) => {
    const answers = [await words(list, word), await words(list, word)]
    await engine.store.settled()
    return [...answers, await words(list, word)]
  }
  return { engine, seen, words, kept }
}

describe('the store', () => {
  test('makes a table of a list of files that is read for the second time, and answers the same from it', async () => {
    const { lake, list } = await filesOf({ one: { rows: 9, word: 'a' }, two: { rows: 5, word: 'a' } })
    const { engine, words, kept } = await openStored(lake)
    // The first query of a template also asks for its columns.
    await words(list('two'))
    await engine.store.settled()
    const { tables } = engine.store
    await words(list('one'))
    await engine.store.settled()
    expect(engine.store.tables).toBe(tables)
    expect(await kept(list('one', 'two'))).toEqual(Array(3).fill('{"id":3},{"id":3}'))
    expect(engine.store.tables).toBe(tables + 1)
    expect(engine.store.bytes).toBeGreaterThan(0)
    // The files are gone: the table answers alone.
    for (const { path } of list('one', 'two')) rmSync(path)
    expect(await words(list('one', 'two'))).toBe('{"id":3},{"id":3}')
    // Another list of the same dataset has no table, and its files are missing.
    await expect(words(list('one'))).rejects.toThrow()
  })

  test('looks at no file for a query that reads tables only', async () => {
    const { lake, list } = await filesOf({ one: { rows: 9, word: 'a' } })
    const held: string[][] = []
    const { words, kept } = await openStored(lake, 64 * MEBIBYTE, {
      async hold(files) {
        held.push(files.map(({ path }) => path))
        return { isIntact: () => true }
      },
    })
    await kept(list('one'))
    const looks = held.length
    // The columns, two reads of the file, and the copy.
    expect(held).toEqual(Array.from({ length: 4 }, () => [list('one')[0]?.path]))
    expect(await words(list('one'))).toBe('{"id":3}')
    expect(held.length).toBe(looks)
  })

  test('copies a list that was not at its path for a while, once it is read again', async () => {
    const { lake, list } = await filesOf({ one: { rows: 9, word: 'a' } })
    const { engine, words } = await openStored(lake)
    const [{ path } = { path: '' }] = list('one')
    renameSync(path, `${path}.moved`)
    engine.store.keep(engine.bindFiles('posts', list('one')))
    await engine.store.settled()
    expect(engine.store.tables).toBe(0)
    renameSync(`${path}.moved`, path)
    await words(list('one'))
    await words(list('one'))
    await engine.store.settled()
    expect(engine.store.tables).toBe(1)
  })

  test('reads a table for a file that a publish has moved', async () => {
    const { lake, list } = await filesOf({ one: { rows: 9, word: 'a' } })
    const { words, kept } = await openStored(lake)
    await kept(list('one'))
    const moved = { path: join(lake, 'superseded', 'posts', 'one.parquet') }
    mkdirSync(join(lake, 'superseded', 'posts'), { recursive: true })
    renameSync(join(lake, 'posts', 'one.parquet'), moved.path)
    rmSync(moved.path)
    expect(await words([moved])).toBe('{"id":3}')
  })

  test('drops the tables that were not read for longest, and reads their files again', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `file${index}`)
    const { lake, list } = await filesOf(
      Object.fromEntries(names.map(name => [name, { rows: 60_000, word: 'a' }])),
    )
    const { engine, kept, words } = await openStored(lake, 2 * MEBIBYTE)
    for (const name of names) expect(new Set(await kept(list(name)))).toEqual(new Set(['{"id":3}']))
    expect(engine.store.bytes).toBeLessThanOrEqual(2 * MEBIBYTE)
    expect(engine.store.tables).toBeGreaterThan(0)
    expect(engine.store.tables).toBeLessThan(names.length)
    for (const name of names) expect(await words(list(name))).toBe('{"id":3}')
  })

  test('plans a query of one large table at each run, one of more tables once, and reads late if one is large', async () => {
    const { list } = await filesOf({
      large: { rows: 80_000, word: 'a' },
      small: { rows: 9, word: 'a' },
    })
    const instance = await DuckDBInstance.create(':memory:')
    const store = await openStore(
      instance,
      64 * MEBIBYTE,
      undefined,
      () => {},
      () => {},
    )
    const bound = (name: string) => bindFiles(list(name), dataset('posts'), { path: () => '' })
    const bindings = { large: bound('large'), small: bound('small') }
    const read = (name: string) => `read_parquet($${name}, hive_partitioning = false)`
    const planOf = (sql: string) => {
      const { isNative, isPlannedOnce, isSmall, release } = store.reading(sql, bindings)
      release()
      return { isNative, isPlannedOnce, isSmall }
    }
    const asked = [
      `FROM ${read('large')}`,
      `FROM ${read('small')}`,
      `FROM ${read('large')} SEMI JOIN ${read('small')} USING (id)`,
    ]
    // From files, each is planned at each run.
    const fromFiles = { isNative: false, isPlannedOnce: false, isSmall: false }
    expect(asked.map(planOf)).toEqual([fromFiles, fromFiles, fromFiles])
    for (const each of Object.values(bindings)) store.keep(each)
    await store.settled()
    expect(asked.map(planOf)).toEqual([
      { isNative: true, isPlannedOnce: false, isSmall: false },
      { isNative: true, isPlannedOnce: true, isSmall: true },
      { isNative: true, isPlannedOnce: true, isSmall: false },
    ])
    await store.close()
    instance.closeSync()
  })

  test('makes no table of a list that would take more than half of it', async () => {
    const { lake, list } = await filesOf({ large: { rows: 300_000, word: 'a' } })
    const { engine, kept, seen } = await openStored(lake, 4 * MEBIBYTE)
    expect(new Set(await kept(list('large')))).toEqual(new Set(['{"id":3}']))
    expect([engine.store.tables, engine.store.bytes, engine.store.reads]).toEqual([0, 0, 0])
    expect(seen.filter(({ kind }) => kind === 'notice')).toEqual([])
  })

  test('says once that a list cannot be copied, and leaves its files to the query', async () => {
    const { lake, list } = await filesOf({ one: { rows: 9, word: 'a' } })
    const { engine, seen, words } = await openStored(lake)
    writeFileSync(join(lake, 'posts', 'bad.parquet'), 'PAR1 this is no Parquet file PAR1')
    const bad = list('bad')
    for (const _ of [1, 2, 3]) {
      await expect(words(bad)).rejects.toThrow()
      await engine.store.settled()
    }
    expect(seen.filter(({ kind }) => kind === 'notice')).toHaveLength(1)
    expect(await words(list('one'))).toBe('{"id":3}')
  })

  test('gives memory of kept statements back to a query that lacks it', { tags: 'slow' }, async () => {
    const { lake, list } = await filesOf({ one: { rows: 3_000, word: 'a' } })
    const engine = await engineFor(lake, () => {}, {
      storeBytesMax: 8 * MEBIBYTE,
      memoryBytesMax: 64 * MEBIBYTE,
    })
    onTestFinished(() => engine.close())
    const columns = Array.from({ length: 60 }, (_, index) => `(id * ${index})::DECIMAL(18, 4) AS n${index}`)
    const answer = async (skipped: number) => {
      const sql = `SELECT ${columns.join(', ')} FROM read_parquet($posts, hive_partitioning = false)
        WHERE id <> ${skipped} ORDER BY n1 DESC LIMIT 500`
      const template = { name: 'test', sql, parameters: [] }
      const bindings = { posts: engine.bindFiles('posts', list('one')) }
      return (await engine.encode({ operation: 'test', template, bindings }, 'json', patience())).rows
    }
    for (let skipped = 0; skipped < 20; skipped += 1)
      for (const _ of [1, 2, 3]) {
        expect(await answer(skipped)).toBe(500)
        await engine.store.settled()
      }
  })

  test('gives each of many requests at once its own rows', async () => {
    const { lake, list } = await filesOf({ one: { rows: 500, word: 'a' } })
    const { engine, kept, words } = await openStored(lake)
    await kept(list('one'))
    const before = engine.store.reads
    const asked = Array.from({ length: 14 }, (_, index) => `a${index * 7}`)
    for (const _ of [1, 2, 3, 4]) {
      const answers = await Promise.all(asked.map(word => words(list('one'), word)))
      expect(answers).toEqual(asked.map(word => `{"id":${word.slice(1)}}`))
    }
    expect(engine.store.reads - before).toBe(4 * 14)
  })
})

test('the table of files that lack computed columns has them', async () => {
  const lake = folderForTest()
  const path = join(lake, 'older.parquet')
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(
    `COPY (SELECT 'put' AS type, 400::DECIMAL(18, 4) AS total_premium, 300::DECIMAL(18, 4) AS total_bid_side_prem) TO '${path}'`,
  )
  connection.closeSync()
  instance.closeSync()
  const { engine } = await openStored(lake)
  const sql = 'SELECT bull_perc::VARCHAR AS share FROM read_parquet($flow_alerts, hive_partitioning = false)'
  const read = async () => {
    const query: Query = {
      operation: 'test',
      template: { name: 'test', sql, parameters: [] },
      bindings: { flow_alerts: engine.bindFiles('flow_alerts', [{ path, isOlder: true }]) },
      values: new Set(),
    }
    return Buffer.from((await engine.encode(query, 'json', patience())).bytes).toString()
  }
  const fromFiles = [await read(), await read(), await read()]
  await engine.store.settled()
  expect(engine.store.tables).toBe(1)
  rmSync(path)
  expect([...fromFiles, await read()]).toEqual(Array(4).fill('{"share":"0.7500000000"}'))
})
