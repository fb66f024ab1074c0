import { spawn, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { busyLake } from '../../fixtures/busy-contract.ts'
import { folderForTest, temporaryFolder } from '../../fixtures/lake.ts'
import { flowPath, type Listening, listening, queriesOf, sha } from '../../fixtures/streaming.ts'

/** Long answers whose client, server or lake does not keep up. */

const folder = temporaryFolder()
let lake = ''
let server: Listening
beforeAll(async () => {
  lake = await busyLake(folder, 100_000)
  server = await listening(folder, lake)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Waits until the server has run what it will run for a client that takes nothing. */
async function settled({ engine, seen }: Listening): Promise<number> {
  let before = -1
  while (before !== queriesOf(seen) || engine.running > 0) {
    before = queriesOf(seen)
    await sleep(700)
  }
  return before
}

/** Reads to the end, however it ends: a digest of all the bytes, or `broken`. */
async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response) chunks.push(chunk)
  } catch {
    return 'broken'
  }
  return sha(Buffer.concat(chunks))
}

const python = spawnSync('python3', ['--version']).status === 0 || process.env.CI !== undefined

/**
 * Begins to read an answer, waits for a line, and tells how the connection ends. Node's own client takes a reset for the
 * end where it meets it together with the last bytes.
 */
const CLIENT = `
import socket, sys
connection = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
connection.sendall(sys.argv[2].encode())
connection.recv(1)
print('begun', flush=True)
sys.stdin.readline()
try:
    while connection.recv(65536):
        pass
    print('end')
except ConnectionResetError:
    print('reset')
`

/** A server over a lake of its own, and a way to lose the lake's files. */
async function losing(): Promise<Listening & { lose(): void }> {
  const own = folderForTest()
  cpSync(lake, join(own, 'lake'), { recursive: true })
  const listens = await listening(own, join(own, 'lake'))
  onTestFinished(() => listens.close())
  const day = join(own, 'lake', 'option_trades', 'date=2024-01-18')
  const lose = () => {
    for (const name of readdirSync(day)) rmSync(join(day, name))
  }
  return { ...listens, lose }
}

describe('a slow reader', () => {
  test('holds no connection of the engine, keeps the next page from being run, and gets all of it', async () => {
    const whole = sha((await server.read('')).bytes)
    const response = await server.open('')
    const queries = await settled(server)
    await sleep(500)
    expect([server.engine.running, server.engine.queued, queriesOf(server.seen)]).toEqual([0, 0, queries])
    expect(await readAll(response)).toBe(whole)
    // Where the pages begin, and ten of them: all but the first ones after the sleep.
    expect(queriesOf(server.seen) - queries).toBeGreaterThanOrEqual(7)
  })

  test('that takes nothing for long is cut off', async () => {
    const own = folderForTest()
    const hasty = await listening(own, lake, 300)
    onTestFinished(() => hasty.close())
    const response = await hasty.open('')
    await settled(hasty)
    expect(await readAll(response)).toBe('broken')
    // That is no fault of ours.
    expect(hasty.seen.filter(({ kind }) => kind === 'failed')).toEqual([])
  })

  test('that keeps taking is not', async () => {
    const own = folderForTest()
    const hasty = await listening(own, lake, 400)
    onTestFinished(() => hasty.close())
    const response = await hasty.open('')
    let bytes = 0
    // Four rests, longer together than a client may take nothing.
    let rests = 4
    for await (const chunk of response) {
      bytes += chunk.length
      if (rests > 0 && bytes > (5 - rests) * 8_000_000) {
        rests -= 1
        await sleep(200)
      }
    }
    expect([response.complete, rests]).toEqual([true, 0])
  })

  test('that goes away ends its answer', async () => {
    const response = await server.open('')
    const queries = await settled(server)
    response.destroy()
    await sleep(1000)
    expect(queriesOf(server.seen)).toBe(queries)
    expect(server.seen.filter(({ kind }) => kind === 'failed')).toEqual([])
  })
})

describe('an answer that breaks on its way', () => {
  test.each(['identity', 'gzip'])('is seen to be broken, as %s', async coding => {
    const own = await losing()
    const response = await own.open('', { 'accept-encoding': coding, accept: 'application/x-ndjson' })
    if (coding === 'identity') await settled(own)
    own.lose()
    expect(await readAll(response)).toBe('broken')
    expect(response.complete).toBe(false)
    expect(own.seen.filter(({ kind }) => kind === 'failed')).toMatchObject([{ operation: 'contract-flow' }])
  })

  test('rejects a fetch', async () => {
    const own = await losing()
    const url = `http://127.0.0.1:${own.port}${flowPath}`
    const response = await fetch(url, { headers: { authorization: own.authorization } })
    own.lose()
    await expect(response.arrayBuffer().then(({ byteLength }) => byteLength)).rejects.toThrow()
  })

  test.skipIf(!python)(
    'is reset for HTTP/1.0, where the end of the connection would pass for the end of the answer (python3)',
    async () => {
      const own = await losing()
      const request = `GET ${flowPath} HTTP/1.0\r\nauthorization: ${own.authorization}\r\n\r\n`
      const client = spawn('python3', ['-c', CLIENT, String(own.port), request], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const said = createInterface({ input: client.stdout })[Symbol.asyncIterator]()
      expect((await said.next()).value).toBe('begun')
      own.lose()
      client.stdin.end('go on\n')
      expect((await said.next()).value).toBe('reset')
    },
  )

  test('before its first page is an ordinary problem', async () => {
    const own = await losing()
    own.lose()
    const { status, headers } = await own.read('', { 'accept-encoding': 'gzip' })
    expect([status, headers['content-encoding'], headers.etag]).toEqual([500, undefined, undefined])
  })
})

describe('many long answers at once', () => {
  test('are refused beyond a number that memory has room for, until one of them ends', async () => {
    const open = await Promise.all(Array.from({ length: 16 }, () => server.open('', { accept: 'text/csv' })))
    expect(open.map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(200))
    expect((await server.read('')).status).toBe(503)
    for (const response of open) response.destroy()
    await expect.poll(async () => (await server.read('?limit=20000')).status, { timeout: 20_000 }).toBe(200)
  })
})
