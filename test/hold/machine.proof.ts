import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { type Launch, type Server, serving, tapehouse } from '../cli/process.ts'
import { smallDisk } from '../fixtures/folder.ts'
import { folderForTest, makeLake, SMALL_DAYS, temporaryFolder } from '../fixtures/lake.ts'
import { countCases } from '../fixtures/tier.ts'
import { canTrace } from './strace.ts'
import { row, table } from './table.ts'

/** Faults of the machine, one at a time, under a running server. What does not need the missing thing is answered. */

const PARQUET = 'application/vnd.apache.parquet'
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const root = fileURLToPath(new URL('../../', import.meta.url))

const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
let lake = ''
let token = ''
beforeAll(async () => {
  lake = await makeLake(folder, { days: SMALL_DAYS })
  token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
})
afterAll(() => {
  table()
  rmSync(folder, { recursive: true, force: true })
})

const flags = (...more: string[]) => ['--lake', lake, '--tokens', tokens, '--workers', '1', ...more]

/** Status and message of an answer. */
const ask = (server: Server, calculation: string, accept = 'application/json', bearer = token) =>
  get(server, `analytics/window?symbols=ONE&range=full&calculations=${calculation}`, accept, bearer)

/** Likewise, of one that is written to a file of the temporary folder: that of an operation without a limit, as Parquet. */
const askForFile = (server: Server, root: string) =>
  get(server, `option-contract/${root}240119C00100000/flow?date=2024-01-05`, PARQUET, token)

async function get(server: Server, path: string, accept: string, bearer: string) {
  const response = await fetch(`${server.url}/api/${path}`, {
    headers: { authorization: `Bearer ${bearer}`, accept },
  })
  const body = Buffer.from(await response.arrayBuffer())
  const message: string = response.status < 400 ? '' : (JSON.parse(body.toString()).message ?? '')
  return { status: response.status, message }
}

/** No line of the log is a defect. */
const expectNoDefect = ({ output }: Server) => expect(output()).not.toMatch(/"msg":"failed"|\n\s+at /)

/** Fills a file system to its last block. */
function fill(disk: string): void {
  for (let part = 0; part < 100_000; part += 1) {
    const { bavail, bsize } = statfsSync(disk)
    if (bavail === 0) return
    try {
      writeFileSync(join(disk, `filler-${part}`), Buffer.alloc(bavail * bsize))
    } catch {
      // The file itself needed the last block.
    }
  }
}
const empty = (disk: string) => {
  for (const name of readdirSync(disk)) if (name.startsWith('filler')) rmSync(join(disk, name))
}

