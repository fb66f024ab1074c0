import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRunning, type Owner, startOf, thisProcess } from '../../../src/engine/owner.ts'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { stagingName, type Work } from '../../../src/lake/publish/staging.ts'
import { prepareCurrent, readCurrent } from '../../../src/lake/store/current.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { start } from '../store/compiled.ts'
import { day, landDays, storedDays, writerForTest } from '../store/days.ts'

async function smallLake() {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await landDays(writer, lake, [day('A', '2024-01-02', '1')])
  return { lake, writer }
}

/** Another process that runs until the test is over or it is killed. */
async function otherProcess() {
  const child = start('/', 'setInterval(() => {}, 1000)')
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const ended = new Promise(resolve => child.on('exit', resolve))
  const pid = child.pid ?? 0
  return {
    owner: { host: hostname(), pid, start: startOf(pid) },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The lake as a publish leaves it that ends between its snapshot and CURRENT. */
async function unfinishedLake(owner: Owner, ageMs = 0) {
  const { lake, writer } = await smallLake()
  await landDays(writer, lake, [day('A', '2024-01-03', '2')])
  const path = join(lake, 'snapshots', '2.json')
  const record = JSON.parse(readFileSync(path, 'utf8'))
  const created_at = new Date(Date.now() - ageMs).toISOString()
  writeFileSync(path, JSON.stringify({ ...record, created_at, writer: { version: '0', ...owner } }))
  writeFileSync(join(lake, 'old'), '1\n')
  renameSync(join(lake, 'old'), join(lake, 'CURRENT'))
  return { lake, writer }
}

test('a publish without its CURRENT is left alone while its process runs, and finished once it is gone', async () => {
  const other = await otherProcess()
  const { lake, writer } = await unfinishedLake(other.owner)
  await expect(
    landDays(writer, lake, [day('B', '2024-01-03', '3')], [], { patienceMs: 200 }),
  ).rejects.toMatchObject({ code: 'lake_conflict' })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1'])

  await other.kill()
  expect(await landDays(writer, lake, [day('B', '2024-01-03', '3')])).toMatchObject({ snapshot: 3 })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'A 2024-01-03 2', 'B 2024-01-03 3'])
  expect(JSON.parse(readFileSync(join(lake, 'snapshots', '3.json'), 'utf8')).parent).toBe(2)
})

test('a writer waits for the one that is about to name its snapshot in CURRENT', async () => {
  const other = await otherProcess()
  const { lake, writer } = await unfinishedLake(other.owner)
  const landing = landDays(writer, lake, [day('B', '2024-01-03', '3')])
  setTimeout(() => {
    writeFileSync(join(lake, 'new'), '2\n')
    renameSync(join(lake, 'new'), join(lake, 'CURRENT'))
  }, 300)
  expect(await landing).toMatchObject({ snapshot: 3 })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'A 2024-01-03 2', 'B 2024-01-03 3'])
})

test('a publish of another host is believed to be under way for a minute', async () => {
  const elsewhere = { host: 'another-host', pid: 1, start: 1 }
  const young = await unfinishedLake(elsewhere, 50_000)
  await expect(
    landDays(young.writer, young.lake, [day('B', '2024-01-03')], [], { patienceMs: 0 }),
  ).rejects.toMatchObject({ code: 'lake_conflict' })
  const old = await unfinishedLake(elsewhere, 70_000)
  expect(await landDays(old.writer, old.lake, [day('B', '2024-01-03')])).toMatchObject({ snapshot: 3 })
})

test('rows that are stored already still finish a publish that died', async () => {
  const { lake, writer } = await unfinishedLake({ ...thisProcess(), start: 1 })
  expect(await landDays(writer, lake, [day('A', '2024-01-03', '2')])).toMatchObject({
    snapshot: 2,
    published: false,
  })
  expect(await readCurrent(lake)).toBe(2)
})

test('CURRENT does not go back, whoever is late', async () => {
  const { lake } = await smallLake()
  const point = await prepareCurrent(lake, folderForTest(), 2)
  writeFileSync(join(lake, 'CURRENT'), '3\n')
  await point()
  expect(await readCurrent(lake)).toBe(3)
})

test('a process is known by its number and its start', async () => {
  const own = thisProcess()
  expect(isRunning(own)).toBe(true)
  expect(isRunning({ ...own, start: own.start - 1 })).toBe(false)
  expect(isRunning({ ...own, host: 'another-host' })).toBe('elsewhere')
  expect(isRunning({ ...own, pid: 1, start: 0 })).toBe(true)
  const other = await otherProcess()
  expect(isRunning(other.owner)).toBe(true)
  await other.kill()
  expect(isRunning(other.owner)).toBe(false)
})

/** A staging folder with a file in it, as `owner` would have made it. */
function stage(lake: string, owner: Owner, work: Work): string {
  const path = join(lake, '.staging', stagingName(work, owner))
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'part.parquet'), 'half')
  return path
}

test('what a dead process left in staging is removed by the next writer, what a running one writes is not', async () => {
  const { lake, writer } = await smallLake()
  const [running, dead] = [await otherProcess(), await otherProcess()]
  await dead.kill()
  const live = stage(lake, running.owner, 'write')
  const gone = stage(lake, dead.owner, 'write')
  const elsewhere = stage(lake, { host: 'another-host', pid: 1, start: 1 }, 'write')
  const forgotten = stage(lake, { host: 'another-host', pid: 2, start: 1 }, 'write')
  const stampedAt = new Date(Date.now() - 11 * 60_000)
  utimesSync(forgotten, stampedAt, stampedAt)
  const before = new Date(Date.now() - 9 * 60_000)
  utimesSync(elsewhere, before, before)
  await landDays(writer, lake, [day('A', '2024-01-03')])
  expect([live, gone, elsewhere, forgotten].map(existsSync)).toEqual([true, false, true, false])
})

test('a vacuum and a writer do not work at the same time', async () => {
  const { lake, writer } = await smallLake()
  const other = await otherProcess()
  const writing = stage(lake, other.owner, 'write')
  await expect(vacuum(lake)).rejects.toMatchObject({
    code: 'lake_conflict',
    message: expect.stringMatching(/another command writes to .* run this one again when it has ended/),
  })
  rmSync(writing, { recursive: true })
  const vacuuming = stage(lake, other.owner, 'vacuum')
  await expect(landDays(writer, lake, [day('A', '2024-01-03')])).rejects.toMatchObject({
    code: 'lake_conflict',
    message: expect.stringContaining('is vacuuming'),
  })
  await other.kill()
  await landDays(writer, lake, [day('A', '2024-01-03')])
  expect(existsSync(vacuuming)).toBe(false)
})
