import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adopt } from '../../../src/lake/adopt/adopt.ts'
import { importFiles } from '../../../src/lake/import/import.ts'
import { importHistory } from '../../../src/lake/land/history.ts'
import { readEvent, readEvents } from '../../../src/lake/land/import-record.ts'
import { compact } from '../../../src/lake/maintain/compact.ts'
import { sha256Of } from '../../../src/lake/store/content.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { readManifest } from '../../../src/lake/store/manifest.ts'
import { entriesOf, requireRecord } from '../../../src/lake/store/record.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'
import { day, landDays, silent, writerForTest } from '../store/days.ts'

const recordOf = async (lake: string, number: number) => requireRecord(lake, number)

test('a record counts new rows, rows in place of others, and rows of derived datasets', async () => {
  const folder = folderForTest()
  const lake = await makeLake(folder, {
    days: [flatDay('A', '2024-01-02', '1'), flatDay('B', '2024-01-02', '1'), flatDay('A', '2024-01-03', '1')],
  })
  // 3 bars, and a derived row of stock_days for each.
  expect(await recordOf(lake, 1)).toMatchObject({
    made_by: 'import daily-bars',
    changes: {
      daily_bars: { added: 3, replaced: 0, removed: 0 },
      stock_days: { added: 3, replaced: 0, removed: 0 },
    },
  })
  // B of the second is corrected, C of the second and A of the fourth are new; A of the third comes again as it was.
  await makeLake(folder, {
    days: [
      flatDay('B', '2024-01-02', '2'),
      flatDay('C', '2024-01-02', '1'),
      flatDay('A', '2024-01-03', '1'),
      flatDay('A', '2024-01-04', '1'),
    ],
  })
  const { changes } = await recordOf(lake, 2)
  expect(changes?.daily_bars).toEqual({ added: 2, replaced: 1, removed: 0 })
  // The second had 2 derived rows and has 3, the third reads the second, the fourth is new.
  expect(changes?.stock_days).toMatchObject({ added: 2, removed: 0 })
})

test('a record of a merge of partitions counts no rows, and an adopted lake those of its files', async () => {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  const writer = await writerForTest(lake)
  await landDays(writer, lake, [day('A', '2024-01-02')])
  await landDays(writer, lake, [day('A', '2024-01-31')])
  await compact(writer, lake, silent)
  expect(await recordOf(lake, 3)).toMatchObject({ made_by: 'compact', changes: {} })

  const foreign = join(folder, 'foreign')
  const other = await writerForTest(foreign)
  await other.run(`CREATE TABLE bars AS SELECT 'A' AS ticker, DATE '2024-01-02' + i::INTEGER AS date, 1.5 AS open, 1.5 AS high,
    1.5 AS low, 1.5 AS close, NULL::DOUBLE AS adjusted_close, 7 AS volume FROM range(4) AS r(i)`)
  mkdirSync(join(foreign, 'daily_bars'), { recursive: true })
  await other.run(`COPY bars TO '${foreign}/daily_bars/bars.parquet' (FORMAT parquet)`)
  await adopt(other, foreign, {}, silent)
  expect(await recordOf(foreign, 1)).toMatchObject({
    made_by: 'adopt',
    changes: { daily_bars: { added: 4, replaced: 0, removed: 0 } },
  })
  // One row of the four is replaced and one is new: whether the adopted files have digests or not.
  await landDays(other, foreign, [day('A', '2024-01-03', '9'), day('B', '2024-01-03', '9')])
  expect((await recordOf(foreign, 2)).changes).toEqual({ daily_bars: { added: 1, replaced: 1, removed: 0 } })
})

test('an import records its files by name without folder, and the partitions name them by hash', async () => {
  const folder = folderForTest()
  const lake = await makeLake(folder, { days: [flatDay('A', '2024-01-02', '1')] })
  const path = join(folder, 'daily-bars.csv')
  const { imports = '', ...record } = await recordOf(lake, 1)
  const written = await readEvent(lake, imports)
  expect(written).toMatchObject({
    import_format: 'daily-bars',
    files: [
      {
        name: 'daily-bars.csv',
        bytes: readFileSync(path).length,
        sha256: sha256Of(readFileSync(path)),
      },
    ],
  })
  expect(Date.parse(written.time)).toBeLessThanOrEqual(Date.parse(record.created_at))
  expect(readFileSync(join(lake, imports), 'utf8')).not.toContain(folder)
  const entry = entriesOf(await recordOf(lake, 1)).find(each => each.dataset === dataset('daily_bars').name)
  if (entry === undefined) throw new Error('no daily_bars')
  const { inputs } = await readManifest(lake, entry)
  expect('files' in written && written.files.map(({ input }) => input)).toEqual(inputs)

  // The same file again is no import.
  await importFiles({ format: 'daily-bars', inputs: [path], lake, observe: silent })
  expect([...(await readEvents(lake)).values()]).toEqual([written])
  expect(await importHistory(lake, await recordOf(lake, 1))).toMatchObject([{ record: written, number: 1 }])

  writeFileSync(join(lake, imports), '{"format":1,"files":[]}')
  await expect(readEvents(lake)).rejects.toMatchObject({
    code: 'lake_damaged',
    message: expect.stringContaining(imports),
  })
  expect(readdirSync(join(lake, 'imports'))).toHaveLength(1)
})
