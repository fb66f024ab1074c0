import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../fixtures/lake.ts'
import { openService, type TestService } from '../fixtures/service.ts'
import { goldenLake } from '../golden/lake.ts'
import { tapehouseHere } from './in-process.ts'

const folder = temporaryFolder()
const tokenFile = join(folder, 'token.txt')
let service: TestService
let url: string

beforeAll(async () => {
  const source = fileURLToPath(new URL('../golden/flow-alerts/pages', import.meta.url))
  const { snapshot, engine } = await goldenLake(source, folder)
  await engine.close()
  service = await openService(folder, snapshot.lake)
  url = await service.server.listen({ port: 0, host: '127.0.0.1' })
  writeFileSync(tokenFile, `${service.token}\n`)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const FLOW = '/api/option-trades/flow-alerts'
const VENDOR = 'https://api.vendor.example'

interface Entry {
  readonly method?: string
  readonly url: string
  readonly status: number
  readonly body?: unknown
}

/** What the server answers, as if another one had. */
async function recorded(...addresses: string[]): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const address of addresses) {
    const headers = { authorization: `Bearer ${service.token}` }
    const { statusCode, body } = await service.server.inject({ url: address, headers })
    entries.push({ url: `${VENDOR}${address}`, status: statusCode, body: JSON.parse(body) })
  }
  return entries
}

/** The first record of an answer, to change it. */
function firstOf(entry: Entry | undefined): Record<string, unknown> {
  const [first] = (entry?.body as { data: Record<string, unknown>[] } | undefined)?.data ?? []
  if (first === undefined) throw new Error('the answer has no record')
  return first
}

const har = (entries: readonly Entry[]) => ({
  log: {
    version: '1.2',
    entries: entries.map(({ method = 'GET', url: address, status, body }, index) => {
      const text = JSON.stringify(body)
      const content =
        index % 2 === 0 ? { text } : { text: Buffer.from(text).toString('base64'), encoding: 'base64' }
      const secret = [{ name: 'Authorization', value: 'Bearer of-the-vendor' }]
      return { request: { method, url: address, headers: secret }, response: { status, content } }
    }),
  },
})

