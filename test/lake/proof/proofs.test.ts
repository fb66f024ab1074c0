import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readHeld } from '../../../src/engine/file-lists.ts'
import type { Observation } from '../../../src/engine/observation.ts'
import { openProofs } from '../../../src/lake/proof/proofs.ts'
import { rememberedProofs } from '../../../src/lake/proof/remembered.ts'
import { stampOf } from '../../../src/lake/stamp/stamp.ts'
import type { LakeFile } from '../../../src/lake/store/prune.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { engineFor } from '../../fixtures/service.ts'
import { day, landDays, writerForTest } from '../store/days.ts'
import { DAMAGES, keepContent } from './damages.ts'

const patient = new AbortController().signal
const silent = () => {}

/** A lake with three files, and proofs that end with the process unless a folder is given. */
async function threeFiles() {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  const writer = await writerForTest(lake)
  const dates = ['2022-01-03', '2023-01-03', '2024-01-03']
  await landDays(
    writer,
    lake,
    dates.map(date => day('A', date)),
  )
  const snapshot = await loadSnapshot(lake)
  const seen: Observation[] = []
  const observe = (observation: Observation) => void seen.push(observation)
  const open = (state?: string) =>
    openProofs({
      lake,
      remembered: state === undefined ? null : rememberedProofs(state, lake, observe),
      observe,
    })
  return { folder, lake, writer, snapshot, files: snapshot.files('daily_bars'), open, seen }
}

test('a file that was looked at just before is not looked at again', async () => {
  const { files, open } = await threeFiles()
  const proofs = open()
  const looked = new Set<LakeFile>()
  // Files that are being proved are not known to be what they should be.
  const first = proofs.check([files], looked)
  expect(looked.size).toBe(0)
  await first
  expect(proofs.check([files], looked)).toBeNull()
  expect([...looked]).toEqual(files)
  utimesSync(files[1]?.path ?? '', 1, 1)
  expect(proofs.check([files], looked)).toBeNull()
  await expect(proofs.check([files], new Set())).resolves.toBeUndefined()
  expect(proofs.check([files])).toBeNull()
})

test('a file is read once, and again when its stamp has changed', async () => {
  const { files, open } = await threeFiles()
  const proofs = open()
  expect(files).toHaveLength(3)
  const first = proofs.check([files])
  expect(first).not.toBeNull()
  await first
  expect(proofs.check([files])).toBeNull()
  utimesSync(files[1]?.path ?? '', 1, 1)
  const again = proofs.check([files])
  expect(again).not.toBeNull()
  await again
  expect(proofs.check([files])).toBeNull()
})

test('proofs outlive the process, and each process adds its own', async () => {
  const { files, folder, lake, open } = await threeFiles()
  const state = join(folder, 'state', 'proofs')
  const [one, two, three] = files
  if (one === undefined || two === undefined || three === undefined) throw new Error('three files')
  const [first, second] = [open(state), open(state)]
  await first.check([[one]])
  await second.check([[two]])
  first.close()
  second.close()
  const [name = ''] = readdirSync(state)
  expect(readdirSync(lake).some(entry => entry.includes('proof'))).toBe(false)
  expect(statSync(join(state, name)).mode & 0o077).toBe(0)

  const third = open(state)
  expect(third.check([[one], [two]])).toBeNull()
  const unknown = third.check([[three]])
  expect(unknown).not.toBeNull()
  await unknown

  // Another content with the same size and times has another time of change.
  DAMAGES['a bit flips, and the times are set back']?.(one.path, '')
  await expect(open(state).check([[one]])).rejects.toMatchObject({ code: 'lake_damaged' })

  writeFileSync(join(state, name), readFileSync(join(state, name)).subarray(0, 100))
  const forgotten = open(state).check([[two]])
  expect(forgotten).not.toBeNull()
  await forgotten
})

test('the proofs that were made longest ago are forgotten, and a folder that cannot be written is reported once', async () => {
  const { files, folder, lake, seen, open } = await threeFiles()
  const state = join(folder, 'state')
  const remembered = rememberedProofs(state, lake, silent, 2)
  const stamps = files.map(({ path }) => stampOf(path))
  for (const [index, { path, sha256 }] of files.entries()) {
    const stamp = stamps[index]
    if (stamp) remembered.add(path, stamp, sha256)
  }
  remembered.save()
  const later = rememberedProofs(state, lake, silent)
  const held = files.map(({ path, sha256 }, index) => {
    const stamp = stamps[index]
    return stamp ? later.has(path, stamp, sha256) : null
  })
  expect(held).toEqual([false, true, true])

  const taken = join(folder, 'taken')
  writeFileSync(taken, '')
  const proofs = open(taken)
  await proofs.check([files])
  proofs.close()
  proofs.close()
  expect(seen.map(({ kind }) => kind)).toEqual(['notice'])
})

