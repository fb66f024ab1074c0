import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contentHash } from '../../../src/lake/store/content.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { DAILY_BARS, day, land, landDays, makeHistory, silent, storedDays, writerForTest } from './days.ts'

/** A lake with two days of two tickers, and its snapshot's record. */
async function smallLake() {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await landDays(writer, lake, [
    day('AAPL', '2024-01-02', '10'),
    day('MSFT', '2024-01-02', '20'),
    day('AAPL', '2024-01-03', '11'),
  ])
  const path = join(lake, 'snapshots', '1.json')
  const record: { datasets: Record<string, { partitions: Record<string, string> }> } = JSON.parse(
    readFileSync(path, 'utf8'),
  )
  const manifest = record.datasets.daily_bars?.partitions['2024-01-02'] ?? ''
  return { lake, writer, path, record, manifest }
}

test('a snapshot names the files that may hold the wanted rows, and no others', async () => {
  const { lake, writer } = await smallLake()
  const snapshot = await loadSnapshot(lake)
  expect(snapshot).toMatchObject({ lake, number: 1 })
  expect(snapshot.lastDate('daily_bars')).toBe('2024-01-03')
  expect(snapshot.lastDate('stock_bars')).toBeNull()
  expect(snapshot.files('stock_bars')).toEqual([])
  const [first, second] = snapshot.files('daily_bars')
  expect(first).toMatchObject({
    path: join(lake, first?.name ?? ''),
    rows: 2,
    dates: ['2024-01-02', '2024-01-02'],
    ranges: { ticker: ['AAPL', 'MSFT'] },
  })
  const bytes = readFileSync(first?.path ?? '')
  expect(first?.bytes).toBe(bytes.length)
  expect(first?.name).toBe(`daily_bars/2024-01-02/${contentHash(bytes)}.parquet`)
  expect(snapshot.files('daily_bars', { from: '2024-01-03' })).toEqual([second])
  expect(snapshot.files('daily_bars', { keys: { ticker: ['MSFT'] } })).toEqual([first])
  expect(snapshot.files('daily_bars', { from: '2024-01-03', keys: { ticker: ['MSFT'] } })).toEqual([])
  expect(await storedDays(writer, lake)).toEqual([
    'AAPL 2024-01-02 10',
    'AAPL 2024-01-03 11',
    'MSFT 2024-01-02 20',
  ])
})

test('of years of many tickers, one ticker opens one file a year, and within a year a single file', async () => {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await makeHistory(writer, 500, '2014-01-01', '2017-12-31')
  await land(writer, lake, DAILY_BARS, [], silent)
  const snapshot = await loadSnapshot(lake)
  expect(snapshot.files('daily_bars').length).toBe(8)
  const keys = { ticker: ['T00042'] }
  expect(snapshot.files('daily_bars', { keys }).map(({ name }) => name.split('/')[1])).toEqual([
    '2014',
    '2015',
    '2016',
    '2017',
  ])
  expect(snapshot.files('daily_bars', { from: '2015-02-01', to: '2015-12-31', keys })).toHaveLength(1)
})

test('a former snapshot can still be loaded by its number', async () => {
  const { lake, writer } = await smallLake()
  await landDays(writer, lake, [day('AAPL', '2024-01-03', '12')])
  expect((await loadSnapshot(lake)).number).toBe(2)
  expect(await storedDays(writer, lake, { from: '2024-01-03' })).toEqual(['AAPL 2024-01-03 12'])
  expect(await storedDays(writer, lake, { from: '2024-01-03' }, 1)).toEqual(['AAPL 2024-01-03 11'])
})

test('a folder without a lake is rejected with advice', async () => {
  const folder = folderForTest()
  for (const lake of [folder, join(folder, 'nothing')])
    await expect(loadSnapshot(lake)).rejects.toMatchObject({
      code: 'lake_missing',
      message: expect.stringMatching(/holds no lake: .*tapehouse import.*tapehouse adopt/),
    })
})

test('a path that DuckDB would take for a pattern cannot hold a lake', async () => {
  await expect(loadSnapshot('/data/lake[1]')).rejects.toMatchObject({ code: 'usage' })
})

test('a snapshot of a newer format asks for an upgrade', async () => {
  const { lake, path, record } = await smallLake()
  writeFileSync(path, JSON.stringify({ ...record, format: 3, datasets: 'another shape' }))
  await expect(loadSnapshot(lake)).rejects.toMatchObject({
    code: 'lake_newer',
    message: expect.stringMatching(
      /snapshots\/1\.json was written by a newer tapehouse .*upgrade tapehouse$/,
    ),
  })
})

