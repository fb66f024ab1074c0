import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Observation } from '../../../src/engine/observation.ts'
import { followLake } from '../../../src/lake/store/follow.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { day, landDays, silent, writerForTest } from './days.ts'

async function followedLake() {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await landDays(writer, lake, [day('AAPL', '2024-01-02', '10')])
  const seen: Observation[] = []
  const followed = await followLake(lake, observation => seen.push(observation))
  return { lake, writer, seen, followed }
}

/** Puts CURRENT in its place as a publish does. */
function point(lake: string, text: string): void {
  writeFileSync(join(lake, 'CURRENT.new'), text)
  renameSync(join(lake, 'CURRENT.new'), join(lake, 'CURRENT'))
}

test('a pin after a publish serves the new snapshot; the one pinned before does not change', async () => {
  const { lake, writer, seen, followed } = await followedLake()
  const before = await followed.pin()
  await landDays(writer, lake, [day('AAPL', '2024-01-03', '11')])
  expect(followed.current()).toBe(before)
  const after = await followed.pin()
  expect([before.number, after.number, followed.current().number]).toEqual([1, 2, 2])
  expect([before.lastDate('daily_bars'), after.lastDate('daily_bars')]).toEqual(['2024-01-02', '2024-01-03'])
  expect(await followed.pin()).toBe(after)
  point(lake, '2\n')
  expect(await followed.pin()).toBe(after)
  expect(seen).toEqual([
    { kind: 'snapshot_served', snapshot: 1 },
    { kind: 'snapshot_served', snapshot: 2 },
  ])
})

test('manifests that did not change are not read again', async () => {
  const { lake, writer, followed } = await followedLake()
  const [first] = (await followed.pin()).files('daily_bars')
  await landDays(writer, lake, [day('AAPL', '2024-01-03', '11')])
  // Without its manifest the first day could only come from memory.
  rmSync(join(lake, manifestOf(lake, '2024-01-02')))
  const after = await followed.pin()
  expect(after.number).toBe(2)
  expect(after.files('daily_bars', { to: '2024-01-02' })[0]).toBe(first)
})

const manifestOf = (lake: string, partition: string): string =>
  JSON.parse(readFileSync(join(lake, 'snapshots', '2.json'), 'utf8')).datasets.daily_bars.partitions[
    partition
  ]

test('a snapshot that cannot be loaded is reported once, the previous one stays served, and it is tried again', {
  tags: 'slow',
}, async () => {
  const { lake, writer, seen, followed } = await followedLake()
  await landDays(writer, lake, [day('AAPL', '2024-01-03', '11')])
  const manifest = join(lake, manifestOf(lake, '2024-01-03'))
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, 'damaged')
  for (let pin = 0; pin < 20; pin += 1) expect((await followed.pin()).number).toBe(1)
  // The next attempt reads a pipe: writing to it succeeds when it is read.
  rmSync(manifest)
  execFileSync('mkfifo', [manifest])
  let retried = false
  const retry = writeFile(manifest, 'damaged').then(() => {
    retried = true
  })
  await vi.waitFor(async () => {
    expect((await followed.pin()).number).toBe(1)
    expect(retried).toBe(true)
  }, 10_000)
  await retry
  expect((await followed.pin()).number).toBe(1)
  expect(seen).toEqual([
    { kind: 'snapshot_served', snapshot: 1 },
    { kind: 'snapshot_refused', reason: expect.stringContaining(manifest) },
  ])

  rmSync(manifest)
  writeFileSync(manifest, text)
  await vi.waitFor(async () => expect((await followed.pin()).number).toBe(2), 5000)
  expect(seen.at(-1)).toEqual({ kind: 'snapshot_served', snapshot: 2 })
})

test('a CURRENT that goes back or is removed is rejected', async () => {
  const { lake, writer, seen, followed } = await followedLake()
  await landDays(writer, lake, [day('AAPL', '2024-01-03', '11')])
  expect((await followed.pin()).number).toBe(2)
  point(lake, '1\n')
  expect((await followed.pin()).number).toBe(2)
  expect(seen.at(-1)).toEqual({
    kind: 'snapshot_refused',
    reason: 'CURRENT went back from snapshot 2 to 1',
  })
  rmSync(join(lake, 'CURRENT'))
  expect((await followed.pin()).number).toBe(2)
  expect(seen.at(-1)).toMatchObject({ kind: 'snapshot_refused', reason: expect.stringContaining('no lake') })
})

test('no pin of many concurrent ones returns an older snapshot than an earlier pin', {
  tags: 'slow',
}, async () => {
  const { lake, writer, followed } = await followedLake()
  let publishing = true
  const served: number[] = []
  const reader = async () => {
    while (publishing) {
      const known = Math.max(...served, 0)
      const { number } = await followed.pin()
      expect(number).toBeGreaterThanOrEqual(known)
      served.push(number)
      // A server reads from its sockets between requests; a pin by itself never lets go of the event loop.
      await setImmediate()
    }
  }
  const readers = Promise.all(Array.from({ length: 8 }, reader))
  for (let n = 0; n < 15; n += 1) {
    const { snapshot } = await landDays(writer, lake, [day('AAPL', '2024-01-03', String(n + 1))])
    expect((await followed.pin()).number).toBe(snapshot)
  }
  publishing = false
  await readers
  expect(new Set(served).size).toBeGreaterThan(5)
  expect((await followed.pin()).number).toBe(16)
})

test('a pin that finds an older snapshot being loaded waits for the one that it saw', async () => {
  const { lake, writer, followed } = await followedLake()
  for (const close of ['11', '12']) await landDays(writer, lake, [day('AAPL', '2024-01-03', close)])
  const slow = join(lake, manifestOf(lake, '2024-01-03'))
  const text = readFileSync(slow, 'utf8')
  rmSync(slow)
  // Reading a pipe takes until someone writes to it.
  execFileSync('mkfifo', [slow])
  point(lake, '2\n')
  const early = followed.pin()
  // Opening it succeeds when the early pin reads it.
  const pipe = await open(slow, 'w')
  point(lake, '3\n')
  const late = followed.pin()
  await pipe.writeFile(text)
  await pipe.close()
  expect((await late).number).toBe(3)
  expect((await early).number).toBeGreaterThanOrEqual(2)
})

test('a lake that cannot be loaded cannot be followed', async () => {
  const lake = join(folderForTest(), 'lake')
  mkdirSync(lake)
  await expect(followLake(lake, silent)).rejects.toMatchObject({ code: 'lake_missing' })
})
