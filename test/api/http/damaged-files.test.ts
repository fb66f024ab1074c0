import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { asOfShelf } from '../../../src/lake/point-in-time/shelf.ts'
import { openProofs } from '../../../src/lake/proof/proofs.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { importOptionDays } from '../../fixtures/option-days.ts'
import { openService, type TestService } from '../../fixtures/service.ts'
import { DAMAGES, keepContent } from '../../lake/proof/damages.ts'

/** No byte of a damaged file is served, and nothing else suffers from it. */

const folder = temporaryFolder()
const DAYS = ['2024-01-10', '2024-01-11', '2024-01-12']
const [FIRST = '', SECOND = '', THIRD = ''] = DAYS
const damages = Object.entries(DAMAGES)
let lake: string
let paths: readonly string[]
let names: readonly string[]
beforeAll(async () => {
  lake = await importOptionDays(
    folder,
    DAYS.map((date, index) => ({ date, trades: { ACME: 5 + index } })),
  )
  const files = (await loadSnapshot(lake)).files('contract_days')
  expect(files.map(({ dates }) => dates)).toEqual(DAYS.map(date => [date, date]))
  paths = files.map(({ path }) => path)
  names = files.map(({ name }) => name)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function open(): Promise<TestService> {
  const service = await openService(folder, lake)
  onTestFinished(() => service.close())
  return service
}

const ask = ({ server, token }: TestService, date: string, headers: Record<string, string> = {}) =>
  server.inject({
    url: `/api/stock/ACME/oi-per-expiry?date=${date}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

const ofKind = <Kind extends 'file_damaged' | 'file_mended'>({ seen }: TestService, kind: Kind) =>
  seen.filter(observation => observation.kind === kind)

describe.each(damages)('if %s', (_, damage) => {
  const damaged = () => {
    const mend = keepContent(...paths)
    damage(paths[0] ?? '', paths[1] ?? '')
    return mend
  }
  const expectRefused = (answer: Awaited<ReturnType<typeof ask>>) => {
    expect(answer.statusCode).toBe(503)
    expect(answer.headers.etag).toBeUndefined()
    expect(answer.headers['retry-after']).toBe('30')
    expect(answer.json()).toMatchObject({
      code: 'lake_damaged',
      retryable: true,
      dataset: 'contract_days',
      days: FIRST,
      file: names[0],
      message: expect.stringContaining(`contract_days of ${FIRST} cannot be read, because ${names[0]}`),
    })
    expect(answer.body).not.toContain(lake)
  }

  test('while the server runs, its answer is not given from the cache either, until it is mended', async () => {
    const service = await open()
    const right = await ask(service, FIRST)
    const other = await ask(service, THIRD)
    expect([right.statusCode, other.statusCode]).toEqual([200, 200])
    expect((await ask(service, FIRST)).body).toBe(right.body)
    const mend = damaged()
    try {
      expectRefused(await ask(service, FIRST))
      expectRefused(await ask(service, FIRST))
      expectRefused(await ask(service, FIRST, { 'if-none-match': String(right.headers.etag) }))
      expectRefused(await ask(service, FIRST, { accept: 'text/csv' }))
      expect((await ask(service, THIRD)).body).toBe(other.body)
    } finally {
      mend()
    }
    const mended = await ask(service, FIRST)
    expect([mended.statusCode, mended.body, mended.headers.etag]).toEqual([
      200,
      right.body,
      right.headers.etag,
    ])
    expect((await ask(service, SECOND)).statusCode).toBe(200)
    expect(ofKind(service, 'file_damaged')).toHaveLength(1)
    expect(ofKind(service, 'file_mended')).toHaveLength(1)
  })

  test('before the server starts, requests that need it fail until it is mended', async () => {
    const mend = damaged()
    const service = await open()
    try {
      expectRefused(await ask(service, FIRST))
      expect((await ask(service, THIRD)).statusCode).toBe(200)
    } finally {
      mend()
    }
    expect((await ask(service, FIRST)).statusCode).toBe(200)
  })
})

test('a failed file takes all cached answers with it, and requests that need it share one proof', async () => {
  const service = await open()
  expect((await ask(service, THIRD)).statusCode).toBe(200)
  const mend = keepContent(...paths)
  onTestFinished(mend)
  DAMAGES['it is deleted']?.(paths[0] ?? '', '')
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(service, FIRST)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]))
  expect(ofKind(service, 'file_damaged')).toHaveLength(1)
  await ask(service, THIRD)
  const uses = service.seen.flatMap(each => (each.kind === 'request' ? [each.cache] : []))
  expect(uses.at(-1)).toBe('miss')
})

test('a damaged file is mended without a request for it', async () => {
  const service = await open()
  const mend = keepContent(...paths)
  DAMAGES['the end is lost']?.(paths[0] ?? '', '')
  try {
    expect((await ask(service, FIRST)).statusCode).toBe(503)
  } finally {
    mend()
  }
  await service.until(() => ofKind(service, 'file_mended').length === 1)
})

test('a state as of a time is not made of a damaged file', async () => {
  const proofs = openProofs({ lake, remembered: null, observe: () => {} })
  const shelf = asOfShelf({ threads: 1 }, proofs)
  onTestFinished(() => shelf.close())
  const snapshot = await loadSnapshot(lake)
  const [trades] = snapshot.files('option_trades')
  const mend = keepContent(trades?.path ?? '')
  DAMAGES['a bit flips in the middle']?.(trades?.path ?? '', '')
  try {
    await expect(shelf.take(snapshot, '2024-03-01')).rejects.toMatchObject({
      code: 'lake_damaged',
      details: { dataset: 'option_trades', days: FIRST },
    })
  } finally {
    mend()
  }
  const { snapshot: state } = await shelf.take(snapshot, '2024-03-01')
  expect(state.files('option_trades')).toHaveLength(3)
})
