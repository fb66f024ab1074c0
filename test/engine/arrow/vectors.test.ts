import { DuckDBHugeIntVector, type DuckDBVector } from '@duckdb/node-api'
import { Vector } from 'apache-arrow'
import { describe, expect, test } from 'vitest'
import { type Items, run } from '../../../src/engine/arrow/memory.ts'
import { arrowType } from '../../../src/engine/arrow/types.ts'
import { arrowData } from '../../../src/engine/arrow/vectors.ts'
import { openConnection } from '../encode/answers.ts'
import { readColumn } from './read-arrow.ts'

interface Column {
  readonly sql: string
  /** Outside of the CASE that makes the nulls, because DuckDB has none over an ARRAY. */
  readonly cast?: string
  readonly value: (i: number) => unknown
}

const tenth = (i: number) => (-i / 10).toFixed(1)

const COLUMNS: Readonly<Record<string, Column>> = {
  double: { sql: 'i::DOUBLE / 2', value: i => i / 2 },
  boolean: { sql: 'i % 3 = 0', value: i => i % 3 === 0 },
  text: { sql: `repeat('ж', (i % 20)::INTEGER)`, value: i => 'ж'.repeat(i % 20) },
  blob: { sql: `repeat('x', (i % 20)::INTEGER)::BLOB`, value: i => '78'.repeat(i % 20) },
  uuid: {
    sql: `printf('00000000-0000-0000-0000-%012d', i)::UUID`,
    value: i => `00000000-0000-0000-0000-${String(i).padStart(12, '0')}`,
  },
  enum: {
    sql: `(CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END)::ENUM('a', 'b')`,
    value: i => (i % 2 === 0 ? 'a' : 'b'),
  },
  decimal16: { sql: '(-i / 10)::DECIMAL(4, 1)', value: tenth },
  decimal32: { sql: '(-i / 10)::DECIMAL(9, 1)', value: tenth },
  decimal64: { sql: '(-i / 10)::DECIMAL(18, 1)', value: tenth },
  decimal128: { sql: '(-i / 10)::DECIMAL(38, 1)', value: tenth },
  list: { sql: 'range(i % 4)', value: i => [0n, 1n, 2n].slice(0, i % 4) },
  lists: { sql: '[range(i % 3), NULL, [i]]', value: i => [[0n, 1n].slice(0, i % 3), null, [BigInt(i)]] },
  array: { sql: '[i, NULL]', cast: 'BIGINT[2]', value: i => [BigInt(i), null] },
  arrays: {
    sql: '[[i, 1], [2, 3]]',
    cast: 'BIGINT[2][2]',
    value: i => [
      [BigInt(i), 1n],
      [2n, 3n],
    ],
  },
  struct: { sql: `{'a': i, 'b': ['x' || i]}`, value: i => [BigInt(i), [`x${i}`]] },
  map: { sql: 'MAP {i: i % 2 = 0}', value: i => [[BigInt(i), i % 2 === 0]] },
}

/** A vector of 100 values, from 1 to 100, of which those at 3, 10, 17, … are null; with what each must be. */
async function vectorOf({ sql, cast, value }: Column) {
  const connection = await openConnection()
  const nulled = `CASE WHEN i % 7 <> 4 THEN ${sql} END`
  const result = await connection.run(
    `SELECT ${cast ? `CAST(${nulled} AS ${cast})` : nulled} FROM range(1, 101) r(i) ORDER BY i`,
  )
  // Kept until the test ends: its memory is DuckDB's.
  const chunk = result.getChunk(0)
  const expected = Array.from({ length: 100 }, (_, index) => (index % 7 === 3 ? null : value(index + 1)))
  return { chunk, vector: chunk.getColumnVector(0), expected }
}

function read(vector: DuckDBVector, items: Items): unknown[] {
  return readColumn(new Vector([arrowData('c', vector, items, arrowType('c', vector.type))]))
}

const columns = Object.entries(COLUMNS).map(([name, column]) => ({ name, column }))

describe.each(columns)('a vector of $name', ({ column }) => {
  test('is read completely, in part, sliced, and in any order', async () => {
    const { chunk, vector, expected } = await vectorOf(column)
    expect(read(vector, run(0, 100))).toEqual(expected)
    expect(read(vector, run(13, 50))).toEqual(expected.slice(13, 63))
    expect(read(vector, run(100, 0))).toEqual([])
    expect(read(vector.slice(13, 50), run(2, 40))).toEqual(expected.slice(15, 55))
    const places = Uint32Array.of(99, 3, 3, 0, 64, 17, 65)
    const scattered = { length: places.length, start: 0, places }
    expect(read(vector, scattered)).toEqual(Array.from(places, place => expected[place]))
    expect(chunk.rowCount).toBe(100)
  })
})

describe('a vector of lists', () => {
  test.each(['list', 'lists', 'map'])('with entries out of order is read in order (%s)', async name => {
    const { chunk, vector, expected } = await vectorOf(COLUMNS[name] ?? { sql: 'NULL', value: () => null })
    const list = name === 'map' ? Reflect.get(vector, 'listVector') : vector
    const entries: BigUint64Array = Reflect.get(list, 'entryData')
    // Exchange the entries of rows 1 and 99, both of which have values, and of 0 and 50.
    for (const [one, other] of [
      [1, 99],
      [0, 50],
    ] as const) {
      const kept = entries.slice(one * 2, one * 2 + 2)
      entries.copyWithin(one * 2, other * 2, other * 2 + 2)
      entries.set(kept, other * 2)
    }
    const exchanged = expected
      .with(1, expected[99])
      .with(99, expected[1])
      .with(0, expected[50])
      .with(50, expected[0])
    expect(read(vector, run(0, 100))).toEqual(exchanged)
    expect(read(vector, run(40, 60))).toEqual(exchanged.slice(40))
    expect(chunk.rowCount).toBe(100)
  })

  test('with an entry for a NULL is read without that entry', async () => {
    const { chunk, vector, expected } = await vectorOf({ sql: '[i]', value: i => [BigInt(i)] })
    const entries: BigUint64Array = Reflect.get(vector, 'entryData')
    entries.set([5n, 1n], 3 * 2)
    expect(read(vector, run(0, 100))).toEqual(expected)
    expect(chunk.rowCount).toBe(100)
  })
})

test('a null among 128-bit integers may have a value that is too long', async () => {
  const { chunk, vector } = await vectorOf({ sql: 'i::HUGEINT', value: String })
  if (!(vector instanceof DuckDBHugeIntVector)) throw new Error('not a vector of HUGEINT')
  vector.setItem(5, 10n ** 38n)
  vector.setItem(5, null)
  expect(read(vector, run(4, 3))).toEqual(['5', null, '7'])
  expect(chunk.rowCount).toBe(100)
})
