import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { dropFromKept } from '../../../src/lake/maintain/drop.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { keepSnapshot, keptSnapshots, releaseSnapshot } from '../../../src/lake/snapshots/kept.ts'
import { restoreSnapshot } from '../../../src/lake/snapshots/restore.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { killing } from '../publish/killed.ts'
import { DAILY_BARS, day, landDays, silent, storedDays } from '../store/days.ts'

const { folder, writers, killEverywhere } = killing()

/** Snapshot 1 has a row, snapshot 2 another one. */
async function twoSnapshots(name: string): Promise<string> {
  const [writer] = writers as [Writer]
  const lake = join(folder, name)
  await landDays(writer, lake, [day('A', '2024-01-02')])
  await landDays(writer, lake, [day('A', '2024-01-03')])
  return lake
}

test('killed at each step of keeping, a lake keeps the snapshot or does not', async () => {
  const before = await twoSnapshots('keep')
  const script = (lake: string) =>
    `import { keepSnapshot } from './dist/lake/snapshots/kept.js'
     await keepSnapshot('${lake}', 'report', 1)`
  const seen = new Set<number>()
  const steps = await killEverywhere(before, script, async (_writer, lake, step) => {
    const kept = await keptSnapshots(lake)
    expect([[], [{ name: 'report', snapshot: 1 }]], step).toContainEqual(kept)
    seen.add(kept.length)
    // The next command goes on: it keeps the snapshot, or releases the name.
    if (kept.length === 0) await keepSnapshot(lake, 'report', 1)
    else await releaseSnapshot(lake, 'report')
    expect((await keptSnapshots(lake)).length, step).toBe(1 - kept.length)
    await landDays(writers[0] as Writer, lake, [day('B', '2024-01-03')])
    expect(existsSync(join(lake, '.staging')), step).toBe(false)
  })
  expect(seen).toEqual(new Set([0, 1]))
  const link = steps.indexOf('after link report.json')
  expect(steps.slice(0, link)).toContain('after fsync kept.json')
  expect(steps.slice(link)).toContain('after fsync folder kept')
})

test('killed at each step of restoring, a lake holds the state before or the one that is restored', {
  tags: 'slow',
}, async () => {
  const before = await twoSnapshots('restore')
  const rows = { old: ['A 2024-01-02 1', 'A 2024-01-03 1'], fresh: ['A 2024-01-02 1'] }
  const script = (lake: string) =>
    `import { restoreSnapshot } from './dist/lake/snapshots/restore.js'
     await restoreSnapshot('${lake}', 1)`
  const seen = new Set<number>()
  await killEverywhere(before, script, async (writer, lake, step) => {
    const current = (await readCurrent(lake)) ?? 0
    seen.add(current)
    expect(await storedDays(writer, lake), step).toEqual(current === 2 ? rows.old : rows.fresh)
    expect(await storedDays(writer, lake, {}, 2), step).toEqual(rows.old)
    expect(await verify(writer, lake, silent), step).toMatchObject({ problems: [] })
    await restoreSnapshot(lake, 1)
    expect(await storedDays(writer, lake), step).toEqual(rows.fresh)
  })
  expect(seen).toEqual(new Set([2, 3]))
})

test('killed at each step of dropping rows from a kept snapshot, it has them all or none of them', {
  tags: 'slow',
}, async () => {
  const [writer] = writers as [Writer]
  const before = join(folder, 'drop-kept')
  await landDays(writer, before, [day('A', '2024-01-02'), day('B', '2024-01-02')])
  await keepSnapshot(before, 'report', 1)
  await landDays(writer, before, [day('A', '2024-01-03')])
  const rows = {
    now: ['A 2024-01-02 1', 'A 2024-01-03 1', 'B 2024-01-02 1'],
    old: ['A 2024-01-02 1', 'B 2024-01-02 1'],
    fresh: ['B 2024-01-02 1'],
  }
  const selection = { dataset: DAILY_BARS, tickers: ['A'], before: null }
  const script = (lake: string) =>
    `import { openWriter } from './dist/engine/writer.js'
     import { dropFromKept } from './dist/lake/maintain/drop.js'
     import { dataset } from './dist/lake/store/datasets.js'
     const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
     const selection = { dataset: dataset('daily_bars'), tickers: ['A'], before: null }
     await dropFromKept(writer, '${lake}', [selection], 'drop', () => {})
     writer.close()`
  const seen = new Set<number>()
  await killEverywhere(before, script, async (own, lake, step) => {
    const kept = await storedDays(own, lake, {}, 1)
    expect([rows.old, rows.fresh], step).toContainEqual(kept)
    seen.add(kept.length)
    expect(await storedDays(own, lake), step).toEqual(rows.now)
    await dropFromKept(own, lake, [selection], 'drop', silent)
    expect(await storedDays(own, lake, {}, 1), step).toEqual(rows.fresh)
    expect(await storedDays(own, lake), step).toEqual(rows.now)
    expect(await verify(own, lake, silent), step).toMatchObject({ problems: [] })
  })
  expect(seen).toEqual(new Set([rows.old.length, rows.fresh.length]))
})
