import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { BUSY, busyLake } from '../fixtures/busy-contract.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { flowPath, sha } from '../fixtures/streaming.ts'
import { amount } from '../fixtures/tier.ts'
import { serving, tapehouse } from './process.ts'

/** Responses of many pages, from real processes. */

const TRADES = amount({ test: 31_000, prove: 250_000, long: 1_000_000 })
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

describe('the command line', () => {
  test('prints every page, identical to the response of the server', { tags: 'slow' }, async () => {
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

  test('prints one page of a table, and notes that there are more rows', { tags: 'slow' }, async () => {
    const { stdout, stderr, code } = await tapehouse([...QUERY, '--columns', 'id,price', '--lake', lake])
    expect(code).toBe(0)
    expect(stderr).toMatch(/there are more rows/)
    expect(stdout.toString().trimEnd().split('\n').length).toBe(10_240 + 2)
    const short = await tapehouse([...QUERY, '--columns', 'id,price', '--lake', lake, '--limit', '3'])
    expect([short.stderr, short.stdout.toString().trimEnd().split('\n').length]).toEqual(['', 5])
  })
})
