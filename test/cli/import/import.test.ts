import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForTest } from '../../fixtures/lake.ts'
import { tapehouseHere } from '../in-process.ts'

const HEADER = 'Date,Open,High,Low,Close,Volume,Name,Note'

/** A folder with three files: a good one, one of another format, and a good one with an invalid row. */
function threeFiles() {
  const folder = folderForTest()
  const write = (name: string, ...rows: string[]) =>
    writeFileSync(join(folder, name), `${[HEADER, ...rows].join('\n')}\n`)
  write('a.csv', '2024-01-02,1,2,1,1.5,10,A,x', '2024-01-03,1,2,1,1.5,10,A,x')
  writeFileSync(join(folder, 'b.csv'), `a\u001b[31m,b\n${'1,2\n'.repeat(20)}`)
  write('c.csv', '2024-01-03,1,2,1,1.5,10,B,x', '2024-01-03,1,2,1,zero,10,C,x', '2024-01-03,1,2,1,1.5,10,D,x')
  const lake = join(folder, 'lake')
  const run = (...flags: string[]) =>
    tapehouseHere(['import', 'daily-bars', folder, '--lake', lake, ...flags])
  return { folder, lake, run }
}

test('import prints a summary, names bad files at the end, and exits with 1', async () => {
  const { folder, lake, run } = threeFiles()
  const dry = await run('--dry-run')
  expect(dry.stdout.toString().replace(/\d+\.\d s/, '0.0 s')).toBe(
    [
      'Would import 4 rows from 2 files (dry run, 0.0 s). Nothing was written.',
      `  daily-bars  ${folder}/a.csv: 2 records, 2 rows`,
      `              ${folder}/c.csv: 3 records, 2 rows, 1 rejected`,
      '  daily_bars  4 rows, 2 days from 2024-01-02 to 2024-01-03, 3 tickers (A, B, D)',
      '  rejected    1 row (close: not a plain decimal number: 1)',
      `  ignored     Note (${folder}/a.csv)`,
      '',
    ].join('\n'),
  )
  expect(existsSync(lake)).toBe(false)

  const { stdout, stderr, code } = await run()
  expect(
    stdout
      .toString()
      .replace(/\d+\.\d s/, '0.0 s')
      .replace(/-[0-9a-f]{12}/g, '-0'),
  ).toBe(
    [
      'Imported 4 rows from 2 files: snapshot 1, 0.0 s.',
      '  daily_bars  4 rows, 2 days from 2024-01-02 to 2024-01-03, 3 tickers (A, B, D)',
      '  derived     stock_days 2 days, price_adjustments 2 days',
      `  rejected    1 row (close: not a plain decimal number: 1): see ${lake}/rejects/daily-bars-0.csv`,
      `  to correct  edit and import the files in ${lake}/rejects/daily-bars-0`,
      '',
    ].join('\n'),
  )
  expect(stderr.toString().trimEnd().split('\n').at(-1)).toMatch(
    /^refused: .*b\.csv lacks the columns ticker .*, but is a\?\[31m, b: draft a layout with tapehouse import daily-bars --map-from .*b\.csv > layout\.json, or see tapehouse import daily-bars --help$/,
  )
  expect(code).toBe(1)

  const again = await run('--json')
  expect(JSON.parse(again.stdout.toString())).toMatchObject({
    files: 3,
    skipped: 2,
    published: false,
    refused: [{ file: join(folder, 'b.csv') }],
  })
})

test('import --all-or-nothing imports nothing if one of the files is bad', async () => {
  const { lake, run } = threeFiles()
  const { stdout, stderr, code } = await run('--all-or-nothing')
  expect(stdout.toString()).toBe('')
  expect(stderr.toString()).toContain('tapehouse: ')
  expect(code).toBe(1)
  expect(existsSync(lake)).toBe(false)
})

test('import without a format imports the files that it recognises, and names what the others are', async () => {
  const folder = folderForTest()
  const page = join(folder, 'page.csv')
  writeFileSync(page, '<!DOCTYPE html><html><head><title>Just a moment...</title>')
  writeFileSync(join(folder, 'bars.csv'), `${HEADER}\n2024-01-02,1,2,1,1.5,10,A,x\n`)
  const lake = join(folderForTest(), 'lake')
  const { stdout, stderr, code } = await tapehouseHere(['import', folder, '--lake', lake])
  expect(stdout.toString()).toContain('  daily_bars  1 row, 2024-01-02, 1 ticker (A)\n')
  expect(stderr.toString().trimEnd().split('\n').at(-1)).toBe(
    `refused: ${page} is an HTML page ("Just a moment..."), probably a download that failed: check its address and key, and download the data again`,
  )
  expect(code).toBe(1)
  const alone = await tapehouseHere(['import', page, '--lake', lake])
  expect(alone.stderr.toString()).toContain(`tapehouse: ${page} is an HTML page ("Just a moment...")`)
})
