import { spawn } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { checkoutPath } from '../../src/engine/resources.ts'
import { type Launch, serving, start } from '../cli/process.ts'
import { folderForTest, makeLake, SMALL_DAYS } from '../fixtures/lake.ts'
import { lines } from './lines.ts'
import { ask, failedOf, load } from './load.ts'
import { isRunning } from './running.ts'
import { survivals } from './survivals.ts'

const survived = survivals()

/** One call of a function, in which DuckDB looks for no interrupt. It takes about 20 s, and the worker has to end before. */
const DEAF = "levenshtein(repeat($ticker, 60000), repeat('b', 60000)) >= 0"

/** Starts a copy of the program, of whose SQL one operation ignores interrupts. */
function withDeafOperation(): Launch {
  const folder = folderForTest()
  for (const path of ['bin', 'dist', 'sql', 'package.json'])
    cpSync(checkoutPath(path), join(folder, path), { recursive: true })
  symlinkSync(checkoutPath('node_modules'), join(folder, 'node_modules'))
  const template = join(folder, 'sql/endpoints/oi-per-expiry.sql')
  const sql = readFileSync(template, 'utf8')
  writeFileSync(template, sql.replace('WHERE underlying_symbol', `WHERE ${DEAF} AND underlying_symbol`))
  const env = (settings: Record<string, string>) => ({
    PATH: process.env.PATH ?? '',
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    HOME: folder,
    ...settings,
  })
  return (args, settings) =>
    spawn(process.execPath, [join(folder, 'bin/tapehouse.js'), ...args], {
      env: env(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
}

/** A server with two workers and a token, started by `launch`. */
async function served(launch: Launch, ...flags: readonly string[]) {
  const folder = folderForTest()
  const lake = await makeLake(folder, { days: SMALL_DAYS })
  const tokens = join(folder, 'tokens.json')
  const token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
  const limits = ['--workers', '2', '--log-level', 'info', ...flags]
  const server = await serving(['--lake', lake, '--tokens', tokens, ...limits], {}, launch)
  return {
    server,
    token,
    /** Resolves once a worker was replaced for this cause, with its number and the reason, and its successor serves. */
    async replaced(cause: string) {
      await server.until(() => lines(server, 'worker_replaced').length === 1)
      const [line] = lines(server, 'worker_replaced')
      expect(line?.cause).toBe(cause)
      await server.until(() => lines(server, 'worker_started').length === 3)
      while (isRunning(line?.workerPid ?? 0)) await sleep(50)
      const metrics = await (await fetch(`${server.adminUrl}/-/metrics`)).text()
      expect(metrics).toMatch(new RegExp(`^tapehouse_workers_replaced_total\\{cause="${cause}"\\} 1$`, 'm'))
      expect(metrics).toMatch(/^tapehouse_workers_ready 2$/m)
      return { workerPid: line?.workerPid, reason: line?.reason }
    },
  }
}

test('a worker with a query that ignores its interrupt is replaced, and only this query fails', async () => {
  const { server, token, replaced } = await served(withDeafOperation(), '--deadline-ms', '3000')
  const fresh = load(`${server.url}/api/lake`, token, 1)
  const kept = load(`${server.url}/api/lake`, token, 1, true)
  // A query whose deadline passes before it runs, as on a busy machine, ends at once: it is asked again until one is stuck.
  for (let times = 0; times < 10 && lines(server, 'query_stuck').length === 0; times += 1) {
    expect((await ask(`${server.url}/api/stock/A/oi-per-expiry`, token)).status).toBe(503)
    await Promise.race([server.until(() => lines(server, 'query_stuck').length > 0), sleep(5000)])
  }
  expect((await replaced('stuck')).reason).toBe(
    'a query of oi-per-expiry goes on although it was interrupted',
  )
  expect(lines(server, 'query_stuck')).toHaveLength(1)
  const asked = [...(await fresh.stop()), ...(await kept.stop())]
  expect(failedOf(asked)).toEqual([])
  expect(asked.length).toBeGreaterThan(20)
  expect(await server.stop()).toBe(0)
  const note = `${asked.length} other requests, none failed`
  survived('worker with a query that ignores its interrupt', 1, 1, note)
})

/** At SIGUSR2, the connections of a worker to its engine are closed. No query that the engine permits makes it fail for good. */
const CLOSING = `
if (process.send !== undefined) {
  const path = require.resolve(${JSON.stringify(checkoutPath('node_modules/@duckdb/node-bindings'))})
  const bindings = require(path)
  const connections = []
  const connect = async database => {
    const connection = await bindings.connect(database)
    connections.push(connection)
    return connection
  }
  // Its own properties cannot be changed.
  require.cache[path].exports = Object.create(bindings, { connect: { value: connect } })
  process.on('SIGUSR2', () => {
    for (const connection of connections) bindings.disconnect_sync(connection)
  })
}
`

test('a worker whose engine fails is replaced, and no request fails afterwards', async () => {
  const preloaded = join(folderForTest(), 'closing.cjs')
  writeFileSync(preloaded, CLOSING)
  const { server, token, replaced } = await served((args, env) =>
    start(args, { ...env, NODE_OPTIONS: `--require=${preloaded}` }),
  )
  const [{ workerPid = 0 } = {}] = lines(server, 'worker_started')
  process.kill(workerPid, 'SIGUSR2')
  expect(await replaced('engine')).toEqual({
    workerPid,
    reason: 'Failed to prepare: connection disconnected',
  })
  const path = '/api/analytics/window?symbols=ONE&range=full&calculations=MEAN'
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask(`${server.url}${path}`, token)))
  expect(failedOf(asked)).toEqual([])
  expect(await server.stop()).toBe(0)
  survived('worker whose engine fails', 1, 1, `${asked.length} requests afterwards, none failed`)
})
