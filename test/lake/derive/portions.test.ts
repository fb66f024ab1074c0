import { join } from 'node:path'
import { expect, test } from 'vitest'
import { date, files, literal, text } from '../../../src/engine/bind.ts'
import { portionsOf } from '../../../src/lake/derive/portions.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { derivations } from '../../../src/lake/store/derivation.ts'
import { identifier } from '../../../src/lake/store/sorted-files.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { sharedWriter } from '../../fixtures/shared-writer.ts'
import { trade } from '../../sql/derive/option-tape.ts'
import { type Row, rowsAsSql } from '../../sql/derive/rows-as-sql.ts'

const DAY = '2024-01-03'
const [A, B, C, D] = [
  'ACME240119C00100000',
  'ACME240119P00100000',
  "O'NE240119C00100000",
  'ZED240119C00100000',
] as const

/** Trades of four contracts in three files in the order of a lake; B continues in the second file. */
const FILES: readonly (readonly Row[])[] = [
  [
    trade(A, 1, `${DAY} 14:31:00`, 2, 10, 'ask'),
    trade(A, 2, `${DAY} 14:36:00`, 3, 20, 'bid'),
    trade(B, 3, `${DAY} 14:31:00`, 1, 5, 'mid'),
  ],
  [
    trade(B, 4, `${DAY} 14:32:00`, 1.5, 7, 'ask'),
    trade(B, 5, `${DAY} 15:00:00`, 1.25, 9, 'no_side'),
    {
      ...trade(A, 6, `${DAY} 14:50:00`, 1, 3, 'ask'),
      option_chain_id: C,
      underlying_symbol: "O'NE",
    },
  ],
  [trade(D, 7, `${DAY} 14:31:00`, 4, 1, 'bid'), trade(D, 8, `${DAY} 14:31:00`, 4, 2, 'bid')],
]

test('the portions of a day of trades have the rows of the day, whatever files its contracts are in', async () => {
  const writer = await sharedWriter()
  const folder = folderForTest()
  const columns = dataset('option_trades').columns.map(each => `${identifier(each.name)} ${each.type}`)
  const paths: string[] = []
  for (const [index, rows] of FILES.entries()) {
    const path = join(folder, `${index}.parquet`)
    await writer.run(`CREATE OR REPLACE TEMP TABLE portion_trades (${columns.join(', ')})`)
    await writer.run(`INSERT INTO portion_trades BY NAME (${rowsAsSql(rows)})`)
    await writer.run(`COPY portion_trades TO ${literal(text(path))} (FORMAT parquet)`)
    paths.push(path)
  }
  const { sql = '' } = derivations().get('chain_frags') ?? {}
  const bindings = { from: date(DAY), to: date(DAY), option_trades: files(paths) }
  const ordered = (select: string) =>
    writer.rows(`FROM (${select}) ORDER BY option_symbol, start_time`, bindings)
  const whole = await ordered(sql)
  expect(whole).toHaveLength(6)

  expect(await portionsOf(writer, 'chain_frags', sql, bindings)).toEqual([sql])
  for (const [rowsMax, count] of [
    [1, 3],
    [3, 3],
    [6, 2],
    [8, 1],
  ] as const) {
    const portions = await portionsOf(writer, 'chain_frags', sql, bindings, rowsMax)
    expect(portions, `at most ${rowsMax} rows`).toHaveLength(count)
    const rows = await Promise.all(portions.map(ordered))
    expect(rows.every(own => own.length > 0)).toBe(true)
    expect(rows.flat()).toEqual(whole)
  }
  expect(await portionsOf(writer, 'flow_alerts', sql, bindings, 1)).toEqual([sql])
})
