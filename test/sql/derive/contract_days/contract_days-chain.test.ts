import { describe, expect, test } from 'vitest'
import { contractDays, contractOf, type Derived, listing, trade } from '../option-tape.ts'
import type { Row } from '../rows-as-sql.ts'

const CALL = 'ACME240119C00100000'
const OTHER = 'BRASS240119C00100000'
const [D1, D2, D3] = ['2024-01-02', '2024-01-03', '2024-01-04']

/** The rows of CALL on days of chains and trades that follow one another. */
async function days(of: Readonly<Record<string, { chain?: readonly Row[]; trades?: readonly Row[] }>>) {
  const all: Derived[] = []
  let before: readonly Derived[] = []
  for (const [day, { chain = [], trades = [] }] of Object.entries(of)) {
    before = await contractDays(day, {
      option_chain_days: chain,
      option_trades: trades,
      contract_days: before,
    })
    all.push(...before.filter(row => row.option_symbol === CALL))
  }
  return all
}

const bought = (symbol: string, day: string) => trade(symbol, 1, `${day} 15:00:00`, 2, 7, 'ask')

describe('a day with a chain and without trades', () => {
  test('has the contracts, with the open interest and the volume that the chain reports', async () => {
    const [row] = await days({ [D1]: { chain: [listing(CALL, D1, { open_interest: 30, volume: 40 })] } })
    expect(row).toMatchObject({
      volume: '40',
      no_side_volume: '40',
      ask_side_volume: '0',
      trades: '0',
      premium: '0.0000',
      avg_price: null,
      close: null,
      roc: null,
      open_interest: '30',
      prev_oi: null,
      ticker_vol: '40',
      days_of_vol_greater_than_oi: 1,
      recent_volumes: ['40'],
      recent_sides: ['none'],
      is_new: false,
    })
  })

  test('gives the first day with trades its open interest and volume before', async () => {
    const [, row] = await days({
      [D1]: { chain: [listing(CALL, D1, { open_interest: 30, volume: 40 })] },
      [D2]: { chain: [listing(CALL, D2, { open_interest: 35, volume: 999 })], trades: [bought(CALL, D2)] },
    })
    expect(row).toMatchObject({
      volume: '7',
      ask_side_volume: '7',
      no_side_volume: '0',
      open_interest: '35',
      prev_oi: '30',
      days_of_oi_increases: 1,
      contract_30_d_avg_volume: '40.0000',
      ask_side_perc_7_day: '1.0000000000',
      is_new: false,
    })
  })

  test('counts in no average and streak where the chain reports no volume', async () => {
    const chain = (day: string) => [listing(CALL, day, { open_interest: 5 })]
    const rows = await days({
      [D1]: { chain: chain(D1), trades: [bought(CALL, D1)] },
      [D2]: { chain: chain(D2) },
      [D3]: { chain: chain(D3), trades: [bought(CALL, D3)] },
    })
    expect(rows.map(row => row.volume)).toEqual(['7', '0', '7'])
    expect(rows.map(row => row.recent_volumes)).toEqual([['7'], ['7'], ['7', '7']])
    expect(rows.map(row => row.recent_sides)).toEqual([['ask'], ['ask'], ['ask', 'ask']])
    expect(rows.map(row => row.contract_30_d_avg_volume)).toEqual([null, '7.0000', '7.0000'])
    expect(rows.map(row => row.days_of_vol_greater_than_oi)).toEqual([1, 1, 2])
  })
})

describe('a contract of an underlying without trades, on a day on which others trade', () => {
  test.each([
    ['has the volume of the chain', { volume: 40 }, '40'],
    ['has none where the chain reports none', {}, '0'],
  ])('%s', async (_, reported, volume) => {
    const [row] = await days({
      [D1]: { chain: [listing(CALL, D1, reported)], trades: [bought(OTHER, D1)] },
    })
    expect(row).toMatchObject({ volume, no_side_volume: volume, recent_volumes: [volume] })
  })

  test('has none where its trades were cancelled, whatever the chain reports', async () => {
    const cancelled = { ...bought(CALL, D1), canceled: true }
    const [row] = await days({ [D1]: { chain: [listing(CALL, D1, { volume: 7 })], trades: [cancelled] } })
    expect(row).toMatchObject({ volume: '0', no_side_volume: '0', recent_volumes: ['0'] })
  })
})

test('figures that the chain lacks are those of option_greek_days', async () => {
  const computed = { implied_volatility: 0.2, delta: 0.4, gamma: 0.01, theta: -0.02, vega: 0.03 }
  const [row] = await contractDays(D1, {
    option_chain_days: [listing(CALL, D1, { delta: 0.5 })],
    option_greek_days: [
      { date: D1, option_symbol: CALL, ...contractOf(CALL), settlement: 'PM', rate: 0.05, ...computed },
    ],
  })
  expect([row?.iv, row?.delta, row?.gamma, row?.theta, row?.vega].map(Number)).toEqual([
    0.2, 0.5, 0.01, -0.02, 0.03,
  ])
})
