import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Observation } from '../../../src/engine/observation.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { tapehouseHere } from '../../cli/in-process.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { sharedMarket } from '../../fixtures/market.ts'
import { importOptionDays } from '../../fixtures/option-days.ts'

const DAYS = ['2024-03-11', '2024-03-12', '2024-03-13', '2024-03-14']

/** The answer of a query as JSON. */
async function answerOf(lake: string, ...flags: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await tapehouseHere([
    'query',
    ...flags,
    '--format',
    'json',
    '--lake',
    lake,
  ])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout.toString())
}

/** The option volume of BOLT on the default date. */
async function volumeOf(lake: string, ...flags: string[]): Promise<number | undefined> {
  const { data } = (await answerOf(lake, 'volume-oi-expiry', '--ticker', 'BOLT', ...flags)) as {
    data: { volume: number }[]
  }
  return data[0]?.volume
}

test('20 trades of one ticker on a new day do not move the default date of another ticker', async () => {
  const folder = folderForTest()
  const lake = await importOptionDays(
    folder,
    DAYS.map(date => ({ date, trades: { ACME: 20, BOLT: 30 }, chain: { ACME: 25, BOLT: 35 } })),
  )
  const before = await answerOf(lake, 'volume-oi-expiry', '--ticker', 'BOLT')
  expect(before).toEqual({ data: [{ expires: '2024-12-20', oi: 350, volume: 30 }] })

  await importOptionDays(folder, [{ date: '2024-03-15', trades: { ACME: 20 } }])
  expect(await answerOf(lake, 'volume-oi-expiry', '--ticker', 'BOLT')).toEqual(before)
  // The open day answers when it is requested by date.
  expect(await answerOf(lake, 'volume-oi-expiry', '--ticker', 'ACME', '--date', '2024-03-15')).toEqual({
    data: [{ expires: '2024-12-20', oi: null, volume: 20 }],
  })
})

test('import --close closes a day with few rows, and the files that follow', { tags: 'slow' }, async () => {
  const folder = folderForTest()
  const lake = await importOptionDays(
    folder,
    DAYS.map(date => ({ date, trades: { BOLT: 30 } })),
  )
  await importOptionDays(folder, [{ date: '2024-03-15', trades: { BOLT: 2 } }], { close: '2024-03-18' })
  expect(await volumeOf(lake)).toBe(2)
  await importOptionDays(folder, [{ date: '2024-03-18', trades: { BOLT: 3 } }])
  expect(await volumeOf(lake)).toBe(3)
  await importOptionDays(folder, [{ date: '2024-03-19', trades: { BOLT: 4 } }])
  expect(await volumeOf(lake)).toBe(3)

  const close = () => tapehouseHere(['import', '--close', '2024-03-19', '--lake', lake])
  const closed = await close()
  expect(closed).toMatchObject({ code: 0, stderr: '' })
  expect(closed.stdout.toString()).toMatch(/^Closed the days up to 2024-03-19: snapshot \d+\.\n$/)
  expect(await volumeOf(lake)).toBe(4)
  expect((await close()).stdout.toString()).toMatch(
    /^The days up to 2024-03-19 are closed already: snapshot \d+/,
  )
})

test('--close rejects what is no date, and a day in the future', async () => {
  const lake = join(folderForTest(), 'lake')
  const rejected = async (date: string) =>
    (await tapehouseHere(['import', '--close', date, '--lake', lake])).stderr
  expect(await rejected('2024-02-30')).toMatch(
    /^tapehouse: --close must be a date such as 2024-01-18, not "2024-02-30"/,
  )
  expect(await rejected('2999-01-02')).toMatch(/^tapehouse: --close must be a date that is not in the future/)
  expect(await rejected('2024-02-29')).toContain('holds no lake')
})

test('settings decide how many rows a day needs', { tags: 'slow' }, async () => {
  const folder = folderForTest()
  const lake = await importOptionDays(folder, [
    ...DAYS.map(date => ({ date, trades: { BOLT: 30 } })),
    { date: '2024-03-15', trades: { BOLT: 10 } },
  ])
  expect(await volumeOf(lake)).toBe(30)
  expect(await volumeOf(lake, '--closed-percent', '33')).toBe(10)
  expect(await volumeOf(lake, '--closed-percent', '34')).toBe(30)
})

test('generate closes its days, and an import into its lake says that the mark of synthetic data ends', {
  tags: 'slow',
}, async () => {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  cpSync(await sharedMarket('small'), lake, { recursive: true })
  const generated = await loadSnapshot(lake)
  expect([generated.synthetic, generated.closedDate('contract_days')]).toEqual([true, '2024-12-31'])

  const notices: Observation[] = []
  // A thin day later, and one before the last generated day.
  const days = ['2024-12-30', '2025-01-02'].map(date => ({ date, trades: { BOLT: 2 } }))
  await importOptionDays(folder, days, { observe: notice => notices.push(notice) })
  const mixed = await loadSnapshot(lake)
  expect([mixed.synthetic, mixed.closedDate('contract_days')]).toEqual([false, '2024-12-31'])
  expect(notices).toContainEqual({
    kind: 'notice',
    message: 'the lake has generated data too: its answers are no longer marked as synthetic',
  })
})
