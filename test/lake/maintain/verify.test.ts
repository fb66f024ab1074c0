import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { contentHash, contentName, sha256OfFile } from '../../../src/lake/store/content.ts'
import { MARKER_TEXT, markerName } from '../../../src/lake/store/layout.ts'
import { formatManifest, type Manifest } from '../../../src/lake/store/manifest.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { type Day, day, landDays, silent, writerForTest } from '../store/days.ts'

async function lakeOfTwoFiles() {
  const lake = join(folderForTest(), 'lake')
  const writer = await writerForTest(lake)
  await landDays(writer, lake, [day('A', '2024-01-02'), day('B', '2024-01-03')])
  const [first, second] = (await loadSnapshot(lake)).files('daily_bars')
  if (first === undefined || second === undefined) throw new Error('two files expected')
  return { lake, writer, first, second }
}

test('an intact lake has no problems', async () => {
  const { lake, writer } = await lakeOfTwoFiles()
  const seen: unknown[] = []
  expect(await verify(writer, lake, observation => seen.push(observation))).toEqual({
    snapshot: 1,
    files: 2,
    datasets: [{ dataset: 'daily_bars', rows: 2, checksum: expect.stringMatching(/^[0-9a-f]{16}$/) }],
    problems: [],
    stale: new Map([['stock_days', ['2024-01-02', '2024-01-03']]]),
  })
  expect(seen.at(-1)).toEqual({ kind: 'progress', task: 'verify', done: 2, total: 2, unit: 'files' })
})

test('the checksum of a dataset is the same for the same rows in other files, and for no others', async () => {
  const checksumOf = async (...landings: (readonly Day[])[]) => {
    const lake = join(folderForTest(), 'lake')
    const writer = await writerForTest(lake)
    for (const rows of landings) await landDays(writer, lake, rows)
    const { datasets, problems } = await verify(writer, lake, silent)
    expect(problems).toEqual([])
    return datasets[0]?.checksum
  }
  const [one, two, three] = [day('A', '2024-01-02'), day('B', '2024-01-03'), day('C', '2024-01-03', '2')]
  const whole = await checksumOf([one, two, three])
  expect(await checksumOf([three, one], [two])).toBe(whole)
  expect(await checksumOf([day('C', '2024-01-03', '9')], [two], [three, one])).toBe(whole)
  expect(await checksumOf([one, two, day('C', '2024-01-03', '2.000001')])).not.toBe(whole)
  expect(await checksumOf([one, two])).not.toBe(whole)
})

test('a manifest that does not match the rows of its files is reported', async () => {
  const { lake, writer } = await lakeOfTwoFiles()
  const record = JSON.parse(readFileSync(join(lake, 'snapshots/1.json'), 'utf8'))
  const partitions = record.datasets.daily_bars.partitions
  const manifest = JSON.parse(readFileSync(join(lake, partitions['2024-01-02']), 'utf8'))
  const wrong = formatManifest({ ...manifest, days: { '2024-01-02': [1, '0123456789abcdef'] } })
  writeFileSync(join(lake, wrong.name), wrong.text)
  partitions['2024-01-02'] = wrong.name
  writeFileSync(join(lake, 'snapshots/1.json'), JSON.stringify(record))
  expect((await verify(writer, lake, silent)).problems).toEqual([
    { file: wrong.name, problem: 'its checksum of 2024-01-02 does not match the rows' },
  ])
})

test('a byte that flipped anywhere in a file is found', async () => {
  const { lake, writer, first } = await lakeOfTwoFiles()
  const bytes = readFileSync(first.path)
  for (const place of [0, 4, 100, bytes.length >> 1, bytes.length - 10, bytes.length - 1]) {
    const damaged = Buffer.from(bytes)
    damaged.writeUInt8(damaged.readUInt8(place) ^ 1, place)
    writeFileSync(first.path, damaged)
    expect((await verify(writer, lake, silent)).problems).toEqual([
      { file: first.name, problem: expect.stringMatching(/^its sha256 is [0-9a-f]{64} and should be /) },
    ])
  }
})

test.each([
  ['an absolute path', (lake: string) => lake],
  ['a relative path', (lake: string) => relative(process.cwd(), lake)],
])('a file that is reached by a link to outside the lake is found, given %s', async (_, given) => {
  const { lake, writer, first } = await lakeOfTwoFiles()
  const target = join(dirname(lake), 'moved.parquet')
  renameSync(first.path, target)
  symlinkSync(target, first.path)
  expect((await verify(writer, given(lake), silent)).problems).toEqual([
    {
      file: first.name,
      problem: expect.stringMatching(/^it is reached by a symbolic link to outside the lake/),
    },
  ])
})

