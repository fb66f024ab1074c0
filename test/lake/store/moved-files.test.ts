import { mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { files } from '../../../src/engine/bind.ts'
import { locator } from '../../../src/lake/store/layout.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { engineFor } from '../../fixtures/service.ts'
import { day, landDays, storedDays, writerForTest } from './days.ts'

const patient = new AbortController().signal
const SQL =
  'SELECT count(*)::INTEGER AS n FROM read_parquet($daily_bars, hive_partitioning = false) HAVING count(*) > 0'

async function lakeOfThreeDays() {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await landDays(
    writer,
    lake,
    ['2024-01-03', '2024-01-04', '2024-01-05'].map(date => day('A', date)),
  )
  return { lake, writer, snapshot: await loadSnapshot(lake) }
}

test('an engine answers from a snapshot whose files were replaced after it was loaded', async () => {
  const { lake, writer, snapshot } = await lakeOfThreeDays()
  const engine = await engineFor(lake)
  onTestFinished(() => engine.close())
  const list = snapshot.files('daily_bars')
  const count = async () => {
    const bindings = { daily_bars: engine.bindFiles('daily_bars', list) }
    const template = { name: 'count', sql: SQL, parameters: ['daily_bars'] }
    const { bytes } = await engine.encode({ operation: 'count', template, bindings }, 'json', patient)
    return Buffer.from(bytes).toString()
  }
  expect(await count()).toBe('{"n":3}')
  await landDays(writer, lake, [day('A', '2024-01-04', '2')])
  expect(await count()).toBe('{"n":3}')

  // A file that is nowhere is not looked for again.
  const lost = list[2]?.path ?? ''
  renameSync(lost, join(folderForTest(), 'lost'))
  await expect(count()).rejects.toMatchObject({ code: 'lake_damaged' })
})

test('a writer reads files that another one has moved, and only if it can find them', async () => {
  const { lake, snapshot } = await lakeOfThreeDays()
  const paths = snapshot.files('daily_bars').map(({ path }) => path)
  const [first = ''] = paths
  const superseded = join(lake, 'superseded', first.slice(lake.length + 1))
  mkdirSync(dirname(superseded), { recursive: true })
  renameSync(first, superseded)
  const finds = await writerForTest(lake, { locate: locator(lake) })
  expect(await finds.rows(SQL, { daily_bars: files(paths) })).toEqual([{ n: 3 }])
  const other = await writerForTest(lake)
  await expect(other.rows(SQL, { daily_bars: files(paths) })).rejects.toThrow(first)
})

test('files that a publish moves between a read and the search for them are read again', async () => {
  const { lake, snapshot } = await lakeOfThreeDays()
  const paths = snapshot.files('daily_bars').map(({ path }) => path)
  const otherPlace = (path: string) => join(lake, 'superseded', path.slice(lake.length + 1))
  const move = (from: string, to: string) => {
    mkdirSync(dirname(to), { recursive: true })
    renameSync(from, to)
  }
  // CURRENT names the snapshot, and its files are not in the folders of the data yet. Then each comes, one per search.
  for (const path of paths) move(path, otherPlace(path))
  const coming = [...paths]
  const locate = (path: string) => {
    const next = coming.shift()
    if (next !== undefined) move(otherPlace(next), next)
    return locator(lake)(path)
  }
  const bound = { daily_bars: files(paths) }
  expect(await (await writerForTest(lake, { locate })).rows(SQL, bound)).toEqual([{ n: 3 }])
  expect(coming).toEqual([])

  // The same for one file after another, each of which leaves when the one before has been found.
  for (const path of paths) move(path, otherPlace(path))
  const [only = ''] = paths
  let searches = 0
  const shy = await writerForTest(lake, {
    locate: path => {
      searches += 1
      const found = locator(lake)(path)
      if (searches <= 4 && found !== null) move(found, found.includes('superseded') ? only : otherPlace(only))
      return found
    },
  })
  expect(await shy.rows(SQL, { daily_bars: files([only]) })).toEqual([{ n: 1 }])
  expect(searches).toBe(5)

  // A file that is at neither place is not waited for.
  renameSync(locator(lake)(only) ?? '', join(folderForTest(), 'lost'))
  const begun = searches
  await expect(shy.rows(SQL, { daily_bars: files([only]) })).rejects.toThrow(only)
  expect(searches).toBe(begun + 1)
})

test('the files of an earlier snapshot are found where they are', async () => {
  const { lake, writer } = await lakeOfThreeDays()
  await landDays(writer, lake, [day('A', '2024-01-04', '2')])
  const paths = (await loadSnapshot(lake, 1))
    .files('daily_bars')
    .map(({ path }) => path.slice(lake.length + 1))
  expect(paths.map(path => path.split('/').slice(0, -1).join('/'))).toEqual([
    'daily_bars/2024-01-03',
    'superseded/daily_bars/2024-01-04',
    'daily_bars/2024-01-05',
  ])
  expect(await storedDays(writer, lake, {}, 1)).toContain('A 2024-01-04 1')
})
