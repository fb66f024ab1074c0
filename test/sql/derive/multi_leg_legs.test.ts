import { describe, expect, test } from 'vitest'
import { derived } from '../../fixtures/derive.ts'
import { jsonRows } from './json-rows.ts'

const DAY = '2024-01-03'
const order = (number: number) => `018ccf00-0000-7000-8000-${number.toString().padStart(12, '0')}`

/** An execution of a leg; missing fields are those of `PLAIN`. Decimals are text. */
interface Execution {
  readonly multi_leg_id: string | null
  readonly option_chain_id: string
  readonly date: string
  readonly size: number
  readonly price: string
  readonly premium: string
  readonly volume: number
  readonly side: 'ask' | 'bid' | 'mid'
  readonly canceled: boolean
  readonly delta: string | null
  readonly theta: string | null
  readonly nbbo_bid: string | null
  readonly nbbo_ask: string | null
  readonly open_interest: number | null
}

const PLAIN: Execution = {
  multi_leg_id: order(1),
  option_chain_id: 'AAA240119C00100000',
  date: DAY,
  size: 1,
  price: '1',
  premium: '100',
  volume: 1,
  side: 'mid',
  canceled: false,
  delta: null,
  theta: null,
  nbbo_bid: null,
  nbbo_ask: null,
  open_interest: null,
}

async function legs(executions: readonly Partial<Execution>[]) {
  const records = executions.map((given, index) => {
    const { side, ...each } = { ...PLAIN, ...given }
    return {
      ...each,
      id: `00000000-0000-4000-8000-${index.toString().padStart(12, '0')}`,
      underlying_symbol: each.option_chain_id.slice(0, 3),
      option_symbol_id: Number(each.option_chain_id.slice(-8)),
      option_type: each.option_chain_id.at(9) === 'C' ? 'call' : 'put',
      strike: `${Number(each.option_chain_id.slice(-8)) / 1000}`,
      expiry: `20${each.option_chain_id.slice(3, 9).replace(/(..)(..)(..)/, '$1-$2-$3')}`,
      ask_vol: side === 'ask' ? each.size : 0,
      bid_vol: side === 'bid' ? each.size : 0,
      mid_vol: side === 'mid' ? each.size : 0,
    }
  })
  return derived('multi_leg_legs', { from: DAY, to: DAY }, { option_trades: jsonRows(records) })
}

describe('a leg', () => {
  test('is the sum of one contract within one order, weighted by size', async () => {
    const put = 'AAA240216P00095000'
    const rows = await legs([
      {
        size: 1,
        price: '2.5',
        premium: '250',
        volume: 41,
        side: 'ask',
        open_interest: 7,
        delta: '0.5',
        theta: '-0.25',
      },
      {
        size: 2,
        price: '2.55',
        premium: '510',
        volume: 43,
        side: 'bid',
        open_interest: 7,
        delta: '0.53',
        theta: '-0.1',
      },
      {
        option_chain_id: put,
        size: 4,
        price: '0.05',
        premium: '20',
        volume: 4,
        nbbo_bid: '0.04',
        nbbo_ask: '0.06',
      },
      { multi_leg_id: order(2), option_chain_id: put, size: 9, premium: '900', volume: 13 },
      { multi_leg_id: null, option_chain_id: put, size: 100, volume: 113 },
    ])
    expect(rows).toEqual([
      {
        multi_leg_id: order(1),
        date: DAY,
        underlying_symbol: 'AAA',
        option_symbol: 'AAA240119C00100000',
        option_symbol_id: '100000',
        option_type: 'call',
        strike: '100.000',
        expiry: '2024-01-19',
        side: 'bid',
        size: '3',
        price: '2.5333333333', // (2.5 + 2 × 2.55) / 3 = 7.6 / 3
        premium: '760.0000',
        delta: '0.5200000000', // (0.5 + 2 × 0.53) / 3
        theta: '-0.1500000000', // (−0.25 − 0.2) / 3
        nbbo_bid: null,
        nbbo_ask: null,
        open_interest: '7',
        volume: '43',
      },
      {
        multi_leg_id: order(1),
        date: DAY,
        underlying_symbol: 'AAA',
        option_symbol: put,
        option_symbol_id: '95000',
        option_type: 'put',
        strike: '95.000',
        expiry: '2024-02-16',
        side: null,
        size: '4',
        price: '0.0500000000',
        premium: '20.0000',
        delta: null,
        theta: null,
        nbbo_bid: '0.0400000000',
        nbbo_ask: '0.0600000000',
        open_interest: null,
        volume: '4',
      },
      expect.objectContaining({ multi_leg_id: order(2), option_symbol: put, size: '9', volume: '13' }),
    ])
  })

  test('takes a weighted figure over the executions that have it', async () => {
    const [row] = await legs([
      { size: 3, delta: '0.2', nbbo_bid: '1.1', theta: null, nbbo_ask: '4' },
      { size: 1, delta: '0.6', nbbo_bid: null, theta: '-0.5', nbbo_ask: '2' },
      { size: 96, delta: null, nbbo_bid: null, theta: null, nbbo_ask: null },
    ])
    // delta (0.6 + 0.6) / 4, bid 3.3 / 3, theta −0.5 / 1, ask (12 + 2) / 4
    expect(row).toMatchObject({
      delta: '0.3000000000',
      nbbo_bid: '1.1000000000',
      theta: '-0.5000000000',
      nbbo_ask: '3.5000000000',
    })
  })

  test('has the side with more contracts, none when neither leads', async () => {
    const sides = (contract: string, ...given: [Execution['side'], number][]) =>
      given.map(([side, size]) => ({ option_chain_id: `AAA240119C0000${contract}000`, side, size }))
    const rows = await legs([
      ...sides('1', ['ask', 3], ['bid', 2], ['mid', 90]),
      ...sides('2', ['ask', 2], ['bid', 1], ['bid', 2]),
      ...sides('3', ['ask', 2], ['bid', 1], ['bid', 1]), // more executions, not more contracts
      ...sides('4', ['mid', 5]),
    ])
    expect(rows.map(row => row.side)).toEqual(['ask', 'bid', null, null])
  })

  test('excludes canceled executions, and does not exist if all of them are canceled', async () => {
    const rows = await legs([
      { size: 2, price: '3', volume: 2 },
      { size: 50, price: '9', premium: '45000', volume: 90, canceled: true, side: 'ask', open_interest: 99 },
      { size: 0, price: '7', premium: '0' },
      { option_chain_id: 'AAA240119C00110000', canceled: true },
      { option_chain_id: 'AAA240119C00120000', size: 0 },
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      size: '2',
      price: '3.0000000000',
      premium: '100.0000',
      volume: '2',
      side: null,
      open_interest: null,
    })
  })

  test('is limited to the day, whatever else is in the files', async () => {
    const executions = ['2024-01-02', DAY, '2024-01-04'].map(date => ({ date, size: 5 }))
    expect((await legs(executions)).map(row => [row.date, row.size])).toEqual([[DAY, '5']])
  })

  test('is summed exactly where binary fractions would not be', async () => {
    // 2,000 executions: 1,000 of 1 contract at 0.0001 and 1,000 of 3 at 99999.9999, in turns.
    const executions = Array.from({ length: 2_000 }, (_, index) =>
      index % 2 === 0
        ? { size: 1, price: '0.0001', premium: '0.01' }
        : { size: 3, price: '99999.9999', premium: '29999999.97' },
    )
    const [row] = await legs(executions)
    // (0.0001 + 3 × 99999.9999) / 4 = 299999.9998 / 4; premium 1,000 × 29999999.98
    expect(row).toMatchObject({ size: '4000', price: '74999.9999500000', premium: '29999999980.0000' })
  })
})

