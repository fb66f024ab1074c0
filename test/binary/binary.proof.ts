import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, onTestFinished, type TestContext, test, vi } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { addressFor, requestsFor } from '../../src/cli/smoke/requests.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { FORMATS, formatNames } from '../../src/operations/answering/formats.ts'
import { operations } from '../../src/operations/index.ts'
import { connect } from '../api/socket/clients.ts'
import { listening, serving, tapehouse } from '../cli/process.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { engineFor } from '../fixtures/service.ts'
import { countCases } from '../fixtures/tier.ts'
import { type Binary, builtBinary } from './binary.ts'

/** The largest binary. */
const BYTES_MAX = 230e6

let binary: Binary
let lake = ''
let tokens = ''
let token = ''
beforeAll(async () => {
  binary = builtBinary()
  lake = await sharedMarket('whole')
  tokens = join(binary.folder, 'tokens.json')
  token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
})

const run = (args: readonly string[], env: Record<string, string> = {}) => tapehouse(args, env, binary.launch)
const served = (args: readonly string[] = []) => ['--lake', lake, '--tokens', tokens, ...args]
const QUERY = ['query', 'analytics-window', '--symbols', 'ACME', '--range', 'full', '--calculations', 'MEAN']
const query = () => [...QUERY, '--format', 'json', '--lake', lake]

