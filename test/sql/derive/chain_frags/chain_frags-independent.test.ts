import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openWriter } from '../../../../src/engine/writer.ts'
import { derived, derivedBy } from '../../../fixtures/derive.ts'
import { temporaryFolder } from '../../../fixtures/lake.ts'
import { amount } from '../../../fixtures/tier.ts'
import { makeMarket, SMALL } from '../../generate/made-market.ts'
import { jsonRows } from '../json-rows.ts'
import type { Derived } from '../option-tape.ts'
import { chainFragsByHand } from './chain-frags-by-hand.ts'

const DAY = '2024-01-03'
const CONDITIONS = [
  'auto',
  'isoi',
  'slft',
  'mlft',
  'mfsl',
  'tlft',
  'tfsl',
  'slcn',
  'slci',
  'mlct',
  'tlct',
  null,
]

/** Numbers from 0 to below `count` that are the same in every run: Lehmer's generator, 48271 modulo 2^31 − 1. */
function numbers(seed: number) {
  let state = seed
  return (count: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % count
  }
}

type Made = Record<string, string | number | boolean | null>

/**
 * A tape of 300 contracts: few moments, so that many trades share one, on the marks and a microsecond before them; ids
 * in no order; gaps in everything that may be unknown.
 */
function tapeOf(count: number, seed: number): Made[] {
  const draw = numbers(seed)
  const maybe = (value: string | number) => (draw(5) === 0 ? null : value)
  const decimal = (units: number, places: number) => (units / 10 ** places).toFixed(places)
  const moments = ['14:30:00', '14:34:59.999999', '14:35:00', '14:36:12.5', '14:39:59.999999', '14:40:00']
  return Array.from({ length: count }, (_, place): Made => {
    const ticker = ['ACME', 'BRASS', 'COG'][draw(3)] ?? ''
    const size = draw(25) === 0 ? 0 : 1 + draw(900)
    const side = draw(4)
    const number = String((place * 7919) % count).padStart(12, '0')
    return {
      id: `${draw(16).toString(16)}0000000-0000-4000-8000-${number}`,
      date: draw(40) === 0 ? '2024-01-04' : DAY,
      underlying_symbol: ticker,
      option_chain_id: `${ticker}240119C${String(1000 * (1 + draw(100))).padStart(8, '0')}`,
      executed_at: `${DAY} ${moments[draw(moments.length)]}`,
      price: decimal(1 + draw(draw(2) === 0 ? 90_000 : 90_000_000), 4),
      size,
      premium: decimal(draw(2_000_000_000), 4),
      canceled: draw(10) === 0,
      ask_vol: side === 0 ? size : 0,
      bid_vol: side === 1 ? size : 0,
      mid_vol: side === 2 ? size : 0,
      no_side_vol: side === 3 ? size : 0,
      multi_vol: draw(4) === 0 ? size : 0,
      stock_multi_vol: draw(6) === 0 ? size : 0,
      upstream_condition_detail: CONDITIONS[draw(CONDITIONS.length)] ?? null,
      open_interest: maybe(draw(5000)),
      underlying_price: maybe(decimal(draw(5_000_000), 4)),
      implied_volatility: maybe(decimal(draw(2_000_000_000), 9)),
      delta: maybe(decimal(draw(2_000_000_001) - 1_000_000_000, 9)),
      gamma: maybe(decimal(draw(2_000_000_000), 10)),
    }
  })
}

const ofDay = { from: DAY, to: DAY }

test('a random tape of 300 contracts agrees with whole numbers added up trade by trade', {
  tags: 'slow',
}, async () => {
  const tape = tapeOf(12_000, 3)
  const hand = chainFragsByHand(DAY, tape)
  expect(new Set(hand.map(row => row.option_symbol)).size).toBe(300)
  expect(await derived('chain_frags', ofDay, { option_trades: jsonRows(tape) })).toEqual(hand)
})

test('generated days agree with whole numbers added up trade by trade', { tags: 'slow' }, async () => {
  const made = await makeMarket({
    ...SMALL,
    days: 2,
    tradesPerDay: amount({ test: 2000, prove: 4000, long: 40_000 }),
    seed: 5,
  })
  try {
    // All columns but the lists of texts, which the frags do not read.
    const tape = await made.rows('SELECT * EXCLUDE (tags, report_flags) FROM option_trades')
    const days = [...new Set(tape.map(row => String(row.date)))]
    expect(days).toHaveLength(2)
    for (const day of days) {
      const hand = chainFragsByHand(day, tape)
      expect(new Set(hand.map(row => row.option_symbol)).size).toBeGreaterThan(
        amount({ test: 150, prove: 300, long: 300 }),
      )
      const input = { option_trades: jsonRows(tape as Made[]) }
      expect(await derived('chain_frags', { from: day, to: day }, input)).toEqual(hand)
    }
  } finally {
    made.writer.close()
  }
})

test('one thread and two make the same rows of several row groups, whatever their order', {
  tags: 'slow',
}, async () => {
  const tape = tapeOf(6000, 11)
  const hand = chainFragsByHand(DAY, tape)
  // 25 copies are 150,000 trades, more than a row group holds. Each copy is of contracts and ids of its own.
  const copies = (order: string) => `
    SELECT * EXCLUDE (copy) REPLACE (
      concat(chr(65 + copy::INTEGER), option_chain_id) AS option_chain_id,
      replace(id, '-4000-', concat('-4', lpad(copy::VARCHAR, 3, '0'), '-')) AS id
    )
    FROM (${jsonRows(tape)}), range(25) AS copies (copy)
    ORDER BY ${order}`
  const folder = temporaryFolder()
  const writers = await Promise.all([1, 2].map(threads => openWriter({ directories: [folder], threads })))
  try {
    const results: Derived[][] = []
    for (const [turn, writer] of writers.entries()) {
      const order = turn === 0 ? 'option_chain_id, executed_at, id' : 'hash(id), id DESC'
      results.push(await derivedBy(writer, folder, 'chain_frags', ofDay, { option_trades: copies(order) }))
    }
    const [one = [], two = []] = results
    expect(one).toHaveLength(25 * hand.length)
    expect(two).toEqual(one)
    const first = one.filter(row => String(row.option_symbol).startsWith('A'))
    expect(first.map(row => ({ ...row, option_symbol: String(row.option_symbol).slice(1) }))).toEqual(hand)
  } finally {
    for (const writer of writers) writer.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
