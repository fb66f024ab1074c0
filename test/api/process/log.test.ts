import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gatherLines, logTo } from '../../../src/api/process/log.ts'
import type { Observation } from '../../../src/engine/observation.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function gathering() {
  const writes: string[] = []
  const lines = gatherLines({
    write(text) {
      writes.push(String(text))
    },
  })
  return { writes, lines }
}

test('a line is written at once, and those of the next 100 ms together', () => {
  const { writes, lines } = gathering()
  lines.write('1\n')
  expect(writes).toEqual(['1\n'])
  lines.write('2\n')
  vi.advanceTimersByTime(60)
  lines.write('3\n')
  vi.advanceTimersByTime(39)
  expect(writes).toEqual(['1\n'])
  vi.advanceTimersByTime(1)
  expect(writes).toEqual(['1\n', '2\n3\n'])
  // The next 100 ms begin with that write.
  lines.write('4\n')
  vi.advanceTimersByTime(100)
  expect(writes).toEqual(['1\n', '2\n3\n', '4\n'])
})

test('after 100 ms without a line, one is written at once again', () => {
  const { writes, lines } = gathering()
  lines.write('1\n')
  vi.advanceTimersByTime(100)
  lines.write('2\n')
  expect(writes).toEqual(['1\n', '2\n'])
})

test('many lines do not wait, and those that wait can be written', () => {
  const { writes, lines } = gathering()
  lines.write('1\n')
  const long = `${'x'.repeat(40_000)}\n`
  lines.write(long)
  expect(writes).toEqual(['1\n', long])
  lines.write('2\n')
  lines.flush()
  expect(writes).toEqual(['1\n', long, '2\n'])
})

const REQUEST: Extract<Observation, { kind: 'request' }> = {
  kind: 'request',
  requestId: 'own',
  operation: 'oi-per-expiry',
  method: 'GET',
  path: '/api/"\\\u0000\u0007\u001b[31m/é\ud800/\u2028',
  status: 200,
  durationMs: 1.2345,
  bytes: 202,
  token: null,
  client: '127.0.0.1',
  cache: 'hit',
  reason: null,
}

test.each<Partial<typeof REQUEST>>([
  {},
  { token: 'own "token"', cache: null },
  { status: 503, cache: null, reason: 'no\nmemory' },
  { requestId: '"', operation: '\\', method: 'M-SEARCH', client: '::1', durationMs: 0, bytes: 0 },
])('the line of a request is what pino writes of its fields that are not null: %j', changes => {
  vi.setSystemTime('2024-01-02T03:04:05.678Z')
  const { writes, lines } = gathering()
  const byPino: string[] = []
  const request = { ...REQUEST, ...changes }
  const { kind, ...fields } = request
  const shown = Object.entries(fields).filter(([, value]) => value !== null)
  pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => byPino.push(line) },
  ).info({ ...Object.fromEntries(shown), durationMs: Math.round(request.durationMs * 10) / 10 }, kind)
  logTo('info', lines)(request)
  expect(writes).toEqual(byPino)
  // The time of a line is that of its own millisecond.
  vi.setSystemTime('2024-01-02T03:04:05.679Z')
  logTo('info', lines)(request)
  lines.flush()
  expect(JSON.parse(writes[1] ?? '')).toMatchObject({ time: '2024-01-02T03:04:05.679Z' })
})

test('a line that is not written does not end the time of those that wait', () => {
  const { writes, lines } = gathering()
  const observe = logTo('info', lines)
  for (let request = 0; request < 3; request += 1) {
    observe(REQUEST)
    observe({ kind: 'query', operation: 'oi-per-expiry', durationMs: 1, queuedMs: 0, outcome: 'done' })
  }
  expect(writes.length).toBe(1)
  vi.advanceTimersByTime(100)
  expect(writes.length).toBe(2)
})

test('at the level warn, requests have no lines', () => {
  const { writes, lines } = gathering()
  const observe = logTo('warn', lines)
  observe(REQUEST)
  observe({ kind: 'notice', message: 'a notice' })
  expect(writes.map(line => JSON.parse(line).msg)).toEqual(['notice'])
})
