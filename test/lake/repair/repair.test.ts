import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openWriter, type Writer } from '../../../src/engine/writer.ts'
import { drop } from '../../../src/lake/maintain/drop.ts'
import { type Verification, verify } from '../../../src/lake/maintain/verify.ts'
import { neededImports, repair } from '../../../src/lake/repair/repair.ts'
import { settleRestored } from '../../../src/lake/repair/restore.ts'
import { dataset as datasetOf } from '../../../src/lake/store/datasets.ts'
import { findDerivation } from '../../../src/lake/store/derivation.ts'
import { entriesOf, requireRecord } from '../../../src/lake/store/record.ts'
import { allFiles, type LakeFile, loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest, temporaryFolder } from '../../fixtures/lake.ts'
import { importOptionDays } from '../../fixtures/option-days.ts'
import { amount, sampleOf } from '../../fixtures/tier.ts'
import { DAMAGES } from '../proof/damages.ts'
import { silent } from '../store/days.ts'

const root = temporaryFolder()
const DAYS = ['2024-01-10', '2024-01-11', '2024-01-12']
let whole: string
let files: readonly LakeFile[]
let right: Verification
let writer: Writer
const importInto = (folder: string) =>
  importOptionDays(
    folder,
    DAYS.map((date, index) => ({ date, trades: { ACME: 5 + index }, chain: { ACME: 9 } })),
  )
beforeAll(async () => {
  whole = await importInto(root)
  writer = await openWriter({ directories: [root], threads: 1 })
  files = allFiles(await loadSnapshot(whole))
  right = await verify(writer, whole, silent)
  expect(right.problems).toEqual([])
})
afterAll(() => {
  writer.close()
  rmSync(root, { recursive: true, force: true })
})

let copies = 0
/** A copy of the lake for one test. */
function copyOf(lake = whole): string {
  copies += 1
  const copy = join(root, `copy-${copies}`)
  cpSync(lake, copy, { recursive: true })
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  return copy
}

const isDerived = ({ dataset }: { dataset: string }) => findDerivation(dataset) !== undefined
const fileOf = (dataset: string, date: string) => {
  const file = files.find(each => each.dataset === dataset && each.dates[0] === date)
  if (file === undefined) throw new Error(`no ${dataset} of ${date}`)
  return file
}
const damage = (lake: string, file: LakeFile, name: string) => {
  const other = files.find(each => each.dataset === file.dataset && each.name !== file.name)
  DAMAGES[name]?.(join(lake, file.name), join(lake, other?.name ?? ''))
}

const repairNow = async (lake: string, from: string | null = null) =>
  repair(writer, lake, await verify(writer, lake, silent), from, silent)

/** The lake has the same rows as before, and no defect. */
async function expectRight(lake: string): Promise<void> {
  const { problems, stale, datasets } = await verify(writer, lake, silent)
  expect({ problems, stale, datasets }).toEqual({
    problems: [],
    stale: new Map(),
    datasets: right.datasets,
  })
}

const kinds = Object.keys(DAMAGES)

describe.each(sampleOf(kinds, amount({ test: 1, prove: kinds.length, long: kinds.length })))(
  'if of a file %s',
  name => {
    test('it is restored from a replica, to the byte, without a new snapshot', async () => {
      const lake = copyOf()
      const file = fileOf('option_trades', DAYS[0] ?? '')
      damage(lake, file, name)
      expect((await verify(writer, lake, silent)).problems.length).toBeGreaterThan(0)
      const { restored, derived, snapshot } = await repairNow(lake, whole)
      expect(restored).toContain(file.name)
      expect([derived, snapshot]).toEqual([[], right.snapshot])
      for (const each of files)
        expect(readFileSync(join(lake, each.name)).equals(readFileSync(join(whole, each.name)))).toBe(true)
      expect(existsSync(join(lake, '.staging'))).toBe(false)
      await expectRight(lake)
    })

    test('it is derived again from what it is made of', async () => {
      const lake = copyOf()
      const file = fileOf('contract_days', DAYS[1] ?? '')
      damage(lake, file, name)
      const { restored, derived, snapshot } = await repairNow(lake)
      expect(restored).toEqual([])
      expect(derived).toContainEqual(
        expect.objectContaining({
          dataset: 'contract_days',
          computed: expect.arrayContaining([DAYS[1]]),
          dropped: [],
        }),
      )
      expect(snapshot).toBe(right.snapshot + 1)
      await expectRight(lake)
    })
  },
)

test('all files of all derived datasets are derived again at once', async () => {
  const lake = copyOf()
  for (const file of files.filter(isDerived)) damage(lake, file, 'a bit flips in the middle')
  await repairNow(lake)
  await expectRight(lake)
})

