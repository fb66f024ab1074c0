import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Errors } from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inputFor, requestsFor } from '../../../src/cli/smoke/requests.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { openWriter } from '../../../src/engine/writer.ts'
import { generate } from '../../../src/lake/generate/generate.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { loadSnapshot, type Snapshot } from '../../../src/lake/store/snapshot.ts'
import { type Pinned, pin } from '../../../src/operations/answering/answer.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { operations } from '../../../src/operations/index.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { openProfiler, type Scans } from '../../fixtures/scans.ts'
import { engineFor } from '../../fixtures/service.ts'
import { amount } from '../../fixtures/tier.ts'
import { SPECIFIED } from '../specification/parameters.ts'

/** Work grows with the answer and not with the lake: what each operation reads, by DuckDB's own account. */

interface Bound {
  /** Files of each dataset at most, over 30 days of options and all of the daily series. */
  readonly files: Readonly<Record<string, number>>
  /** Rows that pass the filters of the scans at most: about twice what the answer is made of. */
  readonly rows: number
  /** Range columns that a request's own value rules files out by. */
  readonly by?: Readonly<Record<string, string>>
  /** Why more days of options mean more files; missing if they do not. */
  readonly grows?: string
}

/** Of a market of 8 tickers and 2,000 option trades a day. */
const BOUNDS: Readonly<Record<string, Bound>> = {
  // All contracts of a day, once to filter and sort, once more the columns of those that are shown.
  'screener-option-contracts': { files: { contract_days: 1 }, rows: 6_000 },
  // One file a report, by quarters.
  'institution-holdings': {
    files: { institution_positions: 9 },
    rows: 500,
    by: { institution_positions: 'cik' },
  },
  // 14 days, the first and the last of them cut.
  alerts: { files: { alerts: 15 }, rows: 700 },
  'contract-volume-profile': {
    files: { option_trades: 1 },
    rows: 600,
    by: { option_trades: 'option_chain_id' },
  },
  'volume-oi-expiry': { files: { contract_days: 1 }, rows: 600, by: { contract_days: 'underlying_symbol' } },
  // Each politician's latest trade is found among all of them, by months.
  'congress-politicians': { files: { congress_trades: 24 }, rows: 1_200 },
  'institution-sectors': {
    files: { institution_positions: 9 },
    rows: 500,
    by: { institution_positions: 'cik' },
  },
  'analytics-window': {
    files: { stock_days: 2, price_adjustments: 1 },
    rows: 1_600,
    by: { stock_days: 'ticker' },
  },
  'congress-late-reports': { files: { congress_trades: 24 }, rows: 1_200 },
  'etf-info': {
    files: { etfs: 2, stock_days: 1, option_ticker_days: 1 },
    rows: 40,
    by: { etfs: 'ticker', stock_days: 'ticker', option_ticker_days: 'ticker' },
  },
  'option-stance': {
    files: { contract_days: 1, option_volatility_days: 1 },
    rows: 600,
    by: { contract_days: 'underlying_symbol', option_volatility_days: 'ticker' },
  },
  // A file for each month with a filing of the ticker, which the answer includes.
  'insider-buy-sells': { files: { insider_trades: 13 }, rows: 80, by: { insider_trades: 'ticker' } },
  // 500 hours of a pair, and a quarter more.
  'crypto-ohlc': { files: { crypto_candles: 28 }, rows: 40_000, by: { crypto_candles: 'pair' } },
  insiders: { files: { insiders: 1 }, rows: 20, by: { insiders: 'ticker' } },
  'oi-per-expiry': { files: { contract_days: 1 }, rows: 600, by: { contract_days: 'underlying_symbol' } },
  economy: { files: { economic_points: 1 }, rows: 700, by: { economic_points: 'indicator' } },
  'darkpool-price-levels': { files: { price_levels: 1 }, rows: 800, by: { price_levels: 'ticker' } },
  'prediction-insiders': { files: { prediction_positions: 1 }, rows: 240 },
  'contract-flow': {
    files: { option_trades: 1, flow_alerts: 1, tickers: 2 },
    rows: 200,
    by: { option_trades: 'option_chain_id', flow_alerts: 'option_chain' },
  },
  greeks: {
    files: { option_chain_days: 1, option_greek_days: 1 },
    rows: 400,
    by: { option_chain_days: 'underlying_symbol', option_greek_days: 'underlying_symbol' },
  },
  'fec-companies': { files: { fec_companies: 1 }, rows: 40 },
  'potus-posts': { files: { posts: 2 }, rows: 400 },
  'flow-alerts': {
    files: { flow_alerts: 30 },
    rows: 600,
    grows: 'it goes back over as many days as hold 100 alerts, and few are raised on a day of so few trades',
  },
  institutions: { files: { institution_totals: 9, institutions: 1 }, rows: 900 },
  'etf-holdings': {
    files: { etf_holdings: 31, stock_days: 1, option_ticker_days: 1 },
    rows: 140,
    by: { etf_holdings: 'etf' },
  },
  'cash-flows': { files: { cash_flow_statements: 1 }, rows: 40, by: { cash_flow_statements: 'ticker' } },
  'multi-leg-legs': { files: { multi_leg_legs: 1 }, rows: 40, by: { multi_leg_legs: 'multi_leg_id' } },
  'prediction-liquidity': { files: { prediction_books: 6 }, rows: 12, by: { prediction_books: 'asset_id' } },
  // A direct quote counts before an inverse or a crossed one, however old it is: all quotes, by years.
  'forex-rate': { files: { fx_quotes: 2 }, rows: 24_000 },
}

