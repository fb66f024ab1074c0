import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { misfit } from '../fixtures/answers-fit.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { listening, running, type Server, tapehouse } from './process.ts'

const SIZE = { TAPEHOUSE_DEMO_DAYS: '4', TAPEHOUSE_DEMO_TICKERS: '3', TAPEHOUSE_DEMO_TRADES: '21000' }

/** The lines of verify: the rows and the checksum of each dataset. */
async function checksums(lake: string): Promise<readonly string[]> {
  const { code, stdout } = await tapehouse(['verify', '--lake', lake])
  expect(code).toBe(0)
  return stdout
    .toString()
    .split('\n')
    .filter(line => /[0-9a-f]{16}$/.test(line))
}

const paths = (folder: string) => [
  ...['--lake', join(folder, 'lake'), '--tokens', join(folder, 'tokens.json'), '--workers', '1'],
]
const demo = (folder: string, args: readonly string[] = [], size = SIZE) =>
  listening(['demo', '--port', '0', ...paths(folder), ...args], size)
const current = (folder: string) => readFileSync(join(folder, 'lake', 'CURRENT'), 'utf8').trim()
const whole = (server: Server) => server.until(() => server.output().includes('The demo market is complete'))

/** Sends the example request of a demo. */
async function example(server: Server): Promise<Response> {
  const [, authorization = '', address = ''] =
    /curl -H 'Authorization: (Bearer [0-9a-f-]{36})' '([^']+)'/.exec(server.output()) ?? []
  return fetch(address, { headers: { authorization } })
}

/** The checksums of the market of so many days that is generated at once. */
async function generated(days: string): Promise<readonly string[]> {
  const made = join(mkdtempSync(join(inject('runFolder'), 'demo-')), 'made')
  const size = ['--days', days, '--tickers', '3', '--trades-per-day', '21000']
  expect((await tapehouse(['generate', '--seed', '1', ...size, '--lake', made])).code).toBe(0)
  const expected = await checksums(made)
  expect(expected.length).toBeGreaterThan(35)
  return expected
}

test('the demo is served before it is whole, and then is the market that is generated at once', async () => {
  const expected = await generated('4')
  const own = folderForTest()
  const first = await demo(own)
  const answered = await example(first)
  expect(answered.status).toBe(200)
  expect(answered.headers.get('x-tapehouse-snapshot')).toBe('1')
  const body = (await answered.json()) as { data: { payload: { RETURNS_CALCULATIONS: { MEAN: object } } } }
  expect(misfit('analytics-window', body)).toBeUndefined()
  expect(Object.keys(body.data.payload.RETURNS_CALCULATIONS.MEAN)).toEqual(['ACME', 'BRASS', 'CEDAR'])
  await whole(first)
  const later = await example(first)
  expect(later.headers.get('x-tapehouse-snapshot')).toBe('2')
  // Prices do not change when the rest arrives.
  expect(await later.json()).toEqual(body)
  expect(await checksums(join(own, 'lake'))).toEqual(expected)

  // A second one on the same lake, whose token is its own.
  const second = await demo(own)
  expect(second.output()).not.toContain('Generating')
  expect((await example(second)).status).toBe(200)
  expect(await second.stop()).toBe(0)
  expect((await example(first)).status).toBe(200)
  expect(await first.stop()).toBe(0)
  expect(JSON.parse(readFileSync(join(own, 'tokens.json'), 'utf8'))).toMatchObject({ tokens: [] })
  expect(current(own)).toBe('2')
}, 300_000)

/** The state of an unfinished demo: the steps that are done, and when the files were written that the lake does not have yet, by name in the lake; null if there is none. */
function kept(folder: string): { done: string[]; written: [string, number][] } | null {
  const lake = join(folder, 'lake')
  const staging = join(lake, '.staging')
  const found = existsSync(staging) ? readdirSync(staging).map(name => join(staging, name)) : []
  const own = found.find(each => existsSync(join(each, 'draft.json')))
  if (own === undefined) return null
  const { done, staged } = JSON.parse(readFileSync(join(own, 'draft.json'), 'utf8'))
  const added = Object.entries<string>(staged).filter(
    ([file, name]) => existsSync(join(own, name)) && !existsSync(join(lake, file)),
  )
  return { done, written: added.map(([file, name]) => [file, statSync(join(own, name)).mtimeMs]) }
}