/** Names of the native parts that were extracted to a folder. */
const extractedTo = (place: string) =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter(name => name.includes('/native-') || name.startsWith('native-'))
    .filter(name => !statSync(join(place, name)).isDirectory())
    .map(name => name.replace(/^.*\//, ''))
    .toSorted()
const PARTS = ['duckdb.node', 'libduckdb.so']

test(`the binary has at most ${BYTES_MAX / 1e6} MB`, () => {
  expect(statSync(binary.path).size).toBeLessThanOrEqual(BYTES_MAX)
})

test('has the version and the help of the checkout, and extracts nothing for them', async () => {
  for (const args of [['--version'], ['--help']]) expect(await run(args)).toEqual(await tapehouse(args))
  expect(readdirSync(binary.home)).toEqual([])
})

test('two processes that start at once for the first time both answer', async () => {
  const home = mkdtempSync(join(binary.folder, 'home-'))
  const expected = await tapehouse(query())
  expect(expected.code).toBe(0)
  const answers = await Promise.all([run(query(), { HOME: home }), run(query(), { HOME: home })])
  expect(answers).toEqual([expected, expected])
  expect(extractedTo(home)).toEqual(PARTS)
  countCases(2)
})

test('a damaged library is extracted again', async () => {
  const home = mkdtempSync(join(binary.folder, 'home-'))
  expect((await run(query(), { HOME: home })).code).toBe(0)
  const cache = join(home, '.cache/tapehouse')
  const library = join(cache, readdirSync(cache)[0] ?? '', 'libduckdb.so')
  const bytes = readFileSync(library)
  // One bit in the middle of the code.
  const middle = Math.floor(bytes.length / 2)
  const damaged = Buffer.from(bytes)
  damaged[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(library, damaged)
  expect((await run(query(), { HOME: home })).code).toBe(0)
  expect(readFileSync(library).equals(bytes)).toBe(true)
})

describe('the folder of the library', () => {
  const refusal = (place: string, problem: string) =>
    expect.stringMatching(
      new RegExp(
        `^tapehouse: DuckDB's library cannot be extracted to ${place}/native-[0-9a-f]{16}: ${problem}: name another folder with --native-dir or TAPEHOUSE_NATIVE_DIR\n$`,
      ),
    )

  test('is reported in a home folder that is read-only; --native-dir names another, which may be read-only too', async () => {
    const home = mkdtempSync(join(binary.folder, 'home-'))
    const native = mkdtempSync(join(binary.folder, 'place-'))
    const own = join(binary.folder, 'readable')
    cpSync(await sharedMarket('day'), own, { recursive: true })
    const args = [...QUERY, '--format', 'json', '--lake', own]
    const expected = await run([...args, '--native-dir', native])
    expect([expected.code, extractedTo(native)]).toEqual([0, PARTS])
    // For `nobody`, if the tests run as root: the folder of the run, the copy of the lake and the binary can be read.
    for (const folder of [inject('runFolder'), binary.folder, native]) chmodSync(folder, 0o755)
    chmodSync(home, 0o555)
    const asOther = (env: Record<string, string>) =>
      tapehouse(args, { HOME: home, ...env }, binary.launchAsOther)
    const { code, stderr } = await asOther({})
    expect([code, stderr]).toEqual([1, refusal(`${home}/.cache/tapehouse`, 'this user may not write there')])
    const answered = await asOther({ TAPEHOUSE_NATIVE_DIR: native })
    expect([answered.stderr, answered.stdout.toString()]).toEqual([
      expected.stderr,
      expected.stdout.toString(),
    ])
  })

  test('on a file system that is mounted noexec or read-only is reported', async ({ skip }) => {
    for (const [option, problem] of [
      ['noexec', null],
      ['ro', 'it is on a read-only file system'],
    ] as const) {
      const place = mounted(option, skip)
      const { code, stderr } = await run([...query(), `--native-dir=${place}`])
      expect(code).toBe(1)
      if (problem !== null) expect(stderr).toEqual(refusal(place, problem))
      else
        expect(stderr).toMatch(
          /^tapehouse: \S+\/native-\w+ is on a file system that is mounted noexec, where no library can be loaded: name a folder on another one with --native-dir or TAPEHOUSE_NATIVE_DIR\n$/,
        )
      countCases(1)
    }
  })
})

/** A file system in memory with one option, for the time of a test, which is skipped where none can be mounted. */
function mounted(option: string, skip: TestContext['skip']): string {
  const place = mkdtempSync(join(binary.folder, 'mounted-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', option, 'tapehouse-test', place], { stdio: 'ignore' })
  } catch {
    skip('a file system cannot be mounted here: that needs root')
  }
  onTestFinished(() => {
    execFileSync('umount', [place])
  })
  return place
}

test('all operations have the bytes of the checkout in all formats', async () => {
  const snapshot = await loadSnapshot(lake)
  const engine = await engineFor(lake)
  const ours = await serving(served(['--workers', '1']), {}, binary.launch)
  const theirs = await serving(served(['--workers', '1']))
  const get = async (url: string, address: string, accept: string) => {
    const response = await fetch(`${url}${address}`, {
      headers: { authorization: `Bearer ${token}`, accept },
    })
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    }
  }
  for (const operation of operations) {
    const [values = {}] = await requestsFor(operation, snapshot, engine, new AbortController().signal)
    for (const format of formatNames) {
      const address = addressFor(operation, values)
      const { mediaType } = FORMATS[format]
      const expected = await get(theirs.url, address, mediaType)
      expect(expected.status, address).toBe(200)
      expect(await get(ours.url, address, mediaType), `${address} as ${format}`).toEqual(expected)
      countCases(1)
    }
  }
  for (const path of ['/api/openapi.json', '/api/docs'])
    expect((await get(ours.url, path, '*/*')).status).toBe(200)
  await engine.close()
  expect(await ours.stop()).toBe(0)
}, 600_000)

test.each(formatNames)('query writes the bytes of the checkout as %s', async format => {
  const args = [...QUERY, '--lake', lake, '--format', format]
  expect(await run(args)).toEqual(await tapehouse(args))
})

test.each(['json', 'protobuf'])('stream writes the bytes of the checkout as %s', async format => {
  const args = ['stream', '--lake', await sharedMarket('day'), '--speed', 'max', '--format', format]
  const expected = await tapehouse(args)
  expect([expected.code, expected.stdout.length > 100_000]).toEqual([0, true])
  const { code, stdout } = await run(args)
  expect([code, stdout.equals(expected.stdout)]).toEqual([0, true])
})

test('the server replays to sockets on two workers, replaces one that is killed, and ends on SIGTERM', async () => {
  const args = ['--lake', await sharedMarket('day'), '--tokens', tokens, '--workers', '2']
  const server = await serving([...args, '--replay-speed', '300', '--log-level', 'info'], {}, binary.launch)
  const port = Number(new URL(server.url).port)
  const open = async () => {
    const client = await connect({ port, token })
    await client.join('option_trades')
    return client
  }
  const clients = [await open(), await open(), await open(), await open()]
  const idsOf = (client: (typeof clients)[number]) => client.data('option_trades').map(({ id }) => id)
  await clients[0]?.until(() => clients.every(client => idsOf(client).length > 20))
  const pids = () =>
    [...server.output().matchAll(/"workerPid":(\d+),"msg":"worker_started"/g)].map(([, pid]) => Number(pid))
  expect(pids()).toHaveLength(2)
  process.kill(pids()[0] ?? 0, 'SIGKILL')
  await vi.waitFor(async () => {
    expect(pids()).toHaveLength(3)
    const ready = (await (await fetch(`${server.adminUrl}/-/ready`)).json()) as { workers_ready: number }
    expect(ready.workers_ready).toBe(2)
  }, 20_000)
  const later = await open()
  await later.until(() => idsOf(later).length > 5)
  for (const { socket } of [...clients, later]) socket.terminate()
  expect(await server.stop()).toBe(0)
  const [, ...left] = pids()
  for (const pid of left) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
}, 120_000)

test('the demo is served from an empty folder', async () => {
  const folder = join(binary.folder, 'demo')
  mkdirSync(folder)
  const size = { TAPEHOUSE_DEMO_DAYS: '1', TAPEHOUSE_DEMO_TICKERS: '3', TAPEHOUSE_DEMO_TRADES: '400' }
  const paths = ['--lake', join(folder, 'lake'), '--tokens', join(folder, 'tokens.json')]
  const server = await listening(['demo', '--port', '0', ...paths, '--workers', '1'], size, binary.launch)
  const [, authorization = '', address = ''] =
    /curl -H 'Authorization: (Bearer [0-9a-f-]{36})' '([^']+)'/.exec(server.output()) ?? []
  const answered = await fetch(address, { headers: { authorization } })
  expect(answered.status).toBe(200)
  expect(await server.stop()).toBe(0)
}, 120_000)
