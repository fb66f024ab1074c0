import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { busyLake } from '../fixtures/busy-contract.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { flowPath } from '../fixtures/streaming.ts'
import { type Server, serving } from './process.ts'

/** Memory of a real server that sends a response of many pages. */

const TRADES = 250_000
const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
let lake = ''
let token = ''
beforeAll(async () => {
  lake = await busyLake(folder, TRADES)
  token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Reads a response without keeping it, and returns its number of bytes. */
function taken({ url }: Server, query: string, accept: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept }
    get(`${url}${flowPath}${query}`, { headers }, response => {
      let bytes = 0
      response.on('data', chunk => {
        bytes += chunk.length
      })
      response.once('end', () => resolve(bytes))
      response.once('error', reject)
    }).once('error', reject)
  })
}

/** Peak resident memory of a process in MiB while a function runs, sampled every 50 ms. */
async function peakOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  let peak = 0
  const look = () => {
    const kibibytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString())
    peak = Math.max(peak, kibibytes / 1024)
  }
  const timer = setInterval(look, 50)
  await work()
  clearInterval(timer)
  look()
  return peak
}

test('a server uses no more memory for a long response than for a short one', async () => {
  const args = ['--lake', lake, '--tokens', tokens, '--workers', '1', '--deadline-ms', '60000']
  const server = await serving(args)
  const pid = Number(/"workerPid":(\d+),"msg":"worker_started"/.exec(server.output())?.[1])
  const json = 'application/json'
  const short = await peakOf(pid, () => taken(server, '?limit=20000', json))
  let bytes = 0
  const long = await peakOf(pid, async () => {
    bytes = await taken(server, '', json)
  })
  // The response is larger than the allowed increase, which covers the variation of allocators, but not keeping pages.
  expect(bytes).toBeGreaterThan(200 * 1024 ** 2)
  expect(long).toBeLessThan(short + 180)
  await server.stop()
})
