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

const OF_QUERY = '/tmp/tapehouse-query-0123456789abcdef-1-2-abcdef/a.parquet'
test.each([
  [`IO Error: Could not write file "${OF_QUERY}": No space left on device`, 'temporary_unusable'],
  [`IO Error: Cannot open file "${OF_QUERY}": Read-only file system`, 'temporary_unusable'],
  [`IO Error: Cannot open file "${OF_QUERY}": No such file or directory`, 'temporary_unusable'],
  [`IO Error: Could not read from file "${OF_QUERY}": Input/output error`, 'temporary_unusable'],
  ['IO Error: Cannot open file "/lake/a.parquet": Too many open files', 'overloaded'],
  ['IO Error: Could not read from file "/lake/a.parquet": Input/output error', 'lake_damaged'],
  ['IO Error: Cannot open file "/lake/a.parquet": Permission denied', 'lake_damaged'],
])('%s is %s', (message, code) => {
  expect(explain(new Error(message))).toMatchObject({ code })
})

test.each([
  ['ENOSPC', 'temporary_unusable'],
  ['EMFILE', 'overloaded'],
  ['ENFILE', 'overloaded'],
  ['ENOMEM', 'out_of_memory'],
])('the error %s of the system is %s', (code, failure) => {
  expect(explain(Object.assign(new Error('open'), { code }))).toMatchObject({ code: failure })
})
