import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
