import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCurrent } from '../../src/lake/store/current.ts'
import { flatDay, folderForTest, makeLake } from '../fixtures/lake.ts'
import { tapehouseHere as tapehouse } from './in-process.ts'

const DAYS = ['2024-01-02', '2024-01-03', '2024-01-31', '2024-02-01']

async function commands() {
  const lake = await makeLake(folderForTest(), { days: DAYS.map(day => flatDay('A', day, '1')) })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await tapehouse([...args, '--lake', lake])
    return { code, out: stdout.toString(), err: stderr }
  }
  return { lake, run }
}

test('drop asks for a confirmation, and drops nothing without it', async () => {
  const { lake, run } = await commands()
  expect(await run('drop', 'daily_bars', '--before', '2024-01-31')).toEqual({
    code: 2,
    out: '',
    err: 'tapehouse: this drops 2 rows of daily_bars (2 are left): confirm it with --yes (see tapehouse drop --help)\n',
  })
  expect((await run('drop', 'daily_bars')).err).toMatch(
    /^tapehouse: this drops 4 rows of daily_bars \(all that it has; the lake is left with [a-z_, ]*stock_days[a-z_, ]*\): confirm it with --yes .*\n$/,
  )
  expect(await readCurrent(lake)).toBe(1)
  expect((await run('drop', 'daily_bars', '--before', '2024-01-31', '--yes')).out).toBe(
    'Dropped 2 rows of daily_bars: snapshot 2.\n',
  )
  expect((await run('snapshots', '--format', 'csv')).out).toContain(',drop daily_bars --before 2024-01-31,')
  expect((await run('drop', 'daily_bars', '--before', '2024-01-31', '--yes')).out).toContain(
    'Nothing to drop',
  )
})

test.each([
  [['drop'], /specify one dataset/],
  [['drop', 'daily_bar'], /unknown dataset "daily_bar": did you mean daily_bars\?/],
  [['drop', 'stock_days', '--yes'], /stock_days is derived/],
  [['drop', 'daily_bars', '--before', 'May'], /--before must be a date/],
  [['drop', 'daily_bars', '--tickers', 'A,'], /--tickers is ""/],
  [['retain', 'daily_bars'], /specify a dataset and a period such as 400d/],
  [['retain', 'daily_bars', '400'], /the period must be a number of days such as 400d, or off, not "400"/],
  [['retain', 'daily_bars', '0d'], /not "0d"/],
  [['retain', 'nothing', '4d'], /unknown dataset "nothing"/],
  [['retain', 'contract_days', '4d'], /contract_days is derived/],
  [['maintain', '--keep', '0'], /--keep must be a whole number from 1 to 999999, not "0"/],
])('%j is refused with one line', async (args, message) => {
  const { lake, run } = await commands()
  const { code, err } = await run(...args)
  expect(code).toBe(2)
  expect(err).toMatch(message)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect(await readCurrent(lake)).toBe(1)
  expect(existsSync(join(lake, 'retention'))).toBe(false)
})

test('maintain applies the rules, merges, deletes and audits, with a line for each', async () => {
  const { run } = await commands()
  expect((await run('retain', 'daily_bars', '29d')).out).toBe(
    'daily_bars: 29 days before its last date are kept.\n',
  )
  expect((await run('retain', '--format', 'csv')).out).toBe('dataset,days\ndaily_bars,29\n')
  const { code, out } = await run('maintain', '--keep', '1', '--grace', '0')
  expect(code).toBe(0)
  // 29 days before the 1st of February is the 3rd of January.
  expect(out).toMatch(
    /^retain: {2}Dropped 1 row: snapshot 2\.\nderive: {2}Nothing to derive\.\ncompact: [^\n]+\nvacuum: {2}Deleted \d+ files, [^\n]+\naudit: {3}[^\n]+\n$/,
  )
  expect((await run('maintain')).out).toMatch(
    /^retain: {2}Nothing to drop: snapshot \d is unchanged\.\nderive: /,
  )
  expect((await run('retain', 'daily_bars', 'off')).out).toBe('daily_bars: all days are kept.\n')
  expect((await run('maintain')).out).toMatch(/^retain: {2}No retention rules\.\n/)
})
