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
  const published = async (date: string) => {
    await landDays(writer, lake, [day('A', date)])
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
