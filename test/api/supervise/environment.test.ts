import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { workerEnvironment } from '../../../src/api/supervise/environment.ts'

/** Opens the engine and ends; the allocator prints its settings and what it did not understand. */
const PROGRAM = `
  import { DuckDBInstance } from '@duckdb/node-api'
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run('SELECT sum(n) FROM range(1000000) AS r(n)')
  connection.closeSync()`

// Other builds of the library have another allocator, or are not known to have this one.
test.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
  'the allocator of the engine takes the settings of workers',
  async () => {
    const { DUCKDB_JE_MALLOC_CONF: settings } = workerEnvironment({ leasesMax: 4, allocator: null }, {})
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', PROGRAM],
      {
        env: { ...process.env, DUCKDB_JE_MALLOC_CONF: `${settings},stats_print:true` },
      },
    )
    expect(stderr).toMatch(/^ *opt\.oversize_threshold: 65536$/m)
    expect(stderr).toMatch(/^ *opt\.dirty_decay_ms: 100\b/m)
    expect(stderr).toMatch(/^ *opt\.muzzy_decay_ms: 0\b/m)
    expect(stderr).not.toMatch(/invalid|abort_conf:true/i)
  },
)

test('what the user has set comes before the settings of workers', () => {
  const given = {
    DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:0',
    MALLOC_ARENA_MAX: '1',
    MALLOC_CONF: 'narenas:1',
    LD_PRELOAD: '',
    NODE_OPTIONS: '--max-semi-space-size=2',
  }
  const { NODE_OPTIONS, ...rest } = workerEnvironment({ leasesMax: 2, allocator: '/usr/lib/any.so' }, given)
  expect(rest).toEqual({
    DUCKDB_JE_MALLOC_CONF: 'dirty_decay_ms:0',
    LD_PRELOAD: '',
    MALLOC_ARENA_MAX: '1',
    MALLOC_CONF: 'narenas:1',
    UV_THREADPOOL_SIZE: '6',
  })
  // Node.js takes the last one.
  expect(NODE_OPTIONS).toMatch(/^--max-semi-space-size=8 --max-semi-space-size=2$/)
})

test('a worker without an allocator keeps what the user loads first', () => {
  const loaded = (env: Record<string, string>, allocator: string | null) =>
    workerEnvironment({ leasesMax: 2, allocator }, env).LD_PRELOAD
  expect(loaded({ LD_PRELOAD: '/usr/lib/mine.so' }, null)).toBe('/usr/lib/mine.so')
  expect(loaded({}, null)).toBe('')
  expect(loaded({}, '/usr/lib/any.so')).toBe('/usr/lib/any.so')
})
