import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'

/** Takes minutes, unless it is interrupted. */
const ENDLESS = 'SELECT sum(hash(a.range + b.range)::HUGEINT) FROM range(1000000) a, range(1000000) b'

test('statements are interrupted at the end of a process, and neither settle nor begin any more', async () => {
  // A module of its own, because the statements of a process that ends do not settle any more.
  const own = new URL('../../../src/engine/running/statements.ts?ending', import.meta.url).href
  const { endStatements, interruptible } = (await import(
    own
  )) as typeof import('../../../src/engine/running/statements.ts')
  const instance = await DuckDBInstance.create()
  const connections = [await instance.connect(), await instance.connect()]
  const ended: string[] = []
  let settled = 0
  for (const connection of connections) {
    const run = () =>
      connection.run(ENDLESS).catch(thrown => {
        ended.push(String(thrown))
      })
    interruptible(connection, run).finally(() => {
      settled += 1
    })
  }
  const begun = performance.now()
  await endStatements(30_000)
  expect(performance.now() - begun).toBeLessThan(20_000)
  expect(ended).toHaveLength(2)
  expect(ended.every(message => message.includes('INTERRUPT'))).toBe(true)
  for (const connection of connections)
    interruptible(connection, async () => ended.push('begun')).finally(() => {
      settled += 1
    })
  await new Promise(resolve => setImmediate(resolve))
  expect([ended.length, settled]).toEqual([2, 0])
  for (const connection of connections) connection.closeSync()
  instance.closeSync()
})
