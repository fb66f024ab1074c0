import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../../../src/api/service/service.ts'
import { readArguments } from '../../../src/cli/command/arguments.ts'
import { serve } from '../../../src/cli/commands/serve.ts'
import { networkOf } from '../../../src/cli/serve/network.ts'
import { makeLake, SMALL_DAYS, temporaryFolder } from '../../fixtures/lake.ts'
import { CONTACTS, openService, type TestService } from '../../fixtures/service.ts'

const folder = temporaryFolder()
let lake = ''
beforeAll(async () => {
  lake = await makeLake(folder, { days: SMALL_DAYS })
})

/** The servers by the value of `--trust-proxy` (none without one) and the address that they listen on. */
const servers = new Map<string, Promise<TestService>>()
afterAll(async () => {
  for (const server of servers.values()) await (await server).close()
  rmSync(folder, { recursive: true, force: true })
})

function serverWith(trust: string | null, host: string): Promise<TestService> {
  const key = `${trust} ${host}`
  const known = servers.get(key)
  if (known) return known
  const opening = openWith(trust, host)
  servers.set(key, opening)
  return opening
}

async function openWith(
  trust: string | null,
  host: string,
  more: Partial<Service> = {},
): Promise<TestService> {
  const read = readArguments(serve, trust === null ? [] : ['--trust-proxy', trust], {})
  if (read === 'help') throw new Error('no settings')
  const { trustedProxies } = networkOf(read.settings)
  const contacts = (origin: string) => ({ ...CONTACTS, token_url: `${origin}/tokens` })
  const service = await openService(folder, lake, { contacts, ...more }, { trustedProxies })
  await service.server.listen({ host, port: 0 })
  return service
}

/** Sends a request from a local address. Returns its response, and the address of the client in its log line. */
async function ask(
  service: TestService,
  from: string,
  path: string,
  headers: Record<string, string | string[]>,
) {
  const before = service.seen.length
  const { address, port } = service.server.server.address() as AddressInfo
  // A connection from 127.0.0.2 cannot be made to a mapped address: its IPv4 address is the same server.
  const host = address.replace('::ffff:', '')
  const request = get({
    host,
    port,
    path,
    localAddress: from,
    agent: false,
    headers: { host: 'tapehouse.test', ...headers },
  })
  const [response] = await once(request, 'response')
  const body = await text(response)
  await service.until(() => service.seen.slice(before).some(({ kind }) => kind === 'request'))
  const line = service.seen.slice(before).find(seen => seen.kind === 'request')
  return { status: Number(response.statusCode), body, client: line?.client }
}

const LOOPBACK = '127.0.0.1'
const OTHER = '127.0.0.2'
/** An IPv6 socket on which IPv4 clients connect. */
const MAPPED = '::ffff:127.0.0.1'
/** Addresses of documents (RFC 5737, RFC 3849), which no machine has. */
const CLIENT = '203.0.113.7'
const SPOOFED = '198.51.100.1'

