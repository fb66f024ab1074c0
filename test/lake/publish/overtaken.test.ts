import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Writer } from '../../../src/engine/writer.ts'
import { compact } from '../../../src/lake/maintain/compact.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { requireRecord } from '../../../src/lake/store/record.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { day, landDays, partitionsOf, silent, storedDays, writerForTest } from '../store/days.ts'

async function smallLake() {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await landDays(writer, lake, [day('A', '2024-01-02', '1')])
  return { lake, writer }
}

/** A writer during whose first COPY of each attempt `race` runs, up to `times` times; and its COPY statements. */
function raced(writer: Writer, race: (time: number) => Promise<unknown>, times = 1) {
  const copies: string[] = []
  let races = 0
  let isRacing = false
  const slow: Writer = {
    ...writer,
    async run(sql, bindings) {
      if (sql.startsWith('COPY')) {
        copies.push(sql)
        if (!isRacing && races < times) {
          races += 1
          isRacing = true
          await race(races).finally(() => {
            isRacing = false
          })
        }
      }
      await writer.run(sql, bindings)
    },
  }
  return { slow, copies }
}

test('of two writers at once both publish their rows, and the later one repeats only what the first has changed', async () => {
  const { lake, writer } = await smallLake()
  const rival = await writerForTest(lake)
  // The rival starts after this writer chose its base, and is done before it publishes.
  const { slow, copies } = raced(writer, () =>
    landDays(rival, lake, [day('B', '2024-01-02', '2'), day('B', '2024-01-03', '2')]),
  )
  const own = [day('C', '2024-01-02', '3'), day('C', '2024-01-04', '3')]
  const inputs = ['c'.repeat(64)]
  expect(await landDays(slow, lake, own, inputs)).toMatchObject({
    rows: 2,
    snapshot: 3,
    published: true,
  })
  expect(await storedDays(writer, lake)).toEqual([
    'A 2024-01-02 1',
    'B 2024-01-02 2',
    'B 2024-01-03 2',
    'C 2024-01-02 3',
    'C 2024-01-04 3',
  ])
  expect(await partitionsOf(lake)).toEqual(['2024-01-02', '2024-01-03', '2024-01-04'])
  // The two days of the first attempt, and the second of January again.
  expect(copies).toHaveLength(3)
  expect((await requireRecord(lake, 3)).changes).toEqual({
    daily_bars: { added: 2, replaced: 0, removed: 0 },
  })
  expect(await verify(writer, lake, silent)).toMatchObject({ files: 3, problems: [] })
  expect(existsSync(join(lake, '.staging'))).toBe(false)
  // Both files are known now.
  expect(await landDays(writer, lake, own, inputs)).toMatchObject({ published: false })
})

test('rows of the same keys: the later writer replaces those of the first', async () => {
  const { lake, writer } = await smallLake()
  const rival = await writerForTest(lake)
  const { slow } = raced(writer, () =>
    landDays(rival, lake, [day('A', '2024-01-02', '2'), day('B', '2024-01-02', '2')]),
  )
  await landDays(slow, lake, [day('A', '2024-01-02', '3')])
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 3', 'B 2024-01-02 2'])
})

test('files that both import are imported once', async () => {
  const { lake, writer } = await smallLake()
  const rival = await writerForTest(lake)
  const rows = [day('B', '2024-01-02'), day('B', '2024-01-03')]
  const { slow } = raced(writer, () => landDays(rival, lake, rows, ['b'.repeat(64)]))
  expect(await landDays(slow, lake, rows, ['b'.repeat(64)])).toMatchObject({
    snapshot: 2,
    published: false,
    rows: 0,
  })
  expect(await readCurrent(lake)).toBe(2)
})

test('a partition that the first writer has absorbed is written again', async () => {
  const { lake, writer } = await smallLake()
  for (const date of ['2024-01-31', '2024-02-01']) await landDays(writer, lake, [day('A', date)])
  const rival = await writerForTest(lake)
  const { slow } = raced(writer, () => compact(rival, lake, silent))
  await landDays(slow, lake, [day('C', '2024-01-31', '3'), day('C', '2024-02-02', '3')])
  expect(await storedDays(writer, lake)).toEqual([
    'A 2024-01-02 1',
    'A 2024-01-31 1',
    'A 2024-02-01 1',
    'C 2024-01-31 3',
    'C 2024-02-02 3',
  ])
  expect(await partitionsOf(lake)).toEqual(['2024-01', '2024-02-01', '2024-02-02'])
})

test('a merge of partitions keeps the rows that another writer adds to them meanwhile', async () => {
  const { lake, writer } = await smallLake()
  for (const date of ['2024-01-31', '2024-02-01', '2024-02-29', '2024-03-01'])
    await landDays(writer, lake, [day('A', date)])
  const rival = await writerForTest(lake)
  const { slow, copies } = raced(writer, () => landDays(rival, lake, [day('B', '2024-01-02', '2')]))
  await compact(slow, lake, silent)
  expect((await storedDays(writer, lake)).length).toBe(6)
  expect(await storedDays(writer, lake)).toContain('B 2024-01-02 2')
  expect(await partitionsOf(lake)).toEqual(['2024-01', '2024-02', '2024-03-01'])
  // January and February, and January again.
  expect(copies).toHaveLength(3)
})

test('a writer that others overtake again and again gives up and says so', async () => {
  const { lake, writer } = await smallLake()
  const rival = await writerForTest(lake)
  const { slow } = raced(
    writer,
    time => landDays(rival, lake, [day('B', '2024-01-02', String(time))]),
    Number.POSITIVE_INFINITY,
  )
  await expect(landDays(slow, lake, [day('C', '2024-01-02')], [], { repeats: 2 })).rejects.toMatchObject({
    code: 'lake_conflict',
    message:
      'another command published snapshot 4 in the meantime, so this one published nothing: run it again',
  })
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'B 2024-01-02 3'])
  expect(existsSync(join(lake, '.staging'))).toBe(false)
})

test('a writer so slow that the snapshot before its own was vacuumed away builds on the current one', async () => {
  const { lake, writer } = await smallLake()
  const rival = await writerForTest(lake)
  const { slow } = raced(writer, async () => {
    for (const close of ['2', '3']) await landDays(rival, lake, [day('B', '2024-01-02', close)])
    rmSync(join(lake, 'snapshots', '2.json'))
  })
  await landDays(slow, lake, [day('C', '2024-01-02')])
  expect(await readCurrent(lake)).toBe(4)
  expect(await storedDays(writer, lake)).toEqual(['A 2024-01-02 1', 'B 2024-01-02 3', 'C 2024-01-02 1'])
})

test('of two first imports into one folder, both are in the lake', async () => {
  const lake = join(folderForTest(), 'lake')
  const writers = [await writerForTest(lake), await writerForTest(lake)]
  await Promise.all(
    writers.map((writer, index) => landDays(writer, lake, [day('A', `2024-01-0${index + 2}`)])),
  )
  expect(await readCurrent(lake)).toBe(2)
  expect(await storedDays(writers[0] as Writer, lake)).toEqual(['A 2024-01-02 1', 'A 2024-01-03 1'])
})
