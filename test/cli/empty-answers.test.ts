import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { importOptionDays } from '../fixtures/option-days.ts'
import { tapehouseHere } from './in-process.ts'
import { tapehouse } from './process.ts'

const folder = temporaryFolder()
let lake: string
beforeAll(async () => {
  lake = await importOptionDays(folder, [{ date: '2024-01-12', trades: { ACME: 3 } }])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const query = (...args: string[]) => tapehouseHere(['query', ...args, '--format', 'csv', '--lake', lake])

test.each([
  [
    ['oi-per-expiry', '--ticker', 'nope'],
    'unknown_ticker): neither contract_days nor tickers has NOPE: check the spelling, or import data with tapehouse import option-trades',
  ],
  [
    ['oi-per-expiry', '--ticker', 'acme', '--date', '2024-01-13'],
    'no_session): the exchange is closed on 2024-01-13: choose a trading day, contract_days has 2024-01-12',
  ],
  [
    ['oi-per-expiry', '--ticker', 'acme', '--date', '2024-01-16'],
    'outside_lake): contract_days has 2024-01-12: choose a date in between, or import data with tapehouse import option-trades',
  ],
  [
    ['greeks', '--ticker', 'acme', '--expiry', '2024-12-20'],
    'dataset_missing): the lake has no option_chain_days: import data with tapehouse import option-chain',
  ],
  [
    ['flow-alerts'],
    'no_match): flow_alerts has no rows: it is derived, and none results from option_trades\n',
  ],
  [
    ['contract-flow', '--id', 'ACME241220C00999000'],
    'no_match): no row of option_trades matches: relax the filters or choose another date, option_trades has 2024-01-12',
  ],
])('query says on standard error why the answer to %j is empty, and what to do', async (args, note) => {
  const { code, stderr } = await query(...args)
  expect(code).toBe(0)
  expect(stderr.startsWith(`note: the answer is empty (${note}`), stderr).toBe(true)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

test('query says nothing of an answer with rows', async () => {
  expect((await query('oi-per-expiry', '--ticker', 'acme')).stderr).toBe('')
})

test('query and stream say that the data are synthetic', async () => {
  const market = await sharedMarket('day')
  const note = /^note: all data of this lake are synthetic\n/
  const answered = await tapehouseHere([
    'query',
    'institutions',
    '--limit',
    '1',
    '--format',
    'csv',
    '--lake',
    market,
  ])
  expect(answered.stderr).toMatch(note)
  const streamed = await tapehouse(['stream', '--speed', 'max', '--format', 'json', '--lake', market])
  expect(streamed.stderr).toMatch(note)
})

/** The dataset that each operation names in a lake that has only posts, and the imports that fill it. */
const LACKING: Readonly<Record<string, string>> = {
  alerts: 'alerts: alerts',
  'analytics-window': 'stock_days: daily-bars or minute-bars',
  'cash-flows': 'cash_flow_statements: cash-flow',
  'congress-late-reports': 'congress_trades: congress-house or congress-senate',
  'congress-politicians': 'congress_trades: congress-house or congress-senate',
  'contract-flow': 'option_trades: option-trades or option-bars',
  'contract-volume-profile': 'option_trades: option-trades or option-bars',
  'crypto-ohlc': 'crypto_candles: crypto-bars',
  'darkpool-price-levels': 'price_levels: stock-trades',
  economy: 'economic_points: fred',
  'etf-holdings': 'etf_holdings: etf-holdings',
  'etf-info': 'etfs: etf-holdings or etf-info',
  'fec-companies': 'fec_companies: fec-bulk',
  'flow-alerts': 'flow_alerts: option-trades or option-bars',
  'forex-rate': 'fx_quotes: fx-rates',
  greeks: 'option_chain_days: option-chain or option-open-interest',
  'insider-buy-sells': 'insider_trades: sec-ownership',
  insiders: 'insiders: sec-ownership',
  'institution-holdings': 'institution_positions: sec-13f',
  'institution-sectors': 'institution_positions: sec-13f',
  institutions: 'institution_totals: sec-13f',
  'multi-leg-legs': 'multi_leg_legs: option-trades or option-bars',
  'oi-per-expiry': 'contract_days: option-trades or option-bars or option-chain or option-open-interest',
  'option-stance': 'contract_days: option-trades or option-bars or option-chain or option-open-interest',
  'potus-posts': 'none',
  'prediction-insiders': 'prediction_positions: prediction-positions',
  'prediction-liquidity': 'prediction_books: prediction-books',
  'screener-option-contracts':
    'contract_days: option-trades or option-bars or option-chain or option-open-interest',
  'volume-oi-expiry': 'contract_days: option-trades or option-bars or option-chain or option-open-interest',
}

test('each operation says which dataset a lake lacks, and the imports that fill it', async () => {
  const other = temporaryFolder()
  const posts = join(other, 'posts.csv')
  writeFileSync(posts, 'id,date,timestamp,post\n1,2024-01-12,2024-01-12T00:00:00Z,x\n')
  await tapehouseHere(['import', 'csv', 'posts', posts, '--lake', join(other, 'lake')])
  const found: Record<string, string> = {}
  for (const { id, parameters } of operations) {
    const needed = Object.entries(parameters).filter(([, each]) => each.in === 'path' || each.required)
    const args = needed.flatMap(([name, { example }]) => [`--${name.replaceAll('_', '-')}`, `${example}`])
    const query = ['query', id, ...args, '--format', 'csv', '--lake', join(other, 'lake')]
    const { stderr } = await tapehouseHere(query)
    const [, dataset, imports] =
      /the lake has no (\w+): import data with tapehouse import ([\w-]+(?: or [\w-]+)*)/.exec(stderr) ?? []
    found[id] = stderr === '' ? 'none' : `${dataset}: ${imports}`
  }
  expect(found).toEqual(LACKING)
  rmSync(other, { recursive: true, force: true })
})