describe('a demo that is interrupted serves what it has, and goes on with the rest:', () => {
  const size = { ...SIZE, TAPEHOUSE_DEMO_DAYS: '12' }
  let expected: readonly string[] = []
  beforeAll(async () => {
    expected = await generated('12')
  })

  test.each(['SIGKILL', 'SIGINT'] as const)(
    'by %s',
    async signal => {
      const own = folderForTest()
      const first = await demo(own, [], size)
      // A slow disk keeps the state once, maybe before any session: what writing it took is at most a twentieth of the time.
      await vi.waitFor(() => expect(kept(own)?.done.length).toBeGreaterThan(0), {
        timeout: 200_000,
        interval: 20,
      })

      // Generating must not end while the other demo starts: the process is stopped meanwhile.
      first.process.kill('SIGSTOP')
      const beside = await demo(own, [], size)
      await beside.until(() => beside.output().includes('generates the data of'))
      expect(beside.output().match(/^note: .*$/gm)).toEqual([
        expect.stringMatching(
          new RegExp(
            `^note: the rest of the demo market was not generated: another process \\(${first.process.pid}\\) `,
          ),
        ),
      ])
      expect((await example(beside)).status).toBe(200)
      expect(await beside.stop()).toBe(0)

      const ended = first.stop(signal)
      first.process.kill('SIGCONT')
      await ended
      expect(current(own)).toBe('1')
      const before = kept(own)
      expect(before?.done.length).toBeGreaterThan(0)
      const second = await demo(own, [], size)
      expect(second.output()).not.toContain('last sessions')
      await whole(second)
      expect(kept(own)).toBeNull()
      expect(await checksums(join(own, 'lake'))).toEqual(expected)
      // What was kept is used. What belongs to a step that was not done yet, or to a partition that gets more rows, is written again.
      const used = (before?.written ?? []).filter(
        ([file, ms]) => statSync(join(own, 'lake', file), { throwIfNoEntry: false })?.mtimeMs === ms,
      )
      expect(used.length).toBeGreaterThan(0)
    },
    300_000,
  )
})

test('Ctrl-C during the first sessions leaves one line, no staging folder and no token', async () => {
  const own = folderForTest()
  const first = running(['demo', '--port', '0', ...paths(own)])
  await first.until(() => existsSync(join(own, 'lake', '.staging')))
  const second = await tapehouse(['demo', '--port', '0', ...paths(own)])
  expect(second.code).toBe(1)
  expect(second.stderr.trimEnd().split('\n').at(-1)).toMatch(
    new RegExp(`^tapehouse: another process \\(${first.process.pid}\\) generates the data of `),
  )
  expect(await first.stop('SIGINT')).toBe(130)
  // The first line says what is generated; lines of progress may follow.
  const [, ...rest] = first.output().trimEnd().split('\n')
  expect(rest.filter(line => !line.startsWith('generate: '))).toEqual([
    'tapehouse: interrupted: nothing unfinished is kept',
  ])
  expect(readdirSync(join(own, 'lake'))).toEqual([])
  expect(existsSync(join(own, 'tokens.json'))).toBe(false)
}, 60_000)

test('a demo that was generated with other flags is served as it is, unless --remake is given', async () => {
  const own = folderForTest()
  const small = { ...SIZE, TAPEHOUSE_DEMO_DAYS: '1', TAPEHOUSE_DEMO_TRADES: '400' }
  const first = await demo(own, [], small)
  await whole(first)
  expect(await first.stop()).toBe(0)
  const other = await demo(own)
  expect(other.output()).toContain(
    'was generated with --demo-days 1, not 4, and --demo-trades 400, not 21000, and is served as it is: add --remake to generate it again\n',
  )
  expect((await example(other)).status).toBe(200)
  expect(await other.stop()).toBe(0)
  expect(current(own)).toBe('2')
  const remade = await demo(own, ['--remake'], { ...small, TAPEHOUSE_DEMO_TRADES: '500' })
  expect(remade.output()).not.toContain('served as it is')
  expect(current(own)).toBe('3')
}, 300_000)

test('a port that is in use is reported before anything is generated', async () => {
  const own = folderForTest()
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  try {
    for (const flag of ['--port', '--admin-port']) {
      const rest = flag === '--port' ? [] : ['--port', '0']
      const { code, stderr } = await tapehouse(['demo', ...paths(own), ...rest, flag, `${port}`], SIZE)
      expect(code).toBe(1)
      expect(stderr).toBe(
        `tapehouse: port ${port} on 127.0.0.1 is in use: stop the program that uses it, or choose another port with ${flag}\n`,
      )
    }
  } finally {
    taken.close()
  }
}, 60_000)
