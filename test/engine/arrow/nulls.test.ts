import { DuckDBInstance } from '@duckdb/node-api'
import { tableFromIPC } from 'apache-arrow'
import { expect, test } from 'vitest'
import { arrowTable } from '../../../src/engine/arrow/arrow.ts'
import { arrowStream } from '../../../src/engine/encode/arrow.ts'
import { readColumn } from './read-arrow.ts'

const TYPES = [
  'BOOLEAN',
  'TINYINT',
  'INTEGER',
  'BIGINT',
  'DOUBLE',
  'DECIMAL(4, 1)',
  'DECIMAL(9, 1)',
  'DECIMAL(18, 1)',
  'DECIMAL(38, 1)',
  'HUGEINT',
]

test.each(TYPES)('the memory under a null %s is zero, whatever it contained before', async type => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  // NULLIF marks its first argument as null and leaves the value in its place.
  const result = await connection.run(
    `SELECT nullif(x, x) AS gone, {'inner': nullif(x, x)} AS s, [nullif(x, x)] AS l
     FROM (SELECT (1 + i % 2)::${type} AS x FROM range(10) r(i))`,
  )
  const table = arrowTable(result)
  const memory = [
    table.getChild('gone'),
    table.getChild('s')?.getChildAt(0),
    table.getChild('l')?.getChildAt(0),
  ]
  for (const vector of memory) {
    expect(vector?.nullCount).toBe(10)
    for (const { values } of vector?.data ?? []) {
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
      expect(bytes.length).toBeGreaterThan(0)
      expect(bytes.every(byte => byte === 0)).toBe(true)
    }
  }
  connection.closeSync()
  instance.closeSync()
})

const CHUNK = 2048
const OTHERS = ['FLOAT', 'DATE', 'TIMESTAMP', 'TIMESTAMPTZ', 'VARCHAR', 'BLOB', 'UUID', 'BIGINT[]']
const ONE: Readonly<Record<string, string>> = {
  DATE: `DATE '2026-01-02'`,
  TIMESTAMP: `TIMESTAMP '2026-01-02'`,
  TIMESTAMPTZ: `TIMESTAMPTZ '2026-01-02 00:00:00+00'`,
  BLOB: `'a'::BLOB`,
  UUID: `'00000000-0000-0000-0000-000000000001'::UUID`,
  'BIGINT[]': '[1]',
}

test.each([...TYPES, ...OTHERS])('a %s in the last row of a part, or in no row, is read', async type => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const rows = 3 * CHUNK + 13
  const present = [CHUNK - 1, rows - 1]
  const result = await connection.run(
    `SELECT if(i IN (${present}), ${ONE[type] ?? `1::${type}`}, NULL) AS c FROM range(${rows}) r(i) ORDER BY i`,
  )
  const table = arrowTable(result)
  expect(table.batches.map(batch => batch.data.children[0]?.nullCount)).toEqual([CHUNK - 1, CHUNK, CHUNK, 12])
  const { signal } = new AbortController()
  const encoded = tableFromIPC(await arrowStream(result, { from: 0, to: rows }, signal))
  for (const read of [table, encoded]) {
    const values = readColumn(read.getChild('c'))
    expect(values.length).toBe(rows)
    expect(values.flatMap((value, row) => (value === null ? [] : [row]))).toEqual(present)
    expect(values[present[0] ?? 0]).toEqual(values[present[1] ?? 0])
  }
  connection.closeSync()
  instance.closeSync()
})