/** `--trust-proxy`, the address that listens, the one that connects, X-Forwarded-For, and the client in the log. */
const CASES: readonly (readonly [string | null, string, string, string | string[], string])[] = [
  // Nobody is trusted.
  [null, LOOPBACK, LOOPBACK, CLIENT, LOOPBACK],
  [null, '::1', '::1', '2001:db8::7', '::1'],
  // Addresses: the header counts only if the connection is one of them.
  [LOOPBACK, LOOPBACK, LOOPBACK, CLIENT, CLIENT],
  [LOOPBACK, LOOPBACK, LOOPBACK, [], LOOPBACK],
  [LOOPBACK, LOOPBACK, OTHER, CLIENT, OTHER],
  [LOOPBACK, LOOPBACK, OTHER, `${CLIENT}, ${LOOPBACK}`, OTHER],
  // Networks. 127.0.0.2/31 is 127.0.0.2 and 127.0.0.3.
  ['127.0.0.2/31', LOOPBACK, '127.0.0.3', CLIENT, CLIENT],
  ['127.0.0.2/31', LOOPBACK, '127.0.0.4', CLIENT, '127.0.0.4'],
  ['loopback', LOOPBACK, OTHER, CLIENT, CLIENT],
  ['10.0.0.0/8', LOOPBACK, LOOPBACK, CLIENT, LOOPBACK],
  // Several proxies: from the right, the first address that is not trusted is the client. What it sent itself is not read.
  ['127.0.0.1, 10.0.0.0/8', LOOPBACK, LOOPBACK, `${SPOOFED}, ${CLIENT}, 10.1.2.3`, CLIENT],
  ['127.0.0.1, 10.0.0.0/8', LOOPBACK, LOOPBACK, [SPOOFED, CLIENT, '10.1.2.3'], CLIENT],
  ['127.0.0.1, 10.0.0.0/8', LOOPBACK, LOOPBACK, '10.1.2.3, 10.4.5.6', '10.1.2.3'],
  [LOOPBACK, LOOPBACK, LOOPBACK, `${SPOOFED}, ${CLIENT}, 10.1.2.3`, '10.1.2.3'],
  // A number of proxies, whatever their addresses are.
  ['1', LOOPBACK, OTHER, `${SPOOFED}, ${CLIENT}`, CLIENT],
  ['2', LOOPBACK, LOOPBACK, `${SPOOFED}, ${CLIENT}, 10.0.0.1`, CLIENT],
  ['2', LOOPBACK, LOOPBACK, CLIENT, CLIENT],
  ['2', LOOPBACK, LOOPBACK, [], LOOPBACK],
  // IPv6, and IPv4 on a socket of IPv6: both are written as the addresses that they are.
  ['::1', '::1', '::1', '2001:db8::7', '2001:db8::7'],
  ['::1,2001:db8::/32', '::1', '::1', `${CLIENT}, 2001:db8::5`, CLIENT],
  [LOOPBACK, '::1', '::1', CLIENT, '::1'],
  [LOOPBACK, MAPPED, LOOPBACK, CLIENT, CLIENT],
  [LOOPBACK, MAPPED, OTHER, CLIENT, OTHER],
  ['::ffff:127.0.0.1', LOOPBACK, LOOPBACK, CLIENT, CLIENT],
  ['::ffff:127.0.0.2/127', LOOPBACK, '127.0.0.3', CLIENT, CLIENT],
  ['::ffff:127.0.0.2/127', LOOPBACK, LOOPBACK, CLIENT, LOOPBACK],
  ['::/1', LOOPBACK, LOOPBACK, CLIENT, LOOPBACK],
  [LOOPBACK, LOOPBACK, LOOPBACK, `::ffff:${CLIENT}`, CLIENT],
  // The name of an interface of another machine is left out, since it can be any text.
  [LOOPBACK, LOOPBACK, LOOPBACK, 'fe80::1%eth0', 'fe80::1'],
  // What is no address is not believed: the last address that is known is that of the connection.
  ['1', LOOPBACK, LOOPBACK, 'nonsense', LOOPBACK],
  ['1', LOOPBACK, LOOPBACK, `nonsense, ${CLIENT}`, CLIENT],
  ['2', LOOPBACK, LOOPBACK, `${SPOOFED}, nonsense, 10.0.0.1`, LOOPBACK],
  ['1', LOOPBACK, LOOPBACK, `${CLIENT}:4711`, LOOPBACK],
  ['1', LOOPBACK, LOOPBACK, ' , ,, ', LOOPBACK],
  ['1', LOOPBACK, LOOPBACK, '","client":"203.0.113.7', LOOPBACK],
  ['1', LOOPBACK, LOOPBACK, `${'9'.repeat(20_000)}`, LOOPBACK],
  ['1', LOOPBACK, LOOPBACK, `${`${SPOOFED}, `.repeat(1500)}${CLIENT}`, CLIENT],
  ['loopback', LOOPBACK, LOOPBACK, `${CLIENT}${`, ${OTHER}`.repeat(1500)}`, CLIENT],
]

test.each(CASES)('with --trust-proxy %s on %s, a client at %s that sends %.60j is %s', async (...row) => {
  const [trust, host, from, forwarded, client] = row
  const service = await serverWith(trust, host)
  const headers = new Map(forwarded.length === 0 ? [] : [['x-forwarded-for', forwarded]])
  expect(await ask(service, from, '/api/lake', Object.fromEntries(headers))).toMatchObject({
    status: 401,
    client,
  })
})

const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'data.example.org' }
const INVENTED: readonly Record<string, string>[] = [
  FORWARDED,
  { host: 'data.example.org' },
  { host: '[::1]:8787' },
  { host: 'a.test/login' },
  { ...FORWARDED, 'x-forwarded-proto': 'javascript' },
  { ...FORWARDED, 'x-forwarded-host': 'a.test/login?to=' },
  { forwarded: 'host=data.example.org;proto=https' },
]
const PATH = '/api/analytics/window?nonsense=1'

/** The bodies of a 401, which has addresses for help, and of a 422, which has the URL of the request. */
async function bodiesOf(service: TestService, from: string, headers: Record<string, string>) {
  const authorization = `Bearer ${service.token}`
  const unknown = await ask(service, from, PATH, headers)
  const wrong = await ask(service, from, PATH, { ...headers, authorization })
  expect([unknown.status, wrong.status]).toEqual([401, 422])
  return [JSON.parse(unknown.body).token_url, JSON.parse(wrong.body).url]
}

test.each([
  [null, LOOPBACK],
  [LOOPBACK, LOOPBACK],
  ['1', OTHER],
  [LOOPBACK, OTHER],
])('with --trust-proxy %s, no header of a client at %s names the server', async (trust, from) => {
  const service = await serverWith(trust, LOOPBACK)
  const { port } = service.server.server.address() as AddressInfo
  const own = `http://127.0.0.1:${port}`
  for (const headers of INVENTED)
    expect(await bodiesOf(service, from, headers), JSON.stringify(headers)).toEqual([
      `${own}/tokens`,
      `${own}${PATH}`,
    ])
})

test('--public-url names the server', async () => {
  const publicUrl = 'https://data.example.org/tape'
  const service = await openWith(null, LOOPBACK, { publicUrl })
  try {
    expect(await bodiesOf(service, LOOPBACK, { host: 'a.test' })).toEqual([
      `${publicUrl}/tokens`,
      `${publicUrl}${PATH}`,
    ])
  } finally {
    await service.close()
  }
})

test.each(['::1', MAPPED])('the address of a server on %s is one of a URL', async host => {
  const service = await serverWith(LOOPBACK, host)
  const { port } = service.server.server.address() as AddressInfo
  const [, url] = await bodiesOf(service, host === MAPPED ? LOOPBACK : host, {})
  expect(url).toBe(`http://${host === MAPPED ? '127.0.0.1' : '[::1]'}:${port}${PATH}`)
})
