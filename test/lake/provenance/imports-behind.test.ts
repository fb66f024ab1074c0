import { expect, test } from 'vitest'
import { importFiles } from '../../../src/lake/import/import.ts'
import { importsBehind } from '../../../src/lake/provenance/imports-behind.ts'
import { requireRecord } from '../../../src/lake/store/record.ts'
import { loadSnapshot, type Selection } from '../../../src/lake/store/snapshot.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'
import { day, landDays, writerForTest } from '../store/days.ts'

/** The names of the imported files behind a selection of a dataset; a file without a record is `?`. */
async function behind(lake: string, dataset: string, selection: Selection = {}): Promise<string[]> {
  const snapshot = await loadSnapshot(lake)
  const record = await requireRecord(lake, snapshot.number)
  const found = await importsBehind(lake, record, new Map([[dataset, snapshot.files(dataset, selection)]]))
  return found.map(({ file }) => file?.name ?? '?')
}

const ON = (date: string) => ({ from: date, to: date })

test('a derived row leads to the files of its inputs in their window, and an imported one to its own', {
  tags: 'slow',
}, async () => {
  const lake = `${folderForTest()}/lake`
  const observe = () => {}
  await importFiles({ format: 'option-chain', inputs: ['data/samples/option-chain'], lake, observe })
  await importFiles({ format: 'option-trades', inputs: ['data/samples/option-trades'], lake, observe })
  const chain = ['acme_quotedata.csv']
  const trades = ['bare-tape.csv', 'quoted-tape.csv']
  expect(await behind(lake, 'option_chain_days')).toEqual(chain)
  expect(await behind(lake, 'option_trades')).toEqual(trades)
  expect(await behind(lake, 'chain_frags')).toEqual(trades)
  expect(await behind(lake, 'contract_days')).toEqual([...chain, ...trades])
  expect(await behind(lake, 'option_ticker_days')).toEqual([...chain, ...trades])
  expect(await behind(lake, 'option_volatility_days')).toEqual(chain)
  expect(await behind(lake, 'posts')).toEqual([])
})

test('only files of the days that are read count, with their time, format, size and sha256', async () => {
  const folder = folderForTest()
  const lake = await makeLake(folder, { days: [flatDay('A', '2024-01-02', '1')] })
  await makeLake(folder, { bars: ['A,2024-01-03,34200000,1,1,1,1,1'] })
  expect(await behind(lake, 'stock_days', ON('2024-01-02'))).toEqual(['daily-bars.csv'])
  expect(await behind(lake, 'stock_days', ON('2024-01-03'))).toEqual(['minute-bars.csv'])
  expect(await behind(lake, 'stock_days')).toEqual(['daily-bars.csv', 'minute-bars.csv'])
  const snapshot = await loadSnapshot(lake)
  const files = new Map([['daily_bars', snapshot.files('daily_bars')]])
  const [found] = await importsBehind(lake, await requireRecord(lake, 2), files)
  expect(found?.file).toEqual({
    name: 'daily-bars.csv',
    format: 'daily-bars',
    bytes: expect.any(Number),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
})

test('an input without a record, of an earlier version, is named by its hash', async () => {
  const lake = `${folderForTest()}/lake`
  const writer = await writerForTest(lake)
  await landDays(writer, lake, [day('A', '2024-01-02')], ['e'.repeat(64)])
  expect(await behind(lake, 'daily_bars')).toEqual(['?'])
})
