import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { importFiles } from '../../../src/lake/import/import.ts'
import { openProofs } from '../../../src/lake/proof/proofs.ts'
import { provePublished } from '../../../src/lake/proof/published.ts'
import { rememberedProofs } from '../../../src/lake/proof/remembered.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'
import { day, landDays, silent, writerForTest } from '../store/days.ts'
import { DAMAGES, keepContent } from './damages.ts'

test('rows of a damaged file are not written to new files', async () => {
  const folder = folderForTest()
  const lake = await makeLake(folder, { days: [flatDay('A', '2024-01-02', '1')] })
  const snapshot = await loadSnapshot(lake)
  const [file] = snapshot.files('daily_bars')
  const mend = keepContent(file?.path ?? '')
  const path = join(folder, 'more.csv')
  writeFileSync(path, `Date,Open,High,Low,Close,Adj Close,Volume,Name\n${flatDay('B', '2024-01-02', '2')}\n`)
  const importing = () => importFiles({ format: 'daily-bars', inputs: [path], lake, observe: silent })
  for (const name of ['a bit flips in the middle', 'it is deleted']) {
    DAMAGES[name]?.(file?.path ?? '', '')
    await expect(importing()).rejects.toMatchObject({
      code: 'lake_damaged',
      details: { dataset: 'daily_bars', days: '2024-01-02', file: file?.name },
    })
    mend()
  }
  expect((await loadSnapshot(lake)).number).toBe(snapshot.number)
  expect((await importing()).rows).toBe(1)
})

test('what a command has published is proved for the next process', async () => {
  const folder = folderForTest()
  const [lake, state] = [join(folder, 'lake'), join(folder, 'proofs')]
  const open = () => {
    const proofs = openProofs({ lake, remembered: rememberedProofs(state, lake, silent), observe: silent })
    onTestFinished(proofs.close)
    return proofs
  }
  const writer = await writerForTest(lake, { guard: open() })
  await landDays(writer, lake, [day('A', '2023-01-03'), day('A', '2024-01-03')])
  const first = open()
  await provePublished(first, lake, null)
  first.close()
  await landDays(writer, lake, [day('A', '2024-01-04')])
  const files = (await loadSnapshot(lake)).files('daily_bars')
  const isKnown = () => files.map(file => open().check([[file]]) === null)
  expect(isKnown()).toEqual([true, true, false])

  const second = open()
  await provePublished(second, lake, 1)
  second.close()
  expect(isKnown()).toEqual([true, true, true])
  // Proved is what was read, not what was meant to be written.
  await landDays(writer, lake, [day('A', '2024-01-05')])
  const last = (await loadSnapshot(lake)).files('daily_bars').at(-1)
  DAMAGES['a bit flips in the middle']?.(last?.path ?? '', '')
  await expect(provePublished(open(), lake, 2)).rejects.toMatchObject({ code: 'lake_damaged' })
})
