import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { drop } from '../../../src/lake/maintain/drop.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { flatDay, makeLake } from '../../fixtures/lake.ts'
import { killing } from '../publish/killed.ts'
import { DAILY_BARS, silent, storedDays } from '../store/days.ts'

const { folder, killEverywhere } = killing()

test('killed at each step of dropping rows, a lake holds all of them or none, and what is derived fits', {
  tags: 'slow',
}, async () => {
  const before = await makeLake(join(folder), {
    days: [flatDay('A', '2024-01-02', '1'), flatDay('B', '2024-01-02', '1'), flatDay('A', '2024-01-03', '1')],
  })
  const script = (lake: string) =>
    `import { openWriter } from './dist/engine/writer.js'
     import { drop } from './dist/lake/maintain/drop.js'
     import { dataset } from './dist/lake/store/datasets.js'
     const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
     const selection = { dataset: dataset('daily_bars'), tickers: ['A'], before: null }
     await drop(writer, '${lake}', [selection], 'drop', () => {})
     writer.close()`
  const seen = new Set<number>()
  await killEverywhere(before, script, async (writer: Writer, lake, step) => {
    const rows = await storedDays(writer, lake)
    seen.add(rows.length)
    const old = ['A 2024-01-02 1', 'A 2024-01-03 1', 'B 2024-01-02 1']
    expect([old, ['B 2024-01-02 1']], step).toContainEqual(rows)
    const found = await verify(writer, lake, silent)
    expect([found.problems, found.stale], step).toEqual([[], new Map()])
    await drop(writer, lake, [{ dataset: DAILY_BARS, tickers: ['A'], before: null }], 'drop', silent)
    expect(await storedDays(writer, lake), step).toEqual(['B 2024-01-02 1'])
  })
  expect(seen).toEqual(new Set([3, 1]))
})
