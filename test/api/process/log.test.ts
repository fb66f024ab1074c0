import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gatherLines } from '../../../src/api/process/log.ts'

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