const DAYS = amount<readonly number[]>({ test: [4], prove: [5, 30], long: [5, 30] })
const MOST = Math.max(...DAYS)
interface Profiled {
  readonly pinned: Pinned
  readonly body: unknown
  readonly scans: Scans
}

const folder = temporaryFolder()
const profiled = new Map<string, Profiled>()
const key = (id: string, days: number) => `${id} ${days}`
const ask = (id: string, days: number) => profiled.get(key(id, days)) as Profiled

beforeAll(async () => {
  const profiler = await openProfiler()
  for (const days of DAYS) {
    const lake = join(folder, `of-${days}-days`)
    const writer = await openWriter({ directories: [folder] })
    await generate(writer, lake, { seed: 7, days, tickers: 8, tradesPerDay: 2000 }, () => {})
    writer.close()
    const snapshot = await loadSnapshot(lake)
    const engine = await engineFor(lake)
    for (const operation of operations) {
      const pinned = await requestOf(operation, snapshot, engine)
      profiled.set(key(operation.id, days), { pinned, ...(await profiler.ask(pinned, engine)) })
    }
    await engine.close()
  }
  profiler.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function requestOf(operation: Operation, snapshot: Snapshot, engine: Engine): Promise<Pinned> {
  const [values = {}] = await requestsFor(operation, snapshot, engine, new AbortController().signal)
  const validated = validate(operation, inputFor(operation, values))
  if ('faults' in validated) throw new Error(`${operation.id}: ${JSON.stringify(validated.faults)}`)
  return pin(operation, validated.values, snapshot, { owner: null, admin: true })
}

test('every operation of the specification has bounds', () => {
  expect(Object.keys(BOUNDS).toSorted()).toEqual(Object.keys(SPECIFIED).toSorted())
})

describe.each(operations.filter(({ id }) => id in BOUNDS))('$id', operation => {
  const { id } = operation
  const { files: filesMax = {}, rows: rowsMax = 0, by = {}, grows } = BOUNDS[id] ?? {}

  test('opens no more files and rows than the table says', () => {
    const { scans } = ask(id, MOST)
    const beyond = Object.entries(scans.files).filter(([name, count]) => count > (filesMax[name] ?? 0))
    expect(beyond).toEqual([])
    expect(scans.rows).toBeGreaterThan(0)
    expect(scans.rows).toBeLessThanOrEqual(rowsMax)
    expect(Object.keys(scans.files).toSorted()).toEqual(Object.keys(filesMax).toSorted())
  })

  test('opens as many files for many days of options as for few', { tags: 'slow' }, async ({ skip }) => {
    const [few, many] = DAYS.map(days => ask(id, days).scans.files)
    if (many === undefined) skip('npm run prove has a market of more days')
    if (grows === undefined && !('insider_trades' in filesMax)) expect(many).toEqual(few)
  })

  test('rules files out by what a request names', () => {
    const { reads } = ask(id, MOST).pinned.plan
    for (const [name, column] of Object.entries(by)) {
      expect(dataset(name).ranges, name).toContain(column)
      expect(reads[name]?.keys?.[column]?.length, `${name}.${column}`).toBeGreaterThan(0)
    }
  })
})

test.each(operations)('$id answers a market of its own as its schema says', ({ id, response }) => {
  for (const days of DAYS) {
    const [, errors] = Errors(response as Parameters<typeof Errors>[0], ask(id, days).body)
    expect(errors).toEqual([])
  }
})
