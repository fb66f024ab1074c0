import { copyFileSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { canonicalFormat } from '../../../src/lake/import/format/canonical.ts'
import { importFormat } from '../../../src/lake/import/format/formats.ts'
import { layoutsOf } from '../../../src/lake/import/layout/layouts.ts'
import type { ImportReport } from '../../../src/lake/import/report.ts'
import { formatFor } from '../../../src/lake/import/together.ts'
import { importingFormat } from '../../sql/import/formats.ts'

/** So many files are mapped one by one. */
const FEW = 8

/** Samples of layouts that are imported without flags. Most have the same ticker and days, so that the order of files counts. */
const samplesOf = (format: string) =>
  layoutsOf(format).flatMap(({ name, sample }) =>
    Object.keys(sample?.options ?? {}).length > 0
      ? []
      : (sample?.files ?? []).map(file => ({ layout: name, path: join('sql/import', format, name, file) })),
  )

const rowsOf = (day: string, ...times: readonly string[]) =>
  times.map(time => `BOLT,${day}${time},5,6,4,5,100`).join('\n')

/** Files that are not good, or not in every respect. */
const ODD: Readonly<Record<string, string | Buffer>> = {
  'times.csv': `ticker,date,open,high,low,close,volume\n${rowsOf('2024-02-01', ' 00:00:00', ' 12:00:00')}\n`,
  'midnights.csv': `ticker,date,open,high,low,close,volume\n${rowsOf('2024-02-02', ' 00:00:00')}\n`,
  'hours.csv': `ticker,date,time,open,high,low,close,volume\nBOLT,2024-02-05,16:00,5,6,4,5,100\n`,
  'broken.csv': `ticker,date,open,high,low,close,volume\n${rowsOf('2024-02-06', '')}\nBOLT,x,5,6,4,5,100\nBOLT,2024-02-07,5,6,4,"5"6,100\nBOLT,2024-02-08,9,6,4,5,-1\nBRK.B,2024-02-08,5,6,4,5,1\n`,
  'mostly.csv': `ticker,date,open,high,low,close,volume\n${rowsOf('2024-02-09', '')}\nBOLT,x,5,6,4,5,100\nBOLT,y,5,6,4,5,100\n`,
  'cut.csv.gz': gzipSync(`ticker,date,open,high,low,close,volume\n${rowsOf('2024-02-12', '')}\n`).subarray(
    0,
    60,
  ),
  'vendor.csv': `ticker,date,open,high,low,close,volume\nBRK-B,2024-02-13,5,6,4,5,100\n`,
}

test.each(['daily-bars', 'minute-bars'])(
  'many small files of %s that are mapped at once give what they give few at a time',
  { tags: 'slow' },
  async format => {
    const few = importingFormat(format)
    const files = samplesOf(format).map(({ layout, path }) => {
      const copy = join(few.folder, layout, basename(path))
      mkdirSync(dirname(copy), { recursive: true })
      copyFileSync(path, copy)
      return copy
    })
    if (format === 'daily-bars')
      for (const [name, content] of Object.entries(ODD)) files.push(few.file(name, content))
    expect(files.length).toBeGreaterThan(16)
    const reports: ImportReport[] = []
    for (let start = 0; start < files.length; start += FEW)
      reports.push(await few.import(files.slice(start, start + FEW)))

    const many = importingFormat(format)
    const report = await many.import(files)
    expect(report.accounts).toEqual(reports.flatMap(({ accounts }) => accounts))
    // Files of which most rows are invalid are the last ones then.
    const refused = (of: readonly ImportReport[]) =>
      of.flatMap(each => each.refused.map(({ reason }) => reason))
    expect(refused([report]).toSorted()).toEqual(refused(reports).toSorted())
    expect(report.rejected).toBe(reports.reduce((sum, { rejected }) => sum + rejected, 0))
    const dataset = importFormat(format).mappings[0]?.dataset.name ?? ''
    const [expected, rows] = [await few.rows('FROM bars', dataset), await many.rows('FROM bars', dataset)]
    expect(rows.toSorted()).toEqual(expected.toSorted())
    expect(rows.length).toBeGreaterThan(5)
  },
)

test('files are mapped at once if they are many, small on average, and not too large in all', () => {
  const KIB = 1024
  const isOneByOne = (count: number, bytes: number, format = importFormat('daily-bars')) =>
    formatFor(
      format,
      Array.from({ length: count }, () => ({ bytes })),
    ).isAlone
  expect(isOneByOne(15, 1)).toBe(true)
  expect(isOneByOne(16, 256 * KIB)).toBe(false)
  expect(isOneByOne(16, 257 * KIB)).toBe(true)
  expect(isOneByOne(2048, 256 * KIB)).toBe(false)
  expect(isOneByOne(2049, 256 * KIB)).toBe(true)
  expect(isOneByOne(100, 1, canonicalFormat('csv', 'daily_bars'))).toBe(true)
})
