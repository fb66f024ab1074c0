import { once } from 'node:events'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { createToken } from '../../src/api/service/token-file.ts'
import { makeCertificate } from '../api/process/certificate.ts'
import { makeLake, SMALL_DAYS, temporaryFolder } from '../fixtures/lake.ts'
import { tapehouseHere } from './in-process.ts'
import { type Server, serving } from './process.ts'

const folder = temporaryFolder()
const tokens = join(folder, 'tokens.json')
const cert = join(folder, 'cert.pem')
const key = join(folder, 'key.pem')
let lake = ''
let token = ''

function install(name: string): void {
  copyFileSync(join(folder, `${name}.pem`), cert)
  copyFileSync(join(folder, `${name}.key`), key)
}

beforeAll(async () => {
  lake = await makeLake(folder, { days: SMALL_DAYS })
  token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
  makeCertificate(folder, 'first')
  makeCertificate(folder, 'second')
  install('first')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ca = () => ['first', 'second'].map(name => readFileSync(join(folder, `${name}.pem`)))
const PATH = '/api/analytics/window?symbols=ONE,TWO&range=full&calculations=MEAN'

async function ask(server: Server, agent: Agent, path = PATH, headers: Record<string, string> = {}) {
  const request = get(server.url + path, {
    agent,
    ca: ca(),
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  const [response] = await once(request, 'response')
  return { status: Number(response.statusCode), body: await text(response) }
}

/** The names in the certificates of new connections. The supervisor gives them to the workers in turn. */
function namesShown(server: Server, connections = 4): Promise<string[]> {
  return Promise.all(
    Array.from({ length: connections }, async () => {
      const socket: TLSSocket = connect({
        port: Number(new URL(server.url).port),
        host: '127.0.0.1',
        ca: ca(),
      })
      await once(socket, 'secureConnect')
      const { subject } = socket.getPeerCertificate()
      socket.destroy()
      return String(subject.CN)
    }),
  )
}

/** A busy machine takes longer than the second that is the default. */
const SOON = { timeout: 60_000 }

const lines = (server: Server) =>
  server
    .output()
    .split('\n')
    .filter(line => line.startsWith('{') && line.endsWith('}'))

const linesOf = (server: Server, message: string) =>
  lines(server)
    .map(line => JSON.parse(line))
    .filter(({ msg }) => msg === message)

test('a server with a certificate speaks HTTPS, and takes another one on SIGHUP without a failed request', {
  tags: 'slow',
}, async () => {
  // WebSockets of a worker that has a successor stay open for as long.
  const drain = ['--drain-ms', '600000']
  const flags = ['--lake', lake, '--tokens', tokens, '--workers', '2', '--log-level', 'debug', ...drain]
  const server = await serving([...flags, '--tls-cert', cert, '--tls-key', key, '--trust-proxy', '1'])
  expect(server.url).toMatch(/^https:/)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect((await ask(server, agent)).status).toBe(200)
  const socket = new WebSocket(`${server.url.replace('https', 'wss')}/api/socket?token=${token}`, {
    ca: ca(),
  })
  await once(socket, 'open')
  expect(new Set(await namesShown(server))).toEqual(new Set(['first']))

  install('second')
  server.process.kill('SIGHUP')
  await server.until(() => linesOf(server, 'certificate_loaded').length === 2)
  await expect.poll(async () => [...new Set(await namesShown(server))], SOON).toEqual(['second'])
  await server.until(() => linesOf(server, 'restarted').length === 1)

  // A key that belongs to another certificate, then a file that is none: what worked stays.
  copyFileSync(join(folder, 'first.key'), key)
  server.process.kill('SIGHUP')
  await server.until(() => linesOf(server, 'certificate_refused').length === 1)
  writeFileSync(cert, 'nonsense')
  server.process.kill('SIGHUP')
  await server.until(() => linesOf(server, 'certificate_refused').length === 2)
  expect(linesOf(server, 'certificate_refused').map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/key\.pem does not belong to the certificate .*cert\.pem: use the key/),
    expect.stringMatching(/the certificate .*cert\.pem cannot be used: /),
  ])
  expect(new Set(await namesShown(server))).toEqual(new Set(['second']))
  // Without a certificate that can be used, no worker is restarted.
  expect(linesOf(server, 'worker_started')).toHaveLength(4)

  // The connections of before still answer.
  socket.send(JSON.stringify({ channel: 'nonsense', msg_type: 'join' }))
  const [answer] = await once(socket, 'message')
  expect(String(answer)).toContain('nonsense')
  expect((await ask(server, agent, '/api/lake', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(200)
  await ask(server, agent, `/api/stock/${token}/nowhere?token=${token}`)
  // A line is written after its response: a worker that is killed in between has not written it.
  await server.until(() => linesOf(server, 'request').some(({ path }) => path.endsWith('/nowhere')))

  // A worker that is replaced does not read the files that cannot be used.
  const [, , third] = linesOf(server, 'worker_started')
  process.kill(third.workerPid, 'SIGKILL')
  await server.until(() => linesOf(server, 'snapshot_served').length === 5)
  await expect
    .poll(async () => (await fetch(`${server.adminUrl}/-/ready`)).json(), SOON)
    .toMatchObject({ workers_ready: 2 })
  await expect.poll(async () => [...new Set(await namesShown(server))], SOON).toEqual(['second'])

  const metrics = await (await fetch(`${server.adminUrl}/-/metrics`)).text()
  expect(metrics).toMatch(/^tapehouse_certificates_refused_total 2$/m)
  const [, expires] = /^tapehouse_certificate_expires_timestamp_seconds (\d+)$/m.exec(metrics) ?? []
  expect(Number(expires) * 1000 - Date.now()).toBeGreaterThan(47 * 3600 * 1000)

  socket.terminate()
  agent.destroy()
  expect(await server.stop()).toBe(0)
  expectGoodLog(server)
})

/** Each line has each of its keys once, times are rounded, and no token is in it. */
function expectGoodLog(server: Server): void {
  expect(server.output()).not.toContain(token)
  for (const line of lines(server)) {
    const keys = [...line.matchAll(/[{,]"(\w+)":/g)].map(([, name]) => name)
    expect(keys, line).toEqual([...new Set(keys)])
    expect(line).not.toMatch(/"\w+":\d+\.\d\d/)
  }
  const requests = linesOf(server, 'request')
  expect(requests.find(({ path }) => path === '/api/lake')).toMatchObject({ client: '203.0.113.7' })
  expect(requests.find(({ operation }) => operation === 'analytics-window')).toMatchObject({
    client: '127.0.0.1',
    token: 'test',
    cache: 'miss',
  })
  expect(requests.map(({ path }) => path)).toContain('/api/stock/REDACTED/nowhere')
}

test.each([
  [['--host', '0.0.0.0'], /^tapehouse: --host 0\.0\.0\.0 is not loopback, and .*clear: set --tls-cert/],
  [['--host', '::'], /tokens would travel in clear/],
  [['--host', 'example.org'], /tokens would travel in clear/],
  [['--host', '127.0.0.1.example.org'], /tokens would travel in clear/],
  [['--tls-cert', 'a.pem'], /--tls-cert requires --tls-key/],
  [['--tls-key', 'a.pem'], /--tls-key requires --tls-cert/],
  [['--trust-proxy', '0'], /--trust-proxy must be the number of proxies from 1 to 99, or .*, not "0"/],
  [['--trust-proxy', 'loopback,10.0.0.0/33'], /not "10\.0\.0\.0\/33"/],
  [['--trust-proxy', 'true'], /not "true"/],
  [['--trust-proxy', '100'], /not "100"/],
  [['--trust-proxy', '-1'], /--trust-proxy/],
  [['--trust-proxy', ''], /--trust-proxy/],
  [['--trust-proxy', '127.0.0.1,'], /not ""/],
  [['--trust-proxy', '10.0.0.0/0'], /not "10\.0\.0\.0\/0"/],
  [['--trust-proxy', '10.0.0.0/255.0.0.0'], /not "10\.0\.0\.0\/255\.0\.0\.0"/],
  [['--trust-proxy', 'proxy.example.org'], /not "proxy\.example\.org"/],
  [['--trust-proxy', '\u001b[2J\nnonsense'], /not "\\u001b\[2J\\nnonsense"/],
])('%j is refused with the reason', async (flags, reason) => {
  const { code, stderr } = await tapehouseHere(['serve', '--lake', lake, '--tokens', tokens, ...flags])
  expect([code, stderr]).toEqual([2, expect.stringMatching(reason)])
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('plain HTTP is permitted on another address behind a proxy, and SIGHUP restarts its workers', {
  tags: 'slow',
}, async () => {
  const flags = ['--lake', lake, '--tokens', tokens, '--workers', '1', '--host', '0.0.0.0', '--behind-proxy']
  const server = await serving([...flags, '--admin-host', '127.0.0.2', '--log-level', 'info'])
  expect(server.output()).toMatch(/http:\/\/127\.0\.0\.2:\d+\/-\/metrics/)
  server.process.kill('SIGHUP')
  await server.until(() => linesOf(server, 'restarted').length === 1)
  expect(linesOf(server, 'worker_started')).toHaveLength(2)
  expect(linesOf(server, 'worker_ended')).toEqual([])
  const port = new URL(server.url).port
  expect((await fetch(`http://127.0.0.1:${port}/api/lake`)).status).toBe(401)
  // A client that nobody vouches for cannot choose its address in the log.
  await fetch(`http://127.0.0.1:${port}/api/docs`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(await server.stop()).toBe(0)
  expect(linesOf(server, 'request').map(({ client }) => client)).toEqual(['127.0.0.1', '127.0.0.1'])
})
