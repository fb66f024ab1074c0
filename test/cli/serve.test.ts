import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { importFiles } from '../../src/lake/import/import.ts'
import { FORMAT } from '../../src/lake/store/format.ts'
import { misfit } from '../fixtures/answers-fit.ts'
import { flatDay, folderForTest, makeLake, SMALL_DAYS, temporaryFolder } from '../fixtures/lake.ts'
import { serving, tapehouse } from './process.ts'

const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
let lake = ''
let token = ''
beforeAll(async () => {
  lake = await makeLake(folder, { days: SMALL_DAYS })
  token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const QUERY = 'symbols=ONE,TWO&range=full&calculations=CUMULATIVE_RETURN'
const ask = (url: string, query = QUERY) =>
  fetch(`${url}/api/analytics/window?${query}`, { headers: { authorization: `Bearer ${token}` } })

describe('a server', () => {
  test('answers over HTTP what the command line answers, byte for byte', async () => {
    const flags = ['--lake', lake, '--tokens', tokens, '--workers', '2', '--cors-origins', '*']
    const server = await serving(flags)
    const args = [
      '--symbols',
      'ONE,TWO',
      '--range',
      'full',
      '--calculations',
      'CUMULATIVE_RETURN',
      '--lake',
      lake,
    ]
    for (const [format, accept] of [
      ['json', 'application/json'],
      ['csv', 'text/csv'],
      ['ndjson', 'application/x-ndjson'],
      ['arrow', 'application/vnd.apache.arrow.stream'],
    ]) {
      const response = await fetch(`${server.url}/api/analytics/window?${QUERY}`, {
        headers: { authorization: `Bearer ${token}`, accept: String(accept), 'accept-encoding': 'identity' },
      })
      const { stdout, code } = await tapehouse([
        'query',
        'analytics-window',
        ...args,
        '--format',
        String(format),
      ])
      expect(code).toBe(0)
      expect(Buffer.from(await response.arrayBuffer()).equals(stdout), format).toBe(true)
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
    }
    expect(await server.stop()).toBe(0)
  })

  test('serves a new snapshot within a second, and no worker serves the old one after that', async () => {
    const own = folderForTest()
    const changing = await makeLake(own, { days: SMALL_DAYS })
    const server = await serving([
      '--lake',
      changing,
      '--tokens',
      tokens,
      '--workers',
      '2',
      '--log-level',
      'info',
    ])
    const last = async () => {
      // A new connection each time, so that both workers are used.
      const response = await fetch(`${server.url}/api/analytics/window?${QUERY}`, {
        headers: { authorization: `Bearer ${token}`, connection: 'close' },
      })
      const body = (await response.json()) as { data: { meta: { max_dt: string } } }
      expect(misfit('analytics-window', body), JSON.stringify(body)).toBeUndefined()
      return body.data.meta.max_dt
    }
    expect(await last()).toBe('2024-01-05')
    const path = join(own, 'more.csv')
    writeFileSync(
      path,
      `Date,Open,High,Low,Close,Adj Close,Volume,Name\n${flatDay('ONE', '2024-01-08', '120')}\n`,
    )
    const seen: string[] = []
    let published = Number.POSITIVE_INFINITY
    const importing = importFiles({
      format: 'daily-bars',
      inputs: [path],
      lake: changing,
      observe: () => {},
    }).finally(() => {
      published = performance.now()
    })
    while (performance.now() < published + 1000) seen.push(await last())
    await importing
    expect(new Set(seen)).toEqual(new Set(['2024-01-05', '2024-01-08']))
    expect(seen).toEqual(seen.toSorted())
    expect(seen.at(-1)).toBe('2024-01-08')
    await server.stop()
  })

  test('replaces a worker that dies, and continues to serve', async () => {
    const server = await serving(['--lake', lake, '--tokens', tokens, '--workers', '2'])
    const pids = () =>
      [...server.output().matchAll(/"worker":\d+,"workerPid":(\d+),"msg":"worker_started"/g)].map(([, pid]) =>
        Number(pid),
      )
    expect(pids()).toHaveLength(2)
    process.kill(Number(pids()[0]), 'SIGKILL')
    await server.until(() => pids().length === 3)
    expect((await ask(server.url)).status).toBe(200)
    await vi.waitFor(async () => {
      const ready = (await (await fetch(`${server.adminUrl}/-/ready`)).json()) as { workers_ready: number }
      expect(ready.workers_ready).toBe(2)
    }, 20_000)
    const metrics = await (await fetch(`${server.adminUrl}/-/metrics`)).text()
    expect(metrics).toMatch(/^tapehouse_worker_restarts_total 1$/m)
    expect(metrics).toMatch(
      /^tapehouse_requests_total\{operation="analytics-window",method="GET",status="200"\} \d+$/m,
    )
    expect((await fetch(`${server.adminUrl}/-/live`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'stops on %s with exit code 0 and closes its ports',
    async signal => {
      const server = await serving(['--lake', lake, '--tokens', tokens, '--workers', '1'])
      expect((await ask(server.url)).status).toBe(200)
      expect(await server.stop(signal)).toBe(0)
      await expect(fetch(server.url)).rejects.toThrow()
    },
  )

  test('writes no token to its log, wherever the request has it', async () => {
    const server = await serving([
      '--lake',
      lake,
      '--tokens',
      tokens,
      '--workers',
      '1',
      '--log-level',
      'debug',
    ])
    await ask(server.url)
    await ask(server.url, `${QUERY}&token=${token}`)
    await fetch(`${server.url}/api/analytics/window?token=${token}`)
    await server.stop()
    expect(server.output()).toContain('"msg":"request"')
    expect(server.output()).not.toContain(token)
  })
})

/** Runs code at the start of each process of a command. */
const preloading = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
})

test('Ctrl-C during the start ends the server with exit code 0, although it ends a worker that does not ignore it yet', async () => {
  // The end of the worker is reported to the supervisor before the signal.
  const interrupt = `
    import cluster from 'node:cluster'
    const end = () => process.kill(process.pid, 'SIGINT')
    if (cluster.isWorker) end()
    else cluster.once('exit', end)`
  const ports = { TAPEHOUSE_PORT: '0', TAPEHOUSE_ADMIN_PORT: '0' }
  const args = ['serve', '--workers', '1', '--lake', lake, '--tokens', tokens]
  const { code, stdout, stderr } = await tapehouse(args, { ...ports, ...preloading(interrupt) })
  expect({ code, stdout: String(stdout), stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('a worker, and no supervisor, sets the options of V8 when it begins; it has the settings of the allocator', async () => {
  const list = join(folderForTest(), 'settings')
  const record = `
    import cluster from 'node:cluster'
    import { appendFileSync } from 'node:fs'
    import v8 from 'node:v8'
    const set = v8.setFlagsFromString
    v8.setFlagsFromString = flag => {
      appendFileSync(${JSON.stringify(list)}, [cluster.isWorker, flag, process.env.DUCKDB_JE_MALLOC_CONF].join(' ') + '\\n')
      set(flag)
    }`
  const server = await serving(['--workers', '1', '--lake', lake, '--tokens', tokens], preloading(record))
  await server.stop()
  expect(readFileSync(list, 'utf8').trim().split('\n')).toEqual([
    expect.stringMatching(/^true --heap-growing-percent=\d+ oversize_threshold:\S+$/),
    expect.stringMatching(/^true --no-parallel-scavenge oversize_threshold:\S+$/),
    ...(process.versions.v8.startsWith('11.')
      ? [expect.stringMatching(/^true --interrupt-budget=\d+ oversize_threshold:\S+$/)]
      : []),
  ])
})

test('a worker collects young objects before it has 16 MiB of them, unless NODE_OPTIONS says otherwise', {
  tags: 'slow',
}, async () => {
  const list = join(folderForTest(), 'sizes')
  // Objects that survive a collection let V8 enlarge their space, of which each half has the size of the option.
  const fill = `
    import cluster from 'node:cluster'
    import { appendFileSync } from 'node:fs'
    import { getHeapSpaceStatistics } from 'node:v8'
    if (cluster.isWorker) {
      let [most, before, kept] = [0, [], []]
      for (let round = 0; round < 400; round += 1) {
        before = kept
        kept = Array.from({ length: 40_000 }, (_, index) => ({ index }))
        const young = getHeapSpaceStatistics().find(space => space.space_name === 'new_space')
        most = Math.max(most, young.space_size / 2 ** 20)
      }
      appendFileSync(${JSON.stringify(list)}, most + ' ')
    }`
  const args = ['--workers', '1', '--lake', lake, '--tokens', tokens]
  const { NODE_OPTIONS } = preloading(fill)
  for (const given of ['', ' --max-semi-space-size=2']) {
    const server = await serving(args, { NODE_OPTIONS: NODE_OPTIONS + given })
    await server.stop()
  }
  const [usual = 0, small = 0] = readFileSync(list, 'utf8').trim().split(' ').map(Number)
  expect(usual).toBeGreaterThan(8)
  expect(usual).toBeLessThanOrEqual(16)
  expect(small).toBeGreaterThan(2)
  expect(small).toBeLessThanOrEqual(4)
})

describe('a server that cannot start reports why in one line and fails', () => {
  const refused = async (args: string[], message: RegExp, env: Record<string, string> = {}) => {
    const free = { TAPEHOUSE_PORT: '0', TAPEHOUSE_ADMIN_PORT: '0', ...env }
    const { code, stderr, stdout } = await tapehouse(['serve', '--workers', '2', ...args], free)
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stdout.toString()).toBe('')
    expect(code).toBe(1)
  }

  test('without a lake, before it starts a worker', async () => {
    const started = join(folderForTest(), 'started')
    await refused(
      ['--lake', join(folder, 'nowhere'), '--tokens', tokens],
      /^tapehouse: .*nowhere.*no lake.*import/,
      preloading(
        `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(started)}, 'a process ')`,
      ),
    )
    expect(readFileSync(started, 'utf8')).toBe('a process ')
  })

  test('with an invalid tokens file', async () => {
    const broken = join(folderForTest(), 'tokens.json')
    writeFileSync(broken, '{"tokens": "all"}')
    await refused(['--lake', lake, '--tokens', broken], /^tapehouse: the tokens file .*cannot be read/)
  })

  test('with a port or an admin port in use', async () => {
    const taken = createServer()
    const port = await new Promise<number>(resolve =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
    )
    await refused(
      ['--lake', lake, '--tokens', tokens, '--port', String(port)],
      new RegExp(`^tapehouse: port ${port} .*in use.*--port`),
    )
    await refused(
      ['--lake', lake, '--tokens', tokens, '--admin-port', String(port)],
      new RegExp(`^tapehouse: port ${port} .*in use.*--admin-port`),
    )
    taken.close()
  })

  test('with a lake of a newer version', async () => {
    const newer = join(folderForTest(), 'lake')
    mkdirSync(join(newer, 'snapshots'), { recursive: true })
    copyFileSync(join(lake, 'CURRENT'), join(newer, 'CURRENT'))
    writeFileSync(join(newer, 'snapshots', '1.json'), `{"format": ${FORMAT + 1}, "number": 1}`)
    await refused(['--lake', newer, '--tokens', tokens], /^tapehouse: .*newer.*upgrade/i)
  })

  test('with a damaged snapshot', async () => {
    const own = folderForTest()
    const damaged = await makeLake(own, { days: SMALL_DAYS })
    appendFileSync(join(damaged, 'snapshots', '1.json'), '}')
    await refused(['--lake', damaged, '--tokens', tokens], /^tapehouse: .*1\.json/)
  })
})
