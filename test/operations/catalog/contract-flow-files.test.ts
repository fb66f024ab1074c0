import { expect, test } from 'vitest'
import type { LakeFile } from '../../../src/lake/store/prune.ts'
import { indexFiles } from '../../../src/lake/store/prune.ts'
import { pin } from '../../../src/operations/answering/answer.ts'
import { contractFlow } from '../../../src/operations/catalog/contract-flow.ts'
import { snapshotWith } from '../../fixtures/snapshot.ts'

/** The files of `tickers` that a flow opens: the underlying does not follow from the symbol of the contract. */

const file = (name: string, day: string, ranges: LakeFile['ranges']): LakeFile => ({
  path: `/lake/${name}`,
  name,
  rows: 1,
  bytes: 1,
  dataset: 'any',
  sha256: name,
  dates: [day, day],
  ranges,
})

const CONTRACT = 'BRKB240216P00350000'

/** The `tickers` files that a flow reads: `trades` are the files of a day's trades, `known` those of tickers. */
function tickersRead(trades: readonly LakeFile[], known: readonly LakeFile[]): string[] {
  const datasets = new Map([
    ['option_trades', indexFiles(trades)],
    ['tickers', indexFiles(known)],
  ])
  const snapshot = snapshotWith({
    files: (dataset: string, selection = {}) => datasets.get(dataset)?.select(selection) ?? [],
    lastDate: (dataset: string) => datasets.get(dataset)?.lastDate ?? null,
  })
  const values = { id: CONTRACT, side: 'ALL', min_premium: 0, limit: null, date: null }
  const { files } = pin(contractFlow, values, snapshot, { owner: null, admin: false })
  return (files.get('tickers') ?? []).map(({ name }) => name)
}

const trades = (underlyings: readonly [string, string] | undefined) => [
  file('trades', '2024-01-05', {
    option_chain_id: [CONTRACT, CONTRACT],
    ...(underlyings ? { underlying_symbol: underlyings } : {}),
  }),
]
const known = (day: string, least: string, greatest: string) =>
  file(`${least}-${greatest}`, day, { ticker: [least, greatest] })

test('reads the files of tickers that overlap with the underlyings of the trades, at either end and within', () => {
  const all = [
    known('2023-01-03', 'AA', 'BA'),
    known('2023-01-03', 'BB', 'BRK.A'),
    known('2023-01-03', 'BRK.B', 'CC'),
    known('2023-01-03', 'CD', 'CE'),
    known('2023-01-03', 'D', 'DZ'),
    known('2023-01-03', 'E', 'Z'),
  ]
  expect(tickersRead(trades(['BRK.B', 'BRK.B']), all)).toEqual(['BRK.B-CC'])
  expect(tickersRead(trades(['BRK.A', 'D']), all)).toEqual(['BB-BRK.A', 'BRK.B-CC', 'CD-CE', 'D-DZ'])
  expect(tickersRead(trades(['B', 'B']), all)).toEqual(['AA-BA'])
  expect(tickersRead(trades(['BAA', 'BAZ']), all)).toEqual([])
})

test('reads all of them if the underlyings of the trades are unknown, but none of later days', () => {
  const all = [
    known('2023-01-03', 'AA', 'BA'),
    known('2024-01-05', 'C', 'D'),
    known('2024-01-08', 'AA', 'ZZ'),
  ]
  expect(tickersRead(trades(undefined), all)).toEqual(['AA-BA', 'C-D'])
})

test('reads none where the contract has no trades, or the lake none at all', () => {
  const other = [
    file('other', '2024-01-05', {
      option_chain_id: ['ACME240119C00100000', 'ACME240119C00100000'],
      underlying_symbol: ['ACME', 'ACME'],
    }),
  ]
  expect(tickersRead(other, [known('2023-01-03', 'AA', 'ZZ')])).toEqual([])
  expect(tickersRead([], [known('2023-01-03', 'AA', 'ZZ')])).toEqual([])
})