test('a truncated, a missing and two swapped files are found', async () => {
  const { lake, writer, first, second } = await lakeOfTwoFiles()
  const problems = async () => (await verify(writer, lake, silent)).problems
  copyFileSync(first.path, join(lake, 'copy'))
  truncateSync(first.path, first.bytes - 1)
  expect(await problems()).toEqual([
    { file: first.name, problem: `it has ${first.bytes - 1} bytes and should have ${first.bytes}` },
  ])
  rmSync(first.path)
  expect(await problems()).toEqual([{ file: first.name, problem: 'it does not exist' }])
  renameSync(second.path, first.path)
  renameSync(join(lake, 'copy'), second.path)
  expect((await problems()).map(({ file }) => file)).toEqual([first.name, second.name])
})

test('a damaged manifest is named, and the rest is still read', async () => {
  const { lake, writer, second } = await lakeOfTwoFiles()
  const record = JSON.parse(readFileSync(join(lake, 'snapshots/1.json'), 'utf8'))
  const manifest: string = record.datasets.daily_bars.partitions['2024-01-02']
  writeFileSync(join(lake, manifest), '{}')
  writeFileSync(second.path, 'damaged')
  expect(await verify(writer, lake, silent)).toMatchObject({
    files: 1,
    problems: [{ file: manifest }, { file: second.name }],
  })
})

/** Rewrites the manifest of the first day, with every name that depends on it. */
function restate(lake: string, change: (manifest: Manifest) => void): void {
  const path = join(lake, 'snapshots/1.json')
  const record = JSON.parse(readFileSync(path, 'utf8'))
  const { partitions } = record.datasets.daily_bars
  const manifest: Manifest = JSON.parse(readFileSync(join(lake, partitions['2024-01-02']), 'utf8'))
  change(manifest)
  const text = `${JSON.stringify(manifest)}\n`
  partitions['2024-01-02'] = `manifests/daily_bars/2024-01-02/${contentHash(text)}.json`
  writeFileSync(join(lake, partitions['2024-01-02']), text)
  writeFileSync(path, JSON.stringify(record))
}

test.each<[string, (file: Manifest['files'][number]) => void, string]>([
  ['rows', file => Object.assign(file, { rows: 2 }), 'it has 1 rows and should have 2'],
  [
    'dates',
    file => Object.assign(file, { dates: ['2024-01-02', '2024-01-09'] }),
    'its dates are 2024-01-02 to 2024-01-02 and should be 2024-01-02 to 2024-01-09',
  ],
  [
    'a range that is too narrow',
    file => Object.assign(file, { ranges: { ticker: ['AA', 'B'] } }),
    'its ticker is A to A and should be within AA to B',
  ],
])('%s that a manifest states wrongly are found', async (_, change, problem) => {
  const { lake, writer, first } = await lakeOfTwoFiles()
  restate(lake, ({ files }) => files.forEach(change))
  expect((await verify(writer, lake, silent)).problems).toEqual([{ file: first.name, problem }])
})

test('a range that is wider than the data is no problem', async () => {
  const { lake, writer } = await lakeOfTwoFiles()
  restate(lake, ({ files }) => {
    for (const file of files) Object.assign(file, { ranges: { ticker: ['', 'Z'] } })
  })
  expect((await verify(writer, lake, silent)).problems).toEqual([])
})

test('a file of other columns is found, though its bytes are as stated', async () => {
  const { lake, writer, first } = await lakeOfTwoFiles()
  const path = join(lake, 'other.parquet')
  await writer.run(`COPY (SELECT 'A' AS ticker, DATE '2024-01-02' AS date) TO '${path}' (FORMAT parquet)`)
  const sha256 = await sha256OfFile(path)
  const name = `daily_bars/2024-01-02/${contentName(sha256)}.parquet`
  const bytes = readFileSync(path).length
  rmSync(first.path)
  renameSync(path, join(lake, name))
  restate(lake, ({ files }) => {
    for (const file of files) Object.assign(file, { name, sha256, bytes })
  })
  expect((await verify(writer, lake, silent)).problems).toEqual([
    {
      file: name,
      problem: expect.stringMatching(/^its columns are date DATE, ticker VARCHAR and should be /),
    },
  ])
})

test('a Parquet file that is not part of the snapshot is found, unless a publish moves files there', async () => {
  const { lake, writer, first } = await lakeOfTwoFiles()
  const stray = 'daily_bars/2024-01-02/part-0.parquet'
  copyFileSync(first.path, join(lake, stray))
  expect((await verify(writer, lake, silent)).problems).toEqual([
    {
      file: stray,
      problem: expect.stringMatching(/^the snapshot does not name it, .* move it out of the folder$/),
    },
  ])
  writeFileSync(join(lake, 'daily_bars/2024-01-02', markerName('0a1b')), MARKER_TEXT)
  expect((await verify(writer, lake, silent)).problems).toEqual([])
})
