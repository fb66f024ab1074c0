import { expect, onTestFinished, test } from 'vitest'
import { keepNewest } from '../../../src/api/process/keep-newest.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { engineFor } from '../../fixtures/service.ts'
import { day, landDays, writerForTest } from '../../lake/store/days.ts'

/** Snapshots of a lake that gets a file a year, and a store of their lists. */
async function growing() {
  const lake = folderForTest()
  const writer = await writerForTest(lake)
  const engine = await engineFor(lake, () => {}, { storeBytesMax: 2 ** 26 })
  onTestFinished(() => engine.close())
  const published = async (date: string, ticker = 'A') => {
    await landDays(writer, lake, [day(ticker, date)])
    return loadSnapshot(lake)
  }
  type Published = Awaited<ReturnType<typeof published>>
  const all = (snapshot: Published) => engine.bindFiles('daily_bars', snapshot.files('daily_bars'))
  const newest = (snapshot: Published) => {
    const last = snapshot.lastDate('daily_bars') ?? ''
    return engine.bindFiles('daily_bars', snapshot.files('daily_bars', { from: last, to: last }))
  }
  const followed = async (before: Published, after: Published) => {
    keepNewest(engine, before, after)
    await engine.store.settled()
    return { all: engine.store.has(all(after)), newest: engine.store.has(newest(after)) }
  }
  return { engine, published, all, newest, followed }
}

test('a list of all files is copied again when a publish adds one, as is that of the latest date', async () => {
  const { engine, published, all, newest, followed } = await growing()
  await published('2022-01-03')
  const before = await published('2023-01-03')
  const after = await published('2024-01-03')
  expect(await followed(before, after)).toEqual({ all: false, newest: false })
  engine.store.keep(all(before))
  await engine.store.settled()
  expect(await followed(before, after)).toEqual({ all: true, newest: false })
  engine.store.keep(newest(before))
  await engine.store.settled()
  expect(await followed(before, after)).toEqual({ all: true, newest: true })
})

test('the only file of a dataset is followed as that of its latest date', async () => {
  const { engine, published, all, followed } = await growing()
  const before = await published('2022-01-03')
  engine.store.keep(all(before))
  await engine.store.settled()
  expect(await followed(before, await published('2023-01-03'))).toEqual({ all: false, newest: true })
})

test('tables that requests for the new snapshot do not read are dropped', async () => {
  const { engine, published, all, newest, followed } = await growing()
  await published('2022-01-03')
  const before = await published('2023-01-03')
  const first = before.files('daily_bars', { from: '2022-01-03', to: '2022-01-03' })
  for (const list of [all(before), newest(before), engine.bindFiles('daily_bars', first)])
    engine.store.keep(list)
  await engine.store.settled()
  expect(engine.store.tables).toBe(3)
  const { bytes } = engine.store
  // The file of 2023 is replaced: only the table of 2022 remains, and two new ones are made.
  const after = await published('2023-01-03', 'B')
  expect(await followed(before, after)).toEqual({ all: true, newest: true })
  const kept = (snapshot: typeof before) => [all(snapshot), newest(snapshot)].map(engine.store.has)
  expect([kept(before), engine.store.has(engine.bindFiles('daily_bars', first))]).toEqual([
    [false, false],
    true,
  ])
  expect([engine.store.tables, engine.store.bytes]).toEqual([3, bytes])
  // A file is added: the list of all files has another one in its place, that of the latest date remains.
  const last = await published('2024-01-03')
  await followed(after, last)
  expect([kept(after), kept(last)]).toEqual([
    [false, true],
    [true, true],
  ])
})