test('many requests for a file share one proof, and a quarantined file is not read again', async () => {
  const { files, open, seen } = await threeFiles()
  const proofs = open()
  DAMAGES['a bit flips in the middle']?.(files[0]?.path ?? '', '')
  const refused = await Promise.allSettled(Array.from({ length: 50 }, () => proofs.check([files])))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(proofs.failures).toBe(1)
  expect(() => proofs.check([files])).toThrow(files[0]?.name)
  expect(proofs.failures).toBe(1)
  expect(seen).toMatchObject([
    { kind: 'file_damaged', dataset: 'daily_bars', days: '2022-01-03', file: files[0]?.name },
  ])
  expect(proofs.damaged()).toHaveLength(1)
  proofs.release(({ name }) => name !== files[0]?.name)
  expect(proofs.damaged()).toEqual([])
  proofs.close()
})

test('a file that is reached by a link to outside the lake is refused, also when its proof is remembered', async () => {
  const { files, folder, lake, open } = await threeFiles()
  const state = join(folder, 'state')
  const first = open(state)
  await first.check([files])
  first.close()
  const [one, two, three] = files
  if (one === undefined || two === undefined || three === undefined) throw new Error('three files')
  const linkTo = (target: string, path: string) => {
    renameSync(path, target)
    symlinkSync(target, path)
  }
  linkTo(join(folder, 'moved.parquet'), one.path)
  // The stamps of what is in a folder stay as they are.
  linkTo(join(folder, 'moved'), dirname(two.path))
  linkTo(join(lake, 'within.parquet'), three.path)
  const proofs = open(state)
  for (const file of [one, two])
    await expect((async () => proofs.check([[file]]))()).rejects.toMatchObject({
      code: 'lake_damaged',
      message: expect.stringContaining('by a symbolic link to outside the lake'),
    })
  await proofs.check([[three]])

  // The lake itself may be a link.
  const alias = join(folder, 'alias')
  symlinkSync(lake, alias)
  const throughAlias = openProofs({ lake: alias, remembered: null, observe: silent })
  await throughAlias.check([[{ ...three, path: three.path.replace(lake, alias) }]])
})

test('what was read from a file that changed meanwhile is read again, or fails', async () => {
  const { files, open } = await threeFiles()
  const proofs = open()
  const path = files[0]?.path ?? ''
  const mend = keepContent(path)
  let reads = 0
  const read = async () => {
    reads += 1
    if (reads === 1) {
      DAMAGES['a bit flips in the middle']?.(path, '')
      mend()
    }
    return reads
  }
  expect(await readHeld(proofs, files, patient, read)).toBe(2)
  const damaging = async () => DAMAGES['the end is lost']?.(path, '')
  await expect(readHeld(proofs, files, patient, damaging)).rejects.toMatchObject({
    code: 'lake_damaged',
    details: { file: files[0]?.name },
  })
  mend()
  const failing = () => Promise.reject(new Error('own'))
  await expect(readHeld(proofs, files, patient, failing)).rejects.toThrow('own')
  proofs.close()
})

test('a file that a publish has moved is proved where it is', async () => {
  const { lake, writer, files, open } = await threeFiles()
  const proofs = open()
  await proofs.check([files])
  await landDays(writer, lake, [day('A', '2022-01-03', '2')])
  await proofs.check([files])
  expect(proofs.check([files])).toBeNull()
  expect(proofs.damaged()).toEqual([])
})

test('the store copies no damaged file, and drops the copies of one that has failed', async () => {
  const { lake, files, open } = await threeFiles()
  const engine = await engineFor(lake, silent, { storeBytesMax: 2 ** 26, guard: open() })
  onTestFinished(() => engine.close())
  const path = files[0]?.path ?? ''
  const mend = keepContent(path)
  DAMAGES['a bit flips in the middle']?.(path, '')
  const list = engine.bindFiles('daily_bars', files)
  engine.store.keep(list)
  await engine.store.settled()
  expect(engine.store.has(list)).toBe(false)
  mend()
  engine.store.keep(list)
  await engine.store.settled()
  expect(engine.store.has(list)).toBe(true)
  engine.store.forget(files[1]?.name ?? '')
  expect([engine.store.has(list), engine.store.tables]).toEqual([false, 0])
})

test('files outside the lake are as they were when they were first used', async () => {
  const { folder, files, open } = await threeFiles()
  const [file] = files
  if (file === undefined) throw new Error('a file')
  const path = join(folder, 'own', file.name)
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(file.path, path)
  const proofs = open()
  expect(proofs.check([[{ ...file, path }]])).toBeNull()
  DAMAGES['the end is lost']?.(path, '')
  await expect(proofs.check([[{ ...file, path }]])).rejects.toMatchObject({ code: 'lake_damaged' })
  proofs.close()
})