describe('a full disk', () => {
  test('of the temporary folder: a long Parquet answer is a 503 that says so, all others are sent', async ({
    skip,
  }) => {
    const disk = smallDisk(8 * 1024 ** 2, skip)
    const server = await serving(flags('--temp-dir', join(disk, 'temporary')))
    expect(await ask(server, 'MEAN')).toMatchObject({ status: 200 })
    expect(await askForFile(server, 'ONE')).toMatchObject({ status: 200 })
    fill(disk)
    expect(await askForFile(server, 'TWO')).toEqual({
      status: 503,
      message: 'the disk of the temporary folder is full: try again.',
    })
    expect(await ask(server, 'MEAN')).toMatchObject({ status: 200 })
    expect(await askForFile(server, 'ONE')).toMatchObject({ status: 200 })
    expect(await ask(server, 'VARIANCE')).toMatchObject({ status: 200 })
    expect(await ask(server, 'VARIANCE', PARQUET)).toMatchObject({ status: 200 })
    empty(disk)
    expect(await askForFile(server, 'TWO')).toMatchObject({ status: 200 })
    expectNoDefect(server)
    countCases(7)
    row('full disk, temporary folder', '7 requests', 'long Parquet 503, others and cache 200, right again')
  })

  test('of the tokens file: token create is one line, and the file stays whole', async ({ skip }) => {
    const disk = smallDisk(64 * 1024, skip)
    const file = join(disk, 'tokens.json')
    await createToken(file, { name: 'a', routes: ['*'], owner: null, expiresAt: null })
    const before = readFileSync(file, 'utf8')
    fill(disk)
    const { code, stderr, stdout } = await tapehouse(['token', 'create', '--name', 'b', '--tokens', file])
    expect([code, stdout.toString()]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^tapehouse: the tokens file \S+ cannot be written, and is as it was \(ENOSPC.*\n$/,
    )
    expect(readFileSync(file, 'utf8')).toBe(before)
    row('full disk, tokens file', '1 command', 'one line, the file as it was')
  })
})

test('a read-only temporary folder ends the start with one line, and later leaves what needs no file', async ({
  skip,
}) => {
  const disk = smallDisk(8 * 1024 ** 2, skip)
  const server = await serving(flags('--temp-dir', join(disk, 'temporary')))
  expect(await ask(server, 'MEAN')).toMatchObject({ status: 200 })
  spawnSync('mount', ['-o', 'remount,ro', disk])
  expect(await askForFile(server, 'ONE')).toEqual({
    status: 503,
    message: 'the temporary folder cannot be used: try again.',
  })
  expect(await ask(server, 'VARIANCE')).toMatchObject({ status: 200 })
  expect(await ask(server, 'MEAN', PARQUET)).toMatchObject({ status: 200 })
  expectNoDefect(server)
  const { code, stderr } = await tapehouse([
    'query',
    'analytics-window',
    ...['--symbols', 'ONE', '--range', 'full', '--calculations', 'MEAN'],
    '--lake',
    lake,
    '--temp-dir',
    join(disk, 'other'),
  ])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^tapehouse: the temporary folder \S+ cannot be used \((EROFS|ENOENT).*--temp-dir\n$/,
  )
  spawnSync('mount', ['-o', 'remount,rw', disk])
  expect(await askForFile(server, 'ONE')).toMatchObject({ status: 200 })
  countCases(5)
  row('read-only temporary folder', '5 requests, 1 command', 'long Parquet 503, others 200, right again')
})

test('a lake that is mounted read-only is served, and --require-read-only accepts no other', async ({
  skip,
}) => {
  const refused = await tapehouse([
    'serve',
    ...flags('--port', '0', '--admin-port', '0', '--require-read-only'),
  ])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--require-read-only forbids')])
  const disk = smallDisk(16 * 1024 ** 2, skip)
  cpSync(lake, join(disk, 'lake'), { recursive: true })
  spawnSync('mount', ['-o', 'remount,ro', disk])
  const server = await serving([
    '--lake',
    join(disk, 'lake'),
    '--tokens',
    tokens,
    '--workers',
    '1',
    '--require-read-only',
  ])
  expect(await ask(server, 'MEAN', PARQUET)).toMatchObject({ status: 200 })
  expect(server.output()).not.toContain('can write in the lake')
  row('read-only lake', '2 starts', 'served, and required')
})

/** Starts `tapehouse` with another program in front of it. */
const behind =
  (program: string, ...before: string[]): Launch =>
  (args, env) => {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(TAPEHOUSE_|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name),
    )
    return spawn(program, [...before, process.execPath, join(root, 'bin/tapehouse.js'), ...args], {
      cwd: root,
      env: { ...Object.fromEntries(inherited), TAPEHOUSE_PROOFS_DIR: join(folder, 'proofs'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

test('without file descriptors, connections wait or end, no answer is a 500, and all is right afterwards', async () => {
  const server = await serving(flags(), {}, behind('prlimit', '--nofile=96'))
  expect(await ask(server, 'MEAN')).toMatchObject({ status: 200 })
  const { port } = new URL(server.url)
  const idle = Array.from({ length: 150 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}))
  const statuses = await Promise.all(
    ['VARIANCE', 'MEDIAN', 'MEAN'].map(calculation =>
      Promise.race([
        ask(server, calculation).then(({ status }) => status),
        new Promise<string>(resolve => setTimeout(resolve, 3000, 'waits').unref()),
      ]).catch(() => 'ended'),
    ),
  )
  for (const status of statuses) expect([200, 503, 'waits', 'ended']).toContain(status)
  for (const connection of idle) connection.destroy()
  const again = async () => (await ask(server, 'VARIANCE').catch(() => null))?.status
  await expect.poll(again, { timeout: 30_000, interval: 200 }).toBe(200)
  expectNoDefect(server)
  countCases(idle.length)
  row('no descriptors', `${idle.length} connections of 96 descriptors`, `${statuses.join(', ')}; right again`)
})

test('a clock that jumps by years ends only what expires, and gives it back', async ({ skip }) => {
  if (!existsSync(LIBRARY)) skip(`${LIBRARY} is missing: install the Debian package faketime`)
  const own = folderForTest()
  const file = join(own, 'tokens.json')
  const create = (name: string, expiresAt: Date | null) =>
    createToken(file, { name, routes: ['*'], owner: null, expiresAt })
  const lasting = await create('lasting', null)
  const ending = await create('ending', new Date(Date.now() + 86_400_000))
  const clock = join(own, 'clock')
  writeFileSync(clock, '+0')
  const server = await serving(['--lake', lake, '--tokens', file, '--workers', '1'], {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  const both = async () => [
    (await ask(server, 'MEAN', 'application/json', lasting)).status,
    (await ask(server, 'MEAN', 'application/json', ending)).status,
  ]
  expect(await both()).toEqual([200, 200])
  const jumps = ['+10y', '-10y', '+2d', '-1d', '+0']
  for (const jump of jumps) {
    writeFileSync(clock, jump)
    expect(await both(), jump).toEqual([200, jump.startsWith('+') && jump !== '+0' ? 401 : 200])
    expect(await ask(server, 'VARIANCE', PARQUET, lasting), jump).toMatchObject({ status: 200 })
  }
  expectNoDefect(server)
  countCases(jumps.length)
  row('clock jumps', jumps.join(' '), 'only the expired token is refused')
})

test('a disk that fails while a file is read: 503 with the name of the file, others are answered', async ({
  skip,
}) => {
  if (!canTrace()) skip('strace may not trace processes here')
  const path = filesBelow(lake).find(name => name.includes('stock_days') && name.endsWith('.parquet')) ?? ''
  // Detached, so that the signals of the test reach the server.
  const trace = [
    '-D',
    '-f',
    '--seccomp-bpf',
    '-qq',
    '-o',
    '/dev/null',
    '-P',
    path,
    '-e',
    'trace=read,pread64',
  ]
  const inject = ['-e', 'inject=read,pread64:error=EIO']
  const server = await serving(flags(), {}, behind('strace', ...trace, ...inject))
  const { status, message } = await ask(server, 'MEAN')
  expect([status, message]).toEqual([503, expect.stringContaining('it cannot be read: EIO')])
  expect(message).toContain('stock_days')
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${server.url}/api/congress/late-reports`, { headers })).status).toBe(200)
  expect(server.output()).toContain('"msg":"file_damaged"')
  expectNoDefect(server)
  countCases(2)
  row('EIO of a file of the lake', '2 requests', '503 lake_damaged with its name, others 200')
})

const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).map(name => join(path, name))

test('little memory: a query that needs more is a 503, others are answered', async () => {
  const server = await serving(flags('--memory-mib', '64', '--temporary-mib', '0'))
  const statuses = await Promise.all(
    ['MEAN', 'VARIANCE', 'MEDIAN', 'HISTOGRAM', 'CORRELATION', 'MAX_DRAWDOWN'].map(
      async calculation => (await ask(server, calculation)).status,
    ),
  )
  for (const status of statuses) expect([200, 422, 503]).toContain(status)
  expect(statuses).toContain(200)
  expectNoDefect(server)
  countCases(statuses.length)
  row('64 MiB of memory, no disk', `${statuses.length} requests`, statuses.join(', '))
})
