import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { importFiles } from '../../../src/lake/import/import.ts'
import { undoImport } from '../../../src/lake/imports/undo.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { flatDay, makeLake } from '../../fixtures/lake.ts'
import { killing } from '../publish/killed.ts'
import { silent, storedDays } from '../store/days.ts'

const { folder, killEverywhere } = killing()

test('killed at each step of an undo, a lake has the rows before it or after it, and can do it again', async () => {
  const days = [flatDay('A', '2024-01-02', '1'), flatDay('B', '2024-01-03', '1')]
  const before = await makeLake(folder, { days })
  const path = join(folder, 'wrong.csv')
  writeFileSync(path, 'Date,Open,High,Low,Close,Volume,Name\n2024-01-02,9,9,9,9,10,A\n')
  await importFiles({ format: 'daily-bars', inputs: [path], lake: before, observe: silent })
  const script = (lake: string) =>
    `import { openWriter } from './dist/engine/writer.js'
     import { undoImport } from './dist/lake/imports/undo.js'
     const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
     await undoImport(writer, '${lake}', 2, () => {})
     writer.close()`
  const [wrong, right] = [
    ['A 2024-01-02 9', 'B 2024-01-03 1'],
    ['A 2024-01-02 1', 'B 2024-01-03 1'],
  ]
  const seen = new Set<string | undefined>()
  await killEverywhere(before, script, async (writer: Writer, lake, step) => {
    const rows = await storedDays(writer, lake)
    seen.add(rows[0])
    expect([wrong, right], step).toContainEqual(rows)
    const again = await undoImport(writer, lake, 2, silent).catch((thrown: unknown) => thrown)
    if (rows[0] === right[0]) expect(again, step).toMatchObject({ code: 'undo_refused' })
    expect(await storedDays(writer, lake), step).toEqual(right)
    const found = await verify(writer, lake, silent)
    expect([found.problems, found.stale], step).toEqual([[], new Map()])
  })
  expect(seen).toEqual(new Set([wrong[0], right[0]]))
})
