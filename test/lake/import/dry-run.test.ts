import { existsSync, readdirSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { folderForTest } from '../../fixtures/lake.ts'
import { DAYS, goodDay, importing } from './importing.ts'

const COLUMNS = `${DAYS},Note`
const DRY = { isDryRun: true }
const noted = (...rows: string[]) => [COLUMNS, ...rows.map(row => `${row},x`)]

test('a dry run reports what an import would write, and writes nothing', async () => {
  const run = importing()
  const scratch = folderForTest()
  vi.stubEnv('TMPDIR', scratch)
  onTestFinished(() => void vi.unstubAllEnvs())
  const files = [
    run.file('a.csv', noted(goodDay('B'), goodDay('A', '2024-01-05'), goodDay('B', '2024-01-03'), '1,2')),
    run.file('b.csv', ['x']),
  ]
  const expected = {
    files: 2,
    isDryRun: true,
    published: false,
    snapshot: null,
    rows: 3,
    rejected: 1,
    rejectsFile: null,
    refused: [{ file: files[1] }],
    unused: [{ file: files[0], columns: ['Note'] }],
    accounts: [{ file: files[0], records: 4, rows: 3 }],
    datasets: [
      {
        dataset: 'daily_bars',
        rows: 3,
        days: 3,
        firstDay: '2024-01-02',
        lastDay: '2024-01-05',
        keys: { column: 'ticker', count: 2, first: ['A', 'B'] },
        added: 3,
        replaced: 0,
      },
    ],
  }
  expect(await run.import(files, DRY)).toMatchObject(expected)
  expect(existsSync(run.lake)).toBe(false)
  expect(readdirSync(scratch)).toEqual([])
  // The import itself does what the dry run has reported.
  const { rejectsFile, ...figures } = expected
  expect(rejectsFile).toBeNull()
  expect(await run.import(files)).toMatchObject({ ...figures, isDryRun: false, published: true, snapshot: 1 })
})

test('a dry run compares the rows with those of the lake', async () => {
  const run = importing()
  await run.import([run.file('a.csv', [DAYS, goodDay('A'), goodDay('B'), goodDay('A', '2025-01-02')])])
  const names = () => readdirSync(run.lake, { recursive: true }).sort()
  const before = names()
  const changed = goodDay('B').replace('1.5', '1.6')
  const path = run.file('b.csv', [
    DAYS,
    goodDay('A'),
    changed,
    changed,
    goodDay('C'),
    goodDay('D', '2024-02-01'),
    'x',
  ])
  const report = await run.import([path], { ...DRY, close: '2024-02-01' })
  expect(report).toMatchObject({
    rows: 4,
    rejected: 1,
    snapshot: 1,
    datasets: [{ rows: 4, added: 2, replaced: 1 }],
  })
  const bad = run.file('bad.csv', [DAYS, 'x'])
  expect(await run.refusal([bad], DRY)).toMatch(/1 of 1 rows of .*bad\.csv are invalid/)
  expect(names()).toEqual(before)
})
