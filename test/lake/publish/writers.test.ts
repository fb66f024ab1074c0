import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { vacuum } from '../../../src/lake/maintain/vacuum.ts'
import { isRunning, type Owner, startOf, thisProcess } from '../../../src/lake/publish/owner.ts'
import { stagingName, type Work } from '../../../src/lake/publish/staging.ts'
import { prepareCurrent, readCurrent } from '../../../src/lake/store/current.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { start } from '../store/compiled.ts'
import { day, landDays, partitionsOf, storedDays, writerForTest } from '../store/days.ts'

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

test('of two writers at once the first to publish wins, the other publishes nothing and says so', async () => {
  const { lake, writer } = await smallLake()
  const rival = await writerForTest(lake)
  let raced = false
  const slow: Writer = {
    ...writer,
    async run(sql, bindings) {
      // The rival starts after this writer chose its base, and is done before it publishes.
      if (sql.startsWith('COPY') && !raced) {
        raced = true
        await landDays(rival, lake, [day('B', '2024-01-02', '2'), day('B', '2024-01-03', '2')])
      }
      await writer.run(sql, bindings)
    },
  }
  const refusal = await landDays(slow, lake, [
    day('C', '2024-01-02', '3'),
    day('C', '2024-01-04', '3'),
  ]).catch(thrown => thrown)
  expect(refusal).toMatchObject({
    code: 'lake_conflict',
    message:
      'another command published snapshot 2 in the meantime, so this one published nothing: run it again',
  })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'B 2024-01-02 2', 'B 2024-01-03 2'])
  expect(await partitionsOf(lake)).toEqual(['2024-01-02', '2024-01-03'])
  expect(existsSync(join(lake, '.staging'))).toBe(false)

  await landDays(writer, lake, [day('C', '2024-01-02', '3'), day('C', '2024-01-04', '3')])
  expect((await storedDays(writer, lake)).length).toBe(5)
})

test('a writer so slow that the snapshot before its own was vacuumed away still loses', async () => {
  const { lake, writer } = await smallLake()
  const rival = await writerForTest(lake)
  let raced = false
  const slow: Writer = {
    ...writer,
    async run(sql, bindings) {
      if (sql.startsWith('COPY') && !raced) {
        raced = true
        for (const close of ['2', '3']) await landDays(rival, lake, [day('B', '2024-01-02', close)])
        rmSync(join(lake, 'snapshots', '2.json'))
      }
      await writer.run(sql, bindings)
    },
  }
  await expect(landDays(slow, lake, [day('C', '2024-01-02')])).rejects.toMatchObject({
    code: 'lake_conflict',
  })
  expect(await readCurrent(lake)).toBe(3)
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'B 2024-01-02 3'])
})

test('of two first imports into one folder, one creates the lake and the other is rejected', async () => {
  const lake = join(folderForTest(), 'lake')
  const writers = [await writerForTest(lake), await writerForTest(lake)]
  const ended = await Promise.allSettled(
    writers.map((writer, index) => landDays(writer, lake, [day('A', `2024-01-0${index + 2}`)])),
  )
  const lost = ended.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
  const won = ended.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  for (const reason of lost) expect(reason).toMatchObject({ code: 'lake_conflict' })
  expect(won.length).toBeGreaterThan(0)
  expect(await readCurrent(lake)).toBe(won.length)
})

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
  await expect(landDays(writer, lake, [day('B', '2024-01-03', '3')])).rejects.toMatchObject({
    code: 'lake_conflict',
  })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1'])

  await other.kill()
  expect(await landDays(writer, lake, [day('B', '2024-01-03', '3')])).toMatchObject({ snapshot: 3 })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'A 2024-01-03 2', 'B 2024-01-03 3'])
  expect(JSON.parse(readFileSync(join(lake, 'snapshots', '3.json'), 'utf8')).parent).toBe(2)
})

test('a publish of another host is believed to be under way for a minute', async () => {
  const elsewhere = { host: 'another-host', pid: 1, start: 1 }
  const young = await unfinishedLake(elsewhere, 50_000)
  await expect(landDays(young.writer, young.lake, [day('B', '2024-01-03')])).rejects.toMatchObject({
    code: 'lake_conflict',
  })
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