test('what is derived from a damaged file is not derived again, and the file stays as it is', {
  tags: 'slow',
}, async () => {
  const lake = copyOf()
  const [source, derived] = [
    fileOf('option_trades', DAYS[0] ?? ''),
    fileOf('contract_days', DAYS[0] ?? ''),
  ] as const
  for (const file of [source, derived]) damage(lake, file, 'a bit flips in the middle')
  const damaged = readFileSync(join(lake, source.name))
  expect(await repairNow(lake)).toEqual({ restored: [], derived: [], snapshot: right.snapshot })
  expect(readFileSync(join(lake, source.name)).equals(damaged)).toBe(true)
  const found = await verify(writer, lake, silent)
  expect(found.problems.map(({ file }) => file)).toEqual([derived.name, source.name].toSorted())
  expect(await neededImports(lake, found)).toMatchObject([
    {
      dataset: 'option_trades',
      files: [source.name],
      inputs: [{ file: { format: 'csv-option_trades', name: 'option_trades.csv' } }],
    },
  ])
  // With a replica that has the source alone.
  const replica = copyOf()
  rmSync(join(replica, derived.name))
  expect((await repairNow(lake, replica)).restored).toEqual([source.name])
  await expectRight(lake)
})

test('a lake into which the same inputs are imported again is a replica', { tags: 'slow' }, async () => {
  const lake = copyOf()
  const folder = join(root, 'again')
  mkdirSync(folder)
  const again = await importInto(folder)
  for (const file of files.filter(each => !isDerived(each))) damage(lake, file, 'nothing is left of it')
  await repairNow(lake, again)
  await expectRight(lake)
})

test('a replica that is damaged too is not used', async () => {
  const [lake, replica] = [copyOf(), copyOf()]
  const file = fileOf('option_trades', DAYS[2] ?? '')
  damage(lake, file, 'the end is lost')
  const found = await verify(writer, lake, silent)
  for (const name of kinds) {
    damage(replica, file, name)
    expect((await repair(writer, lake, found, replica, silent)).restored, name).toEqual([])
    cpSync(whole, replica, { recursive: true })
  }
  expect((await verify(writer, lake, silent)).problems).toHaveLength(1)
})

test('damaged manifests are restored, with the files that they name, or computed again', async () => {
  const entries = entriesOf(await requireRecord(whole, right.snapshot))
  for (const dataset of ['option_trades', 'contract_days']) {
    const lake = copyOf()
    const { manifest } = entries.find(each => each.dataset === dataset) ?? { manifest: '' }
    writeFileSync(
      join(lake, manifest),
      readFileSync(join(lake, manifest), 'utf8').replace('"rows":', '"rows": '),
    )
    const file = fileOf(dataset, manifest.split('/')[2] ?? '')
    damage(lake, file, 'a bit flips in the middle')
    if (isDerived(file)) await repairNow(lake)
    else {
      expect((await repairNow(lake)).restored).toEqual([])
      const found = await verify(writer, lake, silent)
      expect(await neededImports(lake, found)).toEqual([{ dataset, files: [manifest], inputs: null }])
      expect((await repairNow(lake, whole)).restored).toEqual([manifest, file.name])
    }
    await expectRight(lake)
  }
})

test('a file that another command has replaced meanwhile goes to those of earlier snapshots', {
  tags: 'slow',
}, async () => {
  const lake = copyOf()
  const file = fileOf('option_trades', DAYS[0] ?? '')
  const base = { lake, staging: join(lake, '.staging'), number: right.snapshot, record: null }
  await settleRestored(base, [file.name])
  expect(existsSync(join(lake, file.name))).toBe(true)

  const selection = { dataset: datasetOf('option_trades'), tickers: null, before: DAYS[1] ?? '' }
  await drop(writer, lake, [selection], 'drop', silent)
  expect(existsSync(join(lake, file.name))).toBe(false)
  // As if it had been restored to the place from which the damaged one was just moved away.
  cpSync(join(whole, file.name), join(lake, file.name), { recursive: true })
  writeFileSync(join(lake, 'superseded', file.name), 'damaged')
  await settleRestored(base, [file.name])
  expect(existsSync(join(lake, file.name))).toBe(false)
  expect(readFileSync(join(lake, 'superseded', file.name)).length).toBe(file.bytes)
  expect((await verify(writer, lake, silent)).problems).toEqual([])
})

test('--from must be another lake', async () => {
  const lake = copyOf()
  damage(lake, fileOf('option_trades', DAYS[0] ?? ''), 'it is deleted')
  await expect(repairNow(lake, lake)).rejects.toMatchObject({ code: 'usage' })
  await expect(repairNow(lake, folderForTest())).rejects.toMatchObject({ code: 'usage' })
})
