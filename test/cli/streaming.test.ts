import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { BUSY, busyLake } from '../fixtures/busy-contract.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { flowPath, sha } from '../fixtures/streaming.ts'
import { type Server, serving, tapehouse } from './process.ts'

/** Responses of many pages, from real processes. */

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

const QUERY = ['query', 'contract-flow', '--id', BUSY.contract, '--deadline-ms', '60000']

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

describe('a server', () => {
  test('uses no more memory for a long response than for a short one', async () => {
    const args = ['--lake', lake, '--tokens', tokens, '--workers', '1', '--deadline-ms', '60000']
    const server = await serving(args)
    const pid = Number(/"pid":(\d+),"msg":"worker_started"/.exec(server.output())?.[1])
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
})

describe('the command line', () => {
  test('prints every page, identical to the response of the server', async () => {
    const server = await serving([
      '--lake',
      lake,
      '--tokens',
      tokens,
      '--workers',
      '1',
      '--deadline-ms',
      '60000',
    ])
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' }
    for (const [format, accept] of [
      ['json', 'application/json'],
      ['arrow', 'application/vnd.apache.arrow.stream'],
      ['parquet', 'application/vnd.apache.parquet'],
    ]) {
      const url = `${server.url}${flowPath}?limit=30000`
      const response = await fetch(url, { headers: { ...headers, accept: String(accept) } })
      const ended = await tapehouse([
        ...QUERY,
        '--lake',
        lake,
        '--limit',
        '30000',
        '--format',
        String(format),
      ])
      expect(ended.code).toBe(0)
      expect(sha(ended.stdout), format).toBe(sha(Buffer.from(await response.arrayBuffer())))
    }
    await server.stop()
  })

  test('stops when its reader closes the pipe', async () => {
    const command = `${process.execPath} bin/tapehouse.js ${QUERY.join(' ')} --lake ${lake} --format csv | head -c 2`
    const child = spawn('bash', ['-c', `set -o pipefail; ${command}`], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', text => {
      output += text
    })
    child.stderr.on('data', text => {
      output += text
    })
    const code = await new Promise(resolve => child.once('close', resolve))
    expect([output, code]).toEqual(['id', 0])
  })

  test('prints one page of a table, and notes that there are more rows', async () => {
    const { stdout, stderr, code } = await tapehouse([...QUERY, '--lake', lake])
    expect(code).toBe(0)
    expect(stderr).toMatch(/there are more rows/)
    expect(stdout.toString().trimEnd().split('\n').length).toBe(10_240 + 2)
    const short = await tapehouse([...QUERY, '--lake', lake, '--limit', '3'])
    expect([short.stderr, short.stdout.toString().trimEnd().split('\n').length]).toEqual(['', 5])
  })
})