test('Sums of pseudo-random orders equal those of exact integers', async () => {
  let state = 7
  const below = (count: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
  const decimal = (units: number, places: number) => (units / 10 ** places).toFixed(places)
  const executions = Array.from({ length: 3_000 }, () => ({
    ...PLAIN,
    multi_leg_id: below(5) ? order(below(200)) : null,
    option_chain_id: `AAA240119${below(2) ? 'C' : 'P'}0010${below(3)}000`,
    size: 1 + below(40),
    price: decimal(below(99_999), 4),
    premium: decimal(below(9_999_999), 4),
    volume: below(10_000),
    side: (['ask', 'bid', 'mid'] as const)[below(3)] ?? 'mid',
    canceled: below(10) === 0,
    delta: below(4) ? decimal(below(2_000_001) - 1_000_000, 6) : null,
    theta: below(4) ? decimal(-below(999_999), 6) : null,
    nbbo_bid: below(9) ? decimal(below(99_999), 4) : null,
    nbbo_ask: below(9) ? decimal(below(99_999), 4) : null,
    open_interest: 11,
  }))
  const groups = new Map<string, Execution[]>()
  for (const each of executions) {
    if (each.multi_leg_id === null || each.canceled) continue
    const key = `${each.multi_leg_id} ${each.option_chain_id}`
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  const rows = await legs(executions)
  expect(rows.map(row => `${row.multi_leg_id} ${row.option_symbol}`)).toEqual([...groups.keys()].sort())
  for (const row of rows) {
    const group = groups.get(`${row.multi_leg_id} ${row.option_symbol}`) ?? []
    const total = (sizes: readonly Execution[]) => sizes.reduce((sum, each) => sum + each.size, 0)
    const lead =
      total(group.filter(each => each.side === 'ask')) - total(group.filter(each => each.side === 'bid'))
    expect([row.size, row.side, row.volume]).toEqual([
      `${total(group)}`,
      lead > 0 ? 'ask' : lead < 0 ? 'bid' : null,
      `${Math.max(...group.map(each => each.volume))}`,
    ])
    expect(tenths(row.premium as string)).toBe(group.reduce((sum, each) => sum + tenths(each.premium), 0n))
    for (const field of ['price', 'delta', 'theta', 'nbbo_bid', 'nbbo_ask'] as const) {
      const valued = group.filter(each => each[field] !== null)
      const sum = valued.reduce((to, each) => to + tenths(each[field] as string) * BigInt(each.size), 0n)
      const shown = row[field] as string | null
      if (valued.length === 0) expect(shown).toBeNull()
      // Half of the last place from the exact mean: |shown × size − sum| ≤ size / 2, in units of 10^−10.
      else {
        const rest = tenths(shown as string) * BigInt(total(valued)) - sum
        expect(2n * (rest < 0n ? -rest : rest), field).toBeLessThanOrEqual(BigInt(total(valued)))
      }
    }
  }
})

/** A decimal as a whole number of 10^−10. */
function tenths(value: string): bigint {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(value) ?? []
  return BigInt(`${sign}${whole}${fraction.padEnd(10, '0')}`)
}
