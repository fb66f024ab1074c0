import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/engine/observation.ts'
import { openProofs } from '../../../src/lake/proof/proofs.ts'
import { rememberedProofs } from '../../../src/lake/proof/remembered.ts'
import { scrubLake } from '../../../src/lake/proof/scrub.ts'
import { loadSnapshot, type Snapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { engineFor } from '../../fixtures/service.ts'
import { conditions } from '../../fixtures/until.ts'
import { openDisk } from '../../hold/damage/disk.ts'
import { day, landDays, writerForTest } from '../store/days.ts'

const HOUR_MS = 3_600_000

/** A lake with four files, and a folder for its proofs. */
async function fourFiles() {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  const writer = await writerForTest(lake)
  const dates = ['2021-01-04', '2022-01-03', '2023-01-03', '2024-01-03']
  await landDays(
    writer,
    lake,
    dates.map(date => day('A', date)),
  )
  const { check, until } = conditions()
  const seen: Observation[] = []
  const observe = (observation: Observation) => {
    seen.push(observation)
    check()
  }
  const state = join(folder, 'proofs')
  const open = () => {
    const remembered = rememberedProofs(state, lake, observe)
    return { remembered, proofs: openProofs({ lake, remembered, observe }) }
  }
  const kinds = () => seen.map(({ kind }) => kind)
  return { lake, writer, state, open, observe, seen, kinds, until, snapshot: await loadSnapshot(lake) }
}

test('decay that changes no times is found, and its copy and its remembered proof are dropped', async () => {
  const { lake, open, observe, seen, kinds, until, snapshot } = await fourFiles()
  const files = snapshot.files('daily_bars')
  const path = files[2]?.path ?? ''
  const disk = openDisk()
  onTestFinished(disk.close)
  await disk.watch(path)
  const { proofs, remembered } = open()
  const engine = await engineFor(
    lake,
    observation => {
      if (observation.kind === 'file_damaged') engine.store.forget(observation.file)
      observe(observation)
    },
    { storeBytesMax: 2 ** 26, guard: proofs },
  )
  onTestFinished(() => engine.close())
  const list = engine.bindFiles('daily_bars', files)
  engine.store.keep(list)
  await engine.store.settled()
  expect(engine.store.has(list)).toBe(true)
  await disk.decay(path)
  // No use of the file shows it.
  expect(proofs.check([files])).toBeNull()

  const settings = { proofs, remembered, snapshot: () => snapshot, observe, bytesASecondMax: 2 ** 30 }
  const scrub = scrubLake({ ...settings, periodMs: 1 })
  await until(() => kinds().includes('lake_scrubbed'))
  scrub.close()
  expect(() => proofs.check([files])).toThrow(files[2]?.name)
  expect(seen.filter(({ kind }) => kind === 'file_damaged')).toMatchObject([
    { dataset: 'daily_bars', days: '2023-01-03', file: files[2]?.name },
  ])
  expect(seen.find(({ kind }) => kind === 'lake_scrubbed')).toMatchObject({
    snapshot: 1,
    files: 4,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    damaged: 1,
  })
  expect(scrub.files).toBeGreaterThanOrEqual(4)
  expect(scrub.completedMs).not.toBeNull()
  proofs.close()
  await expect(open().proofs.check([files])).rejects.toMatchObject({ details: { file: files[2]?.name } })

  // A disk that returns the right bytes again is believed.
  await disk.decay(path)
  const third = files[2]
  expect(third && (await proofs.proveAgain(third))).toBe(true)
  expect(proofs.check([files])).toBeNull()
  proofs.close()
})

test('a pass is spread over its period, is continued after a restart, and reads an overdue rest at once', async () => {
  const { lake, state, open, observe, kinds, until, snapshot } = await fourFiles()
  const settings = { snapshot: () => snapshot, observe, periodMs: HOUR_MS }
  const first = open()
  const idle = scrubLake({ ...first, ...settings })
  await new Promise(setImmediate)
  expect(idle.files).toBe(0)
  idle.close()
  first.proofs.close()

  const [name = ''] = readdirSync(state)
  const stored = JSON.parse(readFileSync(join(state, name), 'utf8'))
  const { begunMs } = stored.scrub
  expect(Date.now() - begunMs).toBeLessThan(60_000)
  expect(stored).toMatchObject({ lake, scrub: { after: '', files: 0, completedMs: null } })
  // As if it had read two of the files and then stopped for hours.
  const names = snapshot
    .files('daily_bars')
    .map(each => each.name)
    .toSorted()
  const scrubbed = { ...stored.scrub, begunMs: begunMs - 2 * HOUR_MS, after: names[1], files: 2, bytes: 10 }
  writeFileSync(join(state, name), JSON.stringify({ ...stored, scrub: scrubbed }))
  const second = open()
  const late = scrubLake({ ...second, ...settings })
  await until(() => kinds().includes('lake_scrubbed'))
  expect(late.files).toBe(2)
  late.close()
  second.proofs.close()
  const { scrub } = JSON.parse(readFileSync(join(state, name), 'utf8'))
  expect(scrub).toMatchObject({ after: '', files: 0, bytes: 0, damaged: 0 })
  expect(scrub.completedMs).toBeGreaterThanOrEqual(begunMs)
})

test('a pass reads no more bytes a second than it may, and files of a newer snapshot too', async () => {
  const { lake, writer, open, observe, seen, kinds, until } = await fourFiles()
  let snapshot: Snapshot = await loadSnapshot(lake)
  const before = snapshot.files('daily_bars')
  await landDays(writer, lake, [day('A', '2024-01-04'), day('A', '2020-01-06')])
  const after = await loadSnapshot(lake)
  const { proofs, remembered } = open()
  const read: string[] = []
  const counting = {
    ...proofs,
    proveAgain: (...[file, advance]: Parameters<typeof proofs.proveAgain>) => {
      read.push(file.name)
      if (read.length === 2) snapshot = after
      return proofs.proveAgain(file, advance)
    },
  }
  const begunAt = performance.now()
  const bytesASecondMax = 100_000
  const scrub = scrubLake({
    proofs: counting,
    remembered,
    snapshot: () => snapshot,
    observe,
    periodMs: 1,
    bytesASecondMax,
  })
  await until(() => kinds().includes('lake_scrubbed'))
  const seconds = (performance.now() - begunAt) / 1000
  scrub.close()
  const names = after
    .files('daily_bars')
    .map(({ name }) => name)
    .toSorted()
  const [one = '', two = ''] = before.map(({ name }) => name).toSorted()
  const expected = [one, two, ...names.filter(name => name > two)]
  expect(read.slice(0, expected.length)).toEqual(expected)
  const pass = seen.find(observation => observation.kind === 'lake_scrubbed')
  expect(pass).toMatchObject({ snapshot: after.number, damaged: 0 })
  const bytes = pass?.kind === 'lake_scrubbed' ? pass.bytes : 0
  expect(seconds).toBeGreaterThanOrEqual((bytes / bytesASecondMax) * 0.9)
})

test('a scrub that ends while it reads a file does not count the file as damaged', async () => {
  const { open, observe, seen, snapshot } = await fourFiles()
  const { proofs, remembered } = open()
  let started = () => {}
  const reading = new Promise<void>(resolve => {
    started = resolve
  })
  const slow = {
    proveAgain: (...[file, advance]: Parameters<typeof proofs.proveAgain>) =>
      proofs.proveAgain(file, bytes => {
        started()
        return advance?.(bytes)
      }),
  }
  const scrub = scrubLake({
    proofs: slow,
    remembered,
    snapshot: () => snapshot,
    observe,
    periodMs: 1,
    bytesASecondMax: 1,
  })
  await reading
  scrub.close()
  await proofs.check([snapshot.files('daily_bars')])
  expect(proofs.damaged()).toEqual([])
  expect(seen).toEqual([])
})
