import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { explain } from '../../src/engine/explain.ts'

test('a query that runs out of memory is an out_of_memory failure', async () => {
  const small = await DuckDBInstance.create(':memory:', {
    memory_limit: '20MB',
    max_temp_directory_size: '0B',
    threads: '1',
  })
  const connection = await small.connect()
  const thrown = await connection.run('SELECT list(range) FROM range(30000000)').catch(explain)
  expect(thrown).toMatchObject({ code: 'out_of_memory' })
  connection.closeSync()
  small.closeSync()
})

test('an unknown error is unchanged', () => {
  for (const message of ['Binder Error: no such column', 'Invalid Input Error: some cast', 'boom']) {
    const thrown = new Error(message)
    expect(explain(thrown)).toBe(thrown)
  }
})