test('a manifest of a newer format asks for an upgrade', async () => {
  const { lake, path, record } = await smallLake()
  const text = JSON.stringify({ format: 7 })
  const name = `manifests/daily_bars/2024-01-02/${contentHash(text)}.json`
  writeFileSync(join(lake, name), text)
  writeFileSync(path, JSON.stringify(withManifest(record, name)))
  await expect(loadSnapshot(lake)).rejects.toMatchObject({
    code: 'lake_newer',
    message: expect.stringContaining(name),
  })
})

type Small = Awaited<ReturnType<typeof smallLake>>

const withManifest = (record: Small['record'], name: string) => ({
  ...record,
  datasets: { daily_bars: { partitions: { '2024-01-02': name } } },
})

/** Puts another manifest in the place of the lake's own, under the name that its content asks for. */
function replaceManifest({ lake, path, record, manifest }: Small, change: (text: string) => string): string {
  const text = change(readFileSync(join(lake, manifest), 'utf8'))
  const name = `manifests/daily_bars/2024-01-02/${contentHash(text)}.json`
  writeFileSync(join(lake, name), text)
  writeFileSync(path, JSON.stringify(withManifest(record, name)))
  return name
}

const DAMAGES: readonly [string, (small: Small) => string][] = [
  ['a CURRENT that is no number', ({ lake }) => write(lake, 'CURRENT', '../1\n')],
  ['a CURRENT cut short', ({ lake }) => write(lake, 'CURRENT', '')],
  ['a missing snapshot', ({ lake }) => write(lake, 'CURRENT', '2\n', 'snapshots/2.json')],
  ['a snapshot that is no JSON', ({ lake }) => write(lake, 'snapshots/1.json', '{"format":1,')],
  ['a snapshot without a format', ({ lake }) => write(lake, 'snapshots/1.json', '{}')],
  ['a snapshot of another shape', ({ lake }) => write(lake, 'snapshots/1.json', '{"format":1}')],
  [
    'a snapshot of another number',
    ({ lake, record }) => write(lake, 'snapshots/1.json', JSON.stringify({ ...record, number: 2 })),
  ],
  [
    'a snapshot that names a file outside',
    ({ lake, record }) =>
      write(lake, 'snapshots/1.json', JSON.stringify(withManifest(record, '../other/1.json'))),
  ],
  [
    'a snapshot that names a manifest of another partition',
    ({ lake, record }) => {
      const name = record.datasets.daily_bars?.partitions['2024-01-03'] ?? ''
      write(lake, 'snapshots/1.json', JSON.stringify(withManifest(record, name)))
      return name
    },
  ],
  [
    'a missing manifest',
    ({ lake, manifest }) => {
      rmSync(join(lake, manifest))
      return manifest
    },
  ],
  [
    'a manifest with one digit changed',
    ({ lake, manifest }) =>
      write(lake, manifest, readFileSync(join(lake, manifest), 'utf8').replace('"rows":2', '"rows":3')),
  ],
  [
    'a manifest that names a file above',
    small => replaceManifest(small, text => text.replaceAll(/"daily_bars\/[^"]*parquet"/g, '"../secret"')),
  ],
  [
    'a manifest that names an absolute path',
    small => replaceManifest(small, text => text.replaceAll(/"daily_bars\/[^"]*parquet"/g, '"/etc/passwd"')),
  ],
  [
    'a manifest that names a pattern',
    small => replaceManifest(small, text => text.replaceAll(/[0-9a-f]{32}\.parquet/g, '*.parquet')),
  ],
  [
    'a manifest of files with a column that no version has',
    small => replaceManifest(small, text => text.replace('"columns":{', '"columns":{"colour":"VARCHAR",')),
  ],
  [
    'a manifest of files without a required column',
    small => replaceManifest(small, text => text.replace('"close":"DECIMAL(18,6)",', '')),
  ],
  [
    'a manifest of files with a type that does not convert without loss',
    small => replaceManifest(small, text => text.replace('"volume":"BIGINT"', '"volume":"DOUBLE"')),
  ],
]

function write(lake: string, name: string, text: string, blamed = name): string {
  writeFileSync(join(lake, name), text)
  return blamed
}

test.each(DAMAGES)('%s is rejected by name', async (_, damage) => {
  const small = await smallLake()
  const blamed = damage(small)
  const refusal = await loadSnapshot(small.lake).catch(thrown => thrown)
  expect(refusal).toMatchObject({ code: 'lake_damaged' })
  expect(refusal.message).toContain(blamed)
  expect(refusal.message).not.toContain('\n')
})