function write(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const ndjson = (entries: readonly Entry[]) => entries.map(entry => `${JSON.stringify(entry)}\n`).join('')

async function compare(path: string, ...more: string[]) {
  const flags = more.includes('--server') ? more : ['--server', url, ...more]
  const { code, stdout, stderr } = await tapehouseHere(['compare', path, '--token-file', tokenFile, ...flags])
  // On a busy machine the command reports its progress.
  return { code, text: stdout.toString(), stderr: stderr.replaceAll(/^compare: .*\n/gm, '') }
}

test('equal answers are equal, from NDJSON and from a HAR, and the exit code is 0', async () => {
  const entries = await recorded(
    `${FLOW}?limit=2`,
    `${FLOW}?ticker_symbol=A`,
    `${FLOW}?limit=0`,
    '/api/institutions',
  )
  const others = [
    { method: 'POST', url: `${VENDOR}/api/alerts`, status: 200, body: {} },
    { url: `${VENDOR}/logo.svg`, status: 200, body: 'x' },
    { url: `${VENDOR}${FLOW}`, status: 304 },
  ]
  const table = `operation     requests  equal  status  fields  types  values
────────────  ────────  ─────  ──────  ──────  ─────  ──────
flow-alerts          3      3       0       0      0       0
institutions         1      1       0       0      0       0
`
  const skipped = 'note: 3 requests skipped: not GET, not below /api, or without an answer\n'
  for (const path of [
    write('equal.ndjson', ndjson([...entries, ...others])),
    write('equal.har', JSON.stringify(har([...entries, ...others]), null, 2)),
  ])
    expect(await compare(path)).toEqual({ code: 0, text: table, stderr: skipped })
})

describe('an answer that differs', () => {
  // One alert: its size is 0, its premium 1, its type call.
  const [address] = [`${FLOW}?ticker_symbol=A`]
  const changes: [string, (alert: Record<string, unknown>) => void, string][] = [
    [
      'a value',
      alert => Object.assign(alert, { total_premium: '2.0000' }),
      'values data[].total_premium: recorded "2.0000", server "1.0000"',
    ],
    [
      'null instead of a value',
      alert => Object.assign(alert, { type: null }),
      'values data[].type: recorded null, server "call"',
    ],
    [
      'a type',
      alert => Object.assign(alert, { total_premium: 2 }),
      'types data[].total_premium: recorded number, server string(dec)',
    ],
    [
      'a kind of text',
      alert => Object.assign(alert, { created_at: '2024-01-05' }),
      'types data[].created_at: recorded date, server ts',
    ],
    [
      'a field that is missing',
      alert => Object.assign(alert, { sentiment: 'bullish' }),
      'fields data[].sentiment: recorded present, server (absent)',
    ],
    ['a field more', alert => delete alert.strike, 'fields data[].strike: recorded (absent), server present'],
  ]

  test.each(changes)('in %s is named with its path', async (_what, change, line) => {
    const [entry] = await recorded(address)
    change(firstOf(entry))
    const { code, text } = await compare(write('changed.ndjson', ndjson(entry ? [entry] : [])))
    expect(text.split('\n').filter(each => each.startsWith('  '))).toEqual([
      `  ${line} (1 request, first line 1, ${address})`,
    ])
    expect(code).toBe(1)
  })

  test('in status, number of records or path counts for its operation', async () => {
    const [one, two] = await recorded(`${FLOW}?limit=1`, `${FLOW}?limit=0`)
    const entries = [
      { ...one, body: { data: [] } },
      { ...two, status: 400 },
      { url: '/api/stock/ACME/fortune?token=secret', status: 200, body: {} },
    ] as Entry[]
    const { code, text } = await compare(write('more.ndjson', ndjson(entries)), '--json')
    const { equal, operations } = JSON.parse(text)
    expect([code, equal]).toEqual([1, false])
    expect(operations).toMatchObject([
      {
        operation: 'flow-alerts',
        requests: 2,
        equal: 0,
        counts: { status: 1, fields: 0, types: 0, values: 1 },
        differences: [
          { kind: 'status', recorded: '400', server: '422', requests: 1 },
          { kind: 'values', at: 'data', recorded: '0 items', server: '1 items' },
        ],
      },
      {
        operation: null,
        requests: 1,
        equal: 0,
        counts: { status: 1 },
        differences: [{ first: 'line 3, /api/stock/ACME/fortune' }],
      },
    ])
    expect(text).not.toContain('secret')
  })

  test('has no control character of the recording on the terminal', async () => {
    const [entry] = await recorded(address)
    Object.assign(firstOf(entry), {
      '\u001b]0;title\u0007': 1,
      ticker: '\u009b31m\u202ered',
      type: '\u001b[2J',
    })
    const other = { url: `${VENDOR}/api/\u001b[1m`, status: 200 }
    const path = write('escapes.ndjson', ndjson([entry as Entry, other]))
    for (const flags of [[], ['--json']]) {
      const { code, text, stderr } = await compare(path, ...flags)
      expect(code).toBe(1)
      expect(text).toContain(']0;title')
      expect(`${text}${stderr}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }
  })
})

test.each([
  ['a line that is not JSON', '{"url":"/api/alerts","status":200}\n{"url":\n', 'bad:2: is not JSON'],
  ['a line that is no object', '{"url":"/api/alerts","status":200}\n\n[]\n', 'bad:3: is not an object'],
  ['a line without a status', '{"url":"/api/alerts"}\n', 'bad:1: its status is no HTTP status'],
  [
    'a line without a URL',
    '{"url":"/api/alerts","status":200}\n{"status":200}\n',
    'bad:2: its url is no URL',
  ],
  ['a HAR that is broken', '{\n "log": {\n  "entries": [\n   {},,\n  ]\n }\n}\n', 'bad:4: is not JSON'],
  ['a HAR that ends early', '{\n "log": {\n  "entries": [\n', 'bad:4: is not JSON'],
  ['a HAR entry without a request', '{"log":{"entries":[{}]}}', 'bad: entry 1: its url is no URL'],
  ['another document', '{"openapi":"3.1.0"}', 'bad:1: has no log.entries'],
  ['no request that could be sent', '{"url":"/index.html","status":200}', 'bad: has no GET request'],
])('%s is named, and nothing is sent', async (_what, content, message) => {
  const { code, text, stderr } = await compare(write('bad', content))
  expect([code, text]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('a server that does not answer, refuses the token or redirects is named; a redirection gets no token', async () => {
  const path = write('one.ndjson', ndjson(await recorded(FLOW)))
  const { stderr: refused, code } = await compare(path, '--server', 'http://127.0.0.1:9')
  expect([code, refused]).toEqual([2, expect.stringContaining('http://127.0.0.1:9 does not answer')])
  expect((await compare(path, '--server', 'file:///etc/passwd')).stderr).toContain(
    '--server must be an http or https URL',
  )
  writeFileSync(join(folder, 'other.txt'), '00000000-0000-4000-8000-000000000000')
  const other = ['compare', path, '--server', url, '--token-file', join(folder, 'other.txt')]
  expect((await tapehouseHere(other)).stderr).toContain('refuses the request with 401')

  const seen: (string | undefined)[] = []
  const target = createServer((request, reply) => {
    seen.push(`${request.url} ${request.headers.authorization}`)
    reply.writeHead(302, { location: `${url}${FLOW}` }).end()
  })
  await new Promise<void>(done => target.listen(0, '127.0.0.1', done))
  onTestFinished(() => void target.close())
  const { port } = target.address() as AddressInfo
  const { code: differs, text } = await compare(path, '--server', `http://127.0.0.1:${port}/prefix/`)
  expect([differs, seen]).toEqual([1, [`/prefix${FLOW} Bearer ${service.token}`]])
  expect(text).toContain('status: recorded 200, server 302')
})

test('a file that does not exist is named', async () => {
  const { code, stderr } = await compare('nowhere/recorded.har')
  expect([code, stderr]).toEqual([2, 'tapehouse: nowhere/recorded.har: does not exist\n'])
})
