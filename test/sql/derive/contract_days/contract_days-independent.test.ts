import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openWriter } from '../../../../src/engine/writer.ts'
import { derivedBy } from '../../../fixtures/derive.ts'
import { temporaryFolder } from '../../../fixtures/lake.ts'
import { contractOf, type Derived, listing, type Side, trade } from '../option-tape.ts'
import { type Row, rowsAsSql } from '../rows-as-sql.ts'
import { contractDayByHand, type Given } from './contract-day-by-hand.ts'

const DAYS = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08']
// The second expires after the second day, the third after the fourth.
const SYMBOLS = ['ACME240119', 'ACME240103', 'BRASS240105'].flatMap(root =>
  ['C00090000', 'C00100000', 'C00120000', 'P00090000', 'P00100000', 'P00120000'].map(end => root + end),
)
const CONDITIONS = ['auto', 'isoi', 'slft', 'mlft', 'mfsl', 'tlft', 'tfsl', 'slcn', 'slci', 'mlct', 'tlct']
const STOCKS = { ACME: 103.37, BRASS: 95.11 }

/** Numbers from 0 to below `count` that are the same in every run: Lehmer's generator, 48271 modulo 2^31 − 1. */
function numbers(seed: number) {
  let state = seed
  return (count: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % count
  }
}

/** A day of the market: few moments, so that many trades share one, and gaps in everything that may be unknown. */
function market(date: string, seed: number) {
  const draw = numbers(seed)
  const maybe = <T>(value: T) => (draw(5) === 0 ? null : value)
  const living = SYMBOLS.filter(symbol => contractOf(symbol).expiry >= date)
  const tape = Array.from({ length: 250 }, (_, place): Row => {
    const symbol = living[draw(Math.ceil(living.length * 0.7))] ?? ''
    const size = 1 + draw(30)
    const side = (['ask', 'bid', 'mid', 'no_side'] satisfies Side[])[draw(4)] as Side
    const at = `${date} 15:00:0${draw(8)}.${100_001 + draw(3)}`
    return trade(symbol, seed * 1000 + ((place * 7) % 250), at, (100 + draw(900)) / 100, size, side, {
      upstream_condition_detail: CONDITIONS[draw(CONDITIONS.length)] ?? null,
      canceled: draw(10) === 0,
      multi_vol: draw(4) === 0 ? size : 0,
      stock_multi_vol: draw(6) === 0 ? size : 0,
      nbbo_bid: maybe((100 + draw(3)) / 100),
      nbbo_ask: maybe((110 + draw(3)) / 100),
      open_interest: maybe(draw(40)),
      underlying_price: maybe((9500 + draw(1000)) / 100),
      implied_volatility: maybe((10 + draw(50)) / 100),
      delta: maybe(draw(100) / 100),
    })
  })
  const chain = living
    .filter(() => draw(3) > 0)
    .map(symbol =>
      listing(symbol, date, {
        open_interest: maybe(draw(40)),
        underlying_price: maybe(101.5),
        bid: maybe(1.25),
        ask: maybe(1.5),
        implied_volatility: maybe(0.3),
        delta: maybe(0.5),
      }),
    )
  return { tape, chain }
}

function expectSame(row: Derived | undefined, hand: Derived) {
  const label = `${hand.option_symbol} on ${hand.date}`
  for (const [column, value] of Object.entries(hand)) {
    const found = row?.[column]
    if (typeof value === 'number')
      expect(Math.abs(Number(found ?? Number.NaN) - value), `${column} of ${label}`).toBeLessThan(
        column === 'contract_30_d_avg_volume' ? 5.001e-5 : 1e-9,
      )
    else if (Array.isArray(value))
      expect((found as string[]).map(String), `${column} of ${label}`).toEqual(value.map(String))
    else expect(found, `${column} of ${label}`).toEqual(value)
  }
}

function expectDay(rows: readonly Derived[], date: string, given: Given) {
  const symbols = new Set([
    ...given.tape.filter(row => !row.canceled).map(row => String(row.option_chain_id)),
    ...given.chain.map(row => String(row.option_symbol)),
    ...[...(given.before?.keys() ?? [])].filter(symbol => contractOf(symbol).expiry >= date),
  ])
  expect(rows.map(row => row.option_symbol)).toEqual([...symbols].sort())
  for (const row of rows) {
    const symbol = String(row.option_symbol)
    expectSame(row, contractDayByHand(symbol, date, given))
    const sides = [row.ask_side_volume, row.bid_side_volume, row.mid_volume, row.no_side_volume]
    expect(sides.reduce((total: number, side) => total + Number(side), 0)).toBe(Number(row.volume))
    const premium = Number(row.avg_price ?? 0) * Number(row.volume) * Number(row.multiplier)
    expect(premium).toBeCloseTo(Number(row.premium), 4)
    const ofTicker = rows.filter(each => each.underlying_symbol === row.underlying_symbol)
    const volume = ofTicker.reduce((total, each) => total + Number(each.volume), 0)
    expect(Number(row.ticker_vol)).toBe(volume)
  }
}

test('consecutive days agree with a recomputation in plain loops, whatever the order of the rows and the threads', {
  tags: 'slow',
}, async () => {
  const folder = temporaryFolder()
  const writers = await Promise.all([1, 2].map(threads => openWriter({ directories: [folder], threads })))
  try {
    let before: Derived[] | undefined
    for (const [place, date] of DAYS.entries()) {
      const { tape, chain } = market(date, 1 + place)
      const known = before && new Map(before.map(row => [String(row.option_symbol), row]))
      const given: Given = { tape, chain, before: known, stockCloses: STOCKS }
      const stocks = Object.entries(STOCKS).map(([ticker, close]) => ({ ticker, date, close }))
      const results: Derived[][] = []
      for (const [turn, writer] of writers.entries()) {
        const ordered = (rows: readonly Row[]) => rowsAsSql(turn === 0 ? rows : rows.toReversed())
        const inputs = {
          option_trades: ordered(tape),
          option_chain_days: ordered(chain),
          stock_days: ordered(stocks),
          ...(before && { contract_days: ordered(before) }),
        }
        results.push(await derivedBy(writer, folder, 'contract_days', { from: date, to: date }, inputs))
      }
      const [rows = [], again] = results
      expect(again).toEqual(rows)
      expectDay(rows, date, given)
      before = rows
    }
  } finally {
    for (const writer of writers) writer.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
