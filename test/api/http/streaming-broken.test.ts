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
import { amount } from '../../fixtures/tier.ts'
import { makeCertificate } from '../process/certificate.ts'

/** Long responses whose client is too slow, or whose server or lake fails. */

/** Ten pages, six in `npm test`. */
const TRADES = amount({ test: 60_000, prove: 100_000, long: 100_000 })
const folder = temporaryFolder()
let lake = ''
let server: Listening
beforeAll(async () => {
  lake = await busyLake(folder, TRADES)
  server = await listening(folder, lake)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Waits until the server has run all queries that it runs for a client that reads nothing. */
async function settled({ engine, seen }: Listening): Promise<number> {
  let before = -1
  while (before !== queriesOf(seen) || engine.running > 0) {
    before = queriesOf(seen)
    await sleep(700)
  }
  return before
}

/** A request that the server answers without a query, after whatever it does now. */
async function another({ read }: Listening): Promise<void> {
  expect((await read('?limit=none')).status).toBe(422)
}

/** Reads to the end. Returns a digest of all bytes, or `broken`. */
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
 * Starts to read a response, ends its side of the connection if the third argument is `end`, waits for a line on its input, and
 * prints how the connection ends. Node's own client does not report a reset that arrives together with the last bytes.
 */
const CLIENT = `
import socket, sys
connection = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
connection.sendall(sys.argv[2].encode())
connection.recv(1)
if sys.argv[3] == 'end':
    connection.shutdown(socket.SHUT_WR)
print('started', flush=True)
sys.stdin.readline()
try:
    while connection.recv(65536):
        pass
    print('end')
except ConnectionResetError:
    print('reset')
`

/** Requests the long response as HTTP/1.0, and returns how its connection ends. Calls `fail` when the response has begun. */
async function endOf(
  { port, authorization }: Listening,
  side: 'keep' | 'end',
  fail = () => {},
): Promise<string> {
  const request = `GET ${flowPath} HTTP/1.0\r\nauthorization: ${authorization}\r\n\r\n`
  const client = spawn('python3', ['-c', CLIENT, String(port), request, side], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('started')
  fail()
  client.stdin.end('go on\n')
  return (await lines.next()).value
}

/** A server with its own lake, whose files can be removed. */
async function losing(isSecure = false): Promise<Listening & { lose(): void }> {
  const own = folderForTest()
  cpSync(lake, join(own, 'lake'), { recursive: true })
  const certificate = isSecure ? makeCertificate(own, 'own') : null
  const listens = await listening(own, join(own, 'lake'), undefined, certificate)
  onTestFinished(() => listens.close())
  const day = join(own, 'lake', 'option_trades', '2024-01-18')
  const lose = () => {
    for (const name of readdirSync(day)) rmSync(join(day, name))
  }
  return { ...listens, lose }
}

describe('a slow reader', () => {
  test('uses no connection of the engine, delays the next page, and gets the whole response', {
    tags: 'slow',
  }, async () => {
    const whole = sha((await server.read('')).bytes)
    const response = await server.open('')
    const queries = await settled(server)
    await another(server)
    expect([server.engine.running, server.engine.queued, queriesOf(server.seen)]).toEqual([0, 0, queries])
    expect(await readAll(response)).toBe(whole)
    // The query for the page keys, and the pages, all but the first ones after the sleep.
    expect(queriesOf(server.seen) - queries).toBeGreaterThanOrEqual(amount({ test: 3, prove: 7, long: 7 }))
  })

  test('that reads nothing for long is disconnected', async () => {
    const own = folderForTest()
    const hasty = await listening(own, lake, 300)
    onTestFinished(() => hasty.close())
    const response = await hasty.open('')
    await settled(hasty)
    expect(await readAll(response)).toBe('broken')
    // A disconnected client is not an error of the server.
    expect(hasty.seen.filter(({ kind }) => kind === 'failed')).toEqual([])
  })

  test('that keeps reading is not', { tags: 'slow' }, async () => {
    const own = folderForTest()
    const limitMs = 3000
    const hasty = await listening(own, lake, limitMs)
    onTestFinished(() => hasty.close())
    const response = await hasty.open('')
    let bytes = 0
    // Four pauses, which together are longer than the limit of a single one. Each is far below it, for slow machines.
    let rests = 4
    for await (const chunk of response) {
      bytes += chunk.length
      if (rests > 0 && bytes > (5 - rests) * 8_000_000) {
        rests -= 1
        await sleep(limitMs / 3.8)
      }
    }
    expect([response.complete, rests]).toEqual([true, 0])
  })

  test('that disconnects ends its response', async () => {
    const response = await server.open('')
    const queries = await settled(server)
    const connections = await server.connections()
    response.destroy()
    await expect.poll(() => server.connections(), { timeout: 20_000 }).toBeLessThan(connections)
    await another(server)
    expect([server.engine.running, server.engine.queued, queriesOf(server.seen)]).toEqual([0, 0, queries])
    expect(server.seen.filter(({ kind }) => kind === 'failed')).toEqual([])
  })
})

describe('a response that fails midway', () => {
  test.each(['identity', 'gzip'])('is visibly incomplete, as %s', { tags: 'slow' }, async coding => {
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
    'is reset for HTTP/1.0, where the end of the connection would be the end of the response (python3)',
    async () => {
      const own = await losing()
      expect(await endOf(own, 'keep', own.lose)).toBe('reset')
    },
  )

  test('is reset over TLS, and others are answered', { tags: 'slow' }, async () => {
    const own = await losing(true)
    const response = await own.open('')
    await settled(own)
    own.lose()
    expect(await readAll(response)).toBe('broken')
    expect((await own.read('?limit=none')).status).toBe(422)
  })

  test.skipIf(!python)(
    'because its client of HTTP/1.0 has ended its side of the connection, is reset (python3)',
    async () => {
      expect(await endOf(server, 'end')).toBe('reset')
    },
  )

  test('before its first page is an ordinary error', async () => {
    const own = await losing()
    own.lose()
    const { status, headers } = await own.read('', { 'accept-encoding': 'gzip' })
    expect([status, headers['content-encoding'], headers.etag]).toEqual([503, undefined, undefined])
  })
})

describe('many simultaneous long responses', () => {
  test('are rejected beyond a limit, until one of them ends', { tags: 'slow' }, async () => {
    const open = await Promise.all(Array.from({ length: 16 }, () => server.open('', { accept: 'text/csv' })))
    expect(open.map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(200))
    expect((await server.read('')).status).toBe(503)
    for (const response of open) response.destroy()
    await expect.poll(async () => (await server.read('?limit=20000')).status, { timeout: 20_000 }).toBe(200)
  })
})
