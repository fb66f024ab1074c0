import { expect, onTestFinished, test, vi } from 'vitest'
import { holdSandbox } from '../../../src/api/process/sandbox.ts'
import type { Observation } from '../../../src/engine/observation.ts'
import type { Breach } from '../../../src/engine/sandbox/attempts.ts'

const WRITING = { what: 'copying into the lake', isOpen: true, reason: 'it was permitted' }
const READING = { what: 'reading a file outside the lake', isOpen: false, reason: 'Out of Memory Error: no' }

test.each([WRITING, READING])('a server with the breach %j does not start', async breach => {
  await expect(
    holdSandbox(
      { breaches: async () => [breach] },
      () => {},
      () => {},
    ),
  ).rejects.toMatchObject({
    code: 'start_refused',
    message: expect.stringContaining(`${breach.what} was not refused (${breach.reason})`),
  })
})

test('a running server proves its sandbox each hour, and ends if something is permitted', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const found: (readonly Breach[])[] = [[], [], [READING], [WRITING]]
  const seen: Observation[] = []
  let ends = 0
  const stop = await holdSandbox(
    { breaches: async () => found.shift() ?? [] },
    observation => seen.push(observation),
    () => {
      ends += 1
    },
  )
  expect(found).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect([found.length, seen, ends]).toEqual([2, [], 0])
  await vi.advanceTimersByTimeAsync(3_600_000)
  const { isOpen: _unclear, ...reading } = READING
  expect([seen, ends]).toEqual([[{ kind: 'sandbox_breach', ...reading }], 0])
  await vi.advanceTimersByTimeAsync(3_600_000)
  const { isOpen: _open, ...writing } = WRITING
  expect([seen.at(-1), ends]).toEqual([{ kind: 'sandbox_breach', ...writing }, 1])
  stop()
  await vi.advanceTimersByTimeAsync(10 * 3_600_000)
  expect(seen).toHaveLength(2)
})
