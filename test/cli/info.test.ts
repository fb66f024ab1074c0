import { afterEach, expect, test } from 'vitest'
import { flatDay, folderForTest, makeLake } from '../fixtures/lake.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { tapehouseHere as tapehouse } from './in-process.ts'

const { columns } = process.stdout
afterEach(() => {
  process.stdout.columns = columns
})

async function infoOf(lake: string, width: number): Promise<string> {
  process.stdout.columns = width
  const { code, stdout, stderr } = await tapehouse(['info', '--lake', lake])
  expect([code, stderr]).toEqual([0, ''])
  return stdout.toString()
}

test.each([80, 120])(
  'on a terminal of %i columns no line of a generated lake is wrapped',
  async width => {
    const output = await infoOf(await sharedMarket('whole'), width)
    for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(width)
    expect(output).toContain('Synthetic: all rows are generated.')
    expect(output).toContain('Operations: 29 of 29 have all their datasets')
    expect(output.includes('origin')).toBe(width === 120)
  },
  300_000,
)

test('a small lake is shown with its missing sessions and the imports that fill the gaps', async () => {
  const days = [flatDay('ONE', '2024-01-02', '100'), flatDay('TWO', '2024-01-04', '50')]
  const output = await infoOf(await makeLake(folderForTest(), { days }), 80)
  expect(output).toMatch(/^daily_bars +2 +\d+\.\d KiB +2024-01-02 +2024-01-04 +2 +ticker +imported +2$/m)
  expect(output).toContain('Imported data.')
  expect(output).toContain('  daily_bars: 1 (2024-01-03)\n  stock_days: 1 (2024-01-03)\n')
  expect(output).toContain('Operations: 0 of 29 have all their datasets. 1 can be answered in part.')
  expect(output).toContain('  tapehouse import option-chain or option-open-interest\n    for greeks,')
})

test('another format and a folder without a lake are refused', async () => {
  const format = await tapehouse(['info', '--format', 'csv'])
  expect([format.code, format.stderr]).toEqual([
    2,
    'tapehouse: --format must be table or json, not "csv" (see tapehouse info --help)\n',
  ])
  const missing = await tapehouse(['info', '--lake', folderForTest()])
  expect([missing.code, missing.stderr.split('\n').length]).toEqual([1, 2])
})
