import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { arrowTable } from '../../../src/engine/arrow/arrow.ts'

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
