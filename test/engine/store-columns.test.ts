import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Query } from '../../src/engine/engine.ts'
import type { Guard } from '../../src/engine/file-lists.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { engineFor } from '../fixtures/service.ts'

const patience = () => new AbortController().signal
const MEBIBYTE = 1024 ** 2

describe('a table of the store that lacks a column which a query names', () => {
  /** A list of each day, which is one trade, and its answer to a query of one column: the text, and whether it was read from a file. */
  async function tradesOf(days: readonly number[], storeBytesMax = 64 * MEBIBYTE, rows = 1) {
    const lake = folderForTest()
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const path = (day: number) => join(lake, `trades-${day}.parquet`)
    // No template names the symbol's number.
    for (const day of days)
      await connection.run(
        `COPY (SELECT ${day}::BIGINT AS size, (7 + hash(range)::HUGEINT)::DECIMAL(38, 0) AS option_symbol_id FROM range(${rows}))
        TO '${path(day)}' (FORMAT parquet)`,
      )
    connection.closeSync()
    instance.closeSync()
    let looks = 0
    const guard: Guard = {
      async hold() {
        looks += 1
        return { isIntact: () => true }
      },
    }
    const engine = await engineFor(lake, () => {}, { storeBytesMax, guard })
    onTestFinished(() => engine.close())
    const list = (day: number) => engine.bindFiles('option_trades', [{ path: path(day) }])
    const keep = async (day: number) => {
      engine.store.keep(list(day))
      await engine.store.settled()
    }
    const answer = async (day: number, column: 'size' | 'option_symbol_id') => {
      const sql = `SELECT max(${column}) > 4 AS known FROM read_parquet($option_trades, hive_partitioning = false)`
      const query: Query = {
        operation: 'test',
        template: { name: column, sql, parameters: [] },
        bindings: { option_trades: list(day) },
      }
      const before = looks
      const { bytes } = await engine.encode(query, 'json', patience())
      const isFromFile = looks > before
      await engine.store.settled()
      return [Buffer.from(bytes).toString(), isFromFile]
    }
    return { engine, keep, answer }
  }
  const FILE = ['{"known":true}', true]
  const TABLE = ['{"known":true}', false]

  test('is made anew with the column, once it is read for the second time', async () => {
    const { engine, keep, answer } = await tradesOf([5], 64 * MEBIBYTE, 20_000)
    await keep(5)
    const narrow = engine.store.bytes
    expect(await answer(5, 'size')).toEqual(TABLE)
    // The first query of a template asks for its columns as well.
    expect(await answer(5, 'option_symbol_id')).toEqual(FILE)
    expect(engine.store.tables).toBe(1)
    expect(await answer(5, 'option_symbol_id')).toEqual(TABLE)
    expect(await answer(5, 'size')).toEqual(TABLE)
    expect(engine.store.tables).toBe(1)
    expect(engine.store.bytes).toBeGreaterThan(narrow)
  })

  test('has the column from the beginning, if another list of the dataset was asked for it', async () => {
    const { engine, keep, answer } = await tradesOf([5, 6])
    await keep(5)
    for (const _ of [1, 2]) await answer(5, 'option_symbol_id')
    await keep(6)
    expect(engine.store.tables).toBe(2)
    expect(await answer(6, 'option_symbol_id')).toEqual(TABLE)
  })

  test('lacks it for good, as do later tables of the dataset, if it would be too large with the column', async () => {
    const { engine, keep, answer } = await tradesOf([5, 6], 2 * MEBIBYTE, 200_000)
    await keep(5)
    expect(engine.store.tables).toBe(1)
    for (const _ of [1, 2, 3, 4]) expect(await answer(5, 'option_symbol_id')).toEqual(FILE)
    expect(await answer(5, 'size')).toEqual(TABLE)
    expect(engine.store.tables).toBe(1)
    expect(engine.store.bytes).toBeLessThanOrEqual(MEBIBYTE)
    await keep(6)
    expect(engine.store.tables).toBe(2)
    expect(await answer(6, 'size')).toEqual(TABLE)
    for (const _ of [1, 2, 3]) expect(await answer(6, 'option_symbol_id')).toEqual(FILE)
  })

  test('is made without the column at first, if it would be too large with it', async () => {
    const { engine, answer } = await tradesOf([5], 2 * MEBIBYTE, 200_000)
    for (const _ of [1, 2, 3, 4]) expect(await answer(5, 'option_symbol_id')).toEqual(FILE)
    expect(engine.store.tables).toBe(1)
    expect(await answer(5, 'size')).toEqual(TABLE)
  })
})
