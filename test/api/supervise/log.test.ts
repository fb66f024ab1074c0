import { execFileSync } from 'node:child_process'
import { constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { logFile, WAITING_BYTES_MAX } from '../../../src/api/process/log-file.ts'
import { passLines } from '../../../src/api/supervise/worker-lines.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { conditions } from '../../fixtures/until.ts'

/** A pipe that can be written to and read from. It holds 64 KiB. */
function pipe() {
  const path = join(folderForTest(), 'pipe')
  execFileSync('mkfifo', [path])
  const open = () => openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  return { writing: open(), reading: open() }
}

test('lines to a pipe that nobody reads are kept up to a limit, then dropped and counted, and reported once it flows', async () => {
  const { writing, reading } = pipe()
  const reports: number[] = []
  const arrived = conditions()
  const file = logFile(writing, dropped => {
    reports.push(dropped)
    file.write(`dropped ${dropped}\n`)
    arrived.check()
  })
  const numbered = (number: number) => `${String(number).padStart(1023, '.')}\n`
  const lines = 3 * (WAITING_BYTES_MAX / 1024)
  for (let number = 0; number < lines; number += 1) file.write(numbered(number))
  // The pipe, what is kept, and one line that reaches the limit.
  const kept = 64 + WAITING_BYTES_MAX / 1024 + 1
  expect(lines - file.dropped).toBeGreaterThan(WAITING_BYTES_MAX / 1024)
  expect(lines - file.dropped).toBeLessThanOrEqual(kept)

  let read = ''
  const reader = new Socket({ fd: reading, readable: true, writable: false })
  reader.on('data', chunk => {
    read += chunk
    arrived.check()
  })
  await arrived.until(() => read.includes('dropped'))
  const whole = lines - file.dropped
  const expected = Array.from({ length: whole }, (_, number) => numbered(number)).join('')
  expect(read === `${expected}dropped ${lines - whole}\n`).toBe(true)
  expect(reports).toEqual([lines - whole])
  await file.end(0)
  reader.destroy()
})

test('a log ends after its limit although nobody reads it, and before it once all is read', async () => {
  const { writing, reading } = pipe()
  const file = logFile(writing, () => {})
  file.write('x'.repeat(100_000))
  const ended = file.end(60_000)
  let bytes = 0
  const reader = new Socket({ fd: reading, readable: true, writable: false })
  reader.on('data', chunk => {
    bytes += chunk.length
  })
  await ended
  expect(bytes).toBeGreaterThan(0)
  reader.destroy()

  const other = pipe()
  const unread = logFile(other.writing, () => {})
  unread.write('x'.repeat(100_000))
  await unread.end(10)
})

test('what workers write is passed on in whole lines', async () => {
  const seen: string[] = []
  const write = (lines: Buffer) => seen.push(lines.toString())
  const [first, second] = [new PassThrough(), new PassThrough()]
  passLines(first, write)
  passLines(second, write)
  const ended = Promise.all([first, second].map(from => new Promise(resolve => from.once('end', resolve))))
  first.write('{"a":')
  second.write('{"b":1}\n{"b"')
  first.write('1}\n{"a":2}\nrest')
  second.write(':2}\n')
  first.end()
  second.end()
  await ended
  expect(seen).toEqual(['{"b":1}\n', '{"a":1}\n{"a":2}\n', '{"b":2}\n', 'rest\n'])
})
