import { spawn } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { checkoutPath } from '../../src/engine/resources.ts'
import { type Launch, serving } from '../cli/process.ts'
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

test('a worker with a query that ignores its interrupt is replaced, and only this query fails', async () => {
  const folder = folderForTest()
  const lake = await makeLake(folder, { days: SMALL_DAYS })
  const tokens = join(folder, 'tokens.json')
  const token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
  const limits = ['--workers', '2', '--deadline-ms', '500', '--log-level', 'info']
  const server = await serving(['--lake', lake, '--tokens', tokens, ...limits], {}, withDeafOperation())
  const fresh = load(`${server.url}/api/lake`, token, 1)
  const kept = load(`${server.url}/api/lake`, token, 1, true)

  expect((await ask(`${server.url}/api/stock/A/oi-per-expiry`, token)).status).toBe(503)
  await server.until(() => lines(server, 'worker_replaced').length === 1)
  const [{ workerPid = 0, cause, reason } = {}] = lines(server, 'worker_replaced')
  expect([cause, reason]).toEqual(['stuck', 'a query of oi-per-expiry goes on although it was interrupted'])
  expect(lines(server, 'query_stuck')).toHaveLength(1)
  await server.until(() => lines(server, 'worker_started').length === 3)
  while (isRunning(workerPid)) await sleep(50)
  const asked = [...(await fresh.stop()), ...(await kept.stop())]
  expect(failedOf(asked)).toEqual([])
  expect(asked.length).toBeGreaterThan(20)
  const metrics = await (await fetch(`${server.adminUrl}/-/metrics`)).text()
  expect(metrics).toMatch(/^tapehouse_workers_replaced_total\{cause="stuck"\} 1$/m)
  expect(metrics).toMatch(/^tapehouse_workers_ready 2$/m)
  expect(await server.stop()).toBe(0)
  survived(
    'worker with a query that ignores its interrupt',
    1,
    1,
    `${asked.length} other requests, none failed`,
  )
})
