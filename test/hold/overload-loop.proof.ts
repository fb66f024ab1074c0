import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { amount, countCases } from '../fixtures/tier.ts'
import { heavy, holdLake, light, long, requestOf } from './lake.ts'
import { type Asked, holding, tally } from './server.ts'
import { row, table } from './table.ts'

/** No request, whatever it asks for and however many others come with it, keeps a worker from all others. */

const isTimed = amount({ test: false, prove: false, long: true })
const { folder, lake } = holdLake()
afterAll(table)

const parquet = { accept: 'application/vnd.apache.parquet' }
const arrow = { accept: 'application/vnd.apache.arrow.stream' }
const csv = { accept: 'text/csv' }
const ids = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index))

/** The dearest requests of each kind: `[clients, path, headers]`. `place` makes one differ from the next. */
const KINDS: Readonly<Record<string, readonly [number, (place: number) => string, Record<string, string>?]>> =
  {
    'few rows': [60, light],
    'the longest answer in one piece': [4, heavy],
    'a long answer as JSON': [4, () => long],
    'a long answer as CSV': [2, () => long, csv],
    'a long answer as Arrow': [2, () => long, arrow],
    'a long answer as Parquet': [2, () => long, parquet],
    '1,000 unknown parameters': [
      8,
      place => `/api/lake?${ids(1000, index => `p${place % 10}${index}=`).join('&')}`,
    ],
    'a parameter 1,000 times': [
      8,
      () => `/api/screener/option-contracts?${ids(1000, () => 'type=call').join('&')}`,
    ],
    'a list of 1,000 values': [
      8,
      place => `/api/screener/option-contracts?ticker_symbol=${ids(1000, index => `T${place % 10}${index}`)}`,
    ],
    'calculations without blanks': [
      8,
      place => `/api/analytics/window?symbols=SA&range=full&calculations=${'('.repeat(4000 + (place % 10))}`,
    ],
    'an unknown token': [
      20,
      place => `/api/lake?unknown=${place}`,
      { authorization: 'Bearer 00000000-0000-4000-8000-000000000000' },
    ],
  }

test('a flood of the dearest requests of each kind holds no event loop', async () => {
  const server = await holding(folder, lake, ['--cache-mib', '0', '--queue', '16'])
  // The first requests of each kind compile the code.
  for (const [count, path, headers] of Object.values(KINDS))
    for (let place = 0; place < Math.min(count, 8); place += 1) await server.ask(path(place), { headers })

  const begunMs = Date.now()
  const until = begunMs + amount({ test: 0, prove: 4000, long: 60_000 })
  const answers: Asked[] = []
  const client = async (path: (place: number) => string, headers: Record<string, string> = {}) => {
    while (Date.now() < until) answers.push(await server.ask(path(answers.length), { headers }))
  }
  const clients = Object.values(KINDS).flatMap(([count, path, headers]) =>
    Array.from({ length: count }, () => client(path, headers)),
  )
  // Meanwhile, connections come that read nothing, and a file of tokens changes.
  while (Date.now() < until) {
    const silent = await Promise.all(ids(20, () => requestOf(long, server.tokens.one)).map(server.open))
    await createToken(server.tokenFile, {
      name: `flood-${Date.now()}`,
      routes: ['*'],
      owner: null,
      expiresAt: null,
    })
    await sleep(500)
    for (const socket of silent) socket.destroy()
  }
  await Promise.all(clients)
  const statuses = Object.keys(tally(answers.map(({ status }) => status)))
  expect(statuses.filter(status => !['200', '400', '401', '414', '422', '503'].includes(status))).toEqual([])
  const longestMs = server.longestPassMs(begunMs)
  countCases(answers.length)
  row(
    'flood of the dearest requests',
    `${answers.length} of ${clients.length} clients`,
    `a pass of an event loop took at most ${Math.round(longestMs)} ms of the processor`,
  )
  if (isTimed) expect(longestMs).toBeLessThanOrEqual(50)
})
