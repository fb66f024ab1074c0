import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { importing } from './importing.ts'

const HEADER = 'ticker,date,ms_since_midnight_et,price,size,exchange'
const trade = (day: string, price: string) => `ACME,${day},34200000,${price},100,D`

/** The files of a derived dataset by day, each with its inode: a file that is written again has another one. */
async function filesByDay(lake: string, dataset: string): Promise<Record<string, string>> {
  const files = (await loadSnapshot(lake)).files(dataset)
  return Object.fromEntries(
    files.map(({ path, dates: [day] }) => [day, `${path} ${statSync(path, { bigint: true }).ino}`]),
  )
}

test('after an import, the days with changed rows are derived, and no others', async () => {
  const run = importing()
  const options = { format: 'stock-trades' }
  const days = ['2024-03-04', '2024-03-05', '2024-03-06']
  await run.import([run.file('a.csv', [HEADER, ...days.map(day => trade(day, '10'))])], options)
  const before = await filesByDay(run.lake, 'price_levels')
  expect(Object.keys(before)).toEqual(days)

  // The first day again as it was, a new trade on the second, and a new day.
  const more = [trade('2024-03-04', '10'), trade('2024-03-05', '11'), trade('2024-03-07', '10')]
  const { derived } = await run.import([run.file('b.csv', [HEADER, ...more])], options)
  expect(derived).toEqual([{ dataset: 'price_levels', computed: ['2024-03-05', '2024-03-07'], dropped: [] }])
  const after = await filesByDay(run.lake, 'price_levels')
  expect(after).toMatchObject({ '2024-03-04': before['2024-03-04'], '2024-03-06': before['2024-03-06'] })
  expect(after['2024-03-05']).not.toBe(before['2024-03-05'])
})
