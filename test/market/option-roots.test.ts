import { expect, test } from 'vitest'
import { isMonthlyExpiry } from '../../src/market/monthly-expiry.ts'
import { settlementOf, underlyingOf } from '../../src/market/option-roots.ts'

test.each([
  ['AAPL', 'AAPL'],
  ['SPX', 'SPX'],
  ['SPXW', 'SPX'],
  ['SPXPM', 'SPX'],
  ['NDXP', 'NDX'],
  ['RUTW', 'RUT'],
  ['VIXW', 'VIX'],
  ['XSP', 'XSP'],
  ['NANOS', 'NANOS'],
  ['BRKB', 'BRK.B'],
  ['BFB', 'BF.B'],
  ['AAPL1', 'AAPL'],
  ['BRKB2', 'BRK.B'],
  ['2SPY', 'SPY'],
  ['4SPX', 'SPX'],
  ['123', '123'],
  ['constructor', 'constructor'],
])('contracts of root %s are on %s', (root, underlying) => {
  expect(underlyingOf(root)).toBe(underlying)
})

/** Dates from the calendars of the Options Clearing Corporation. */
test.each([
  ['2024-01-19', true, 'the third Friday'],
  ['2024-01-12', false, 'the second Friday'],
  ['2024-01-26', false, 'the fourth Friday'],
  ['2023-12-15', true, 'the 15th, the earliest third Friday'],
  ['2024-06-21', true, 'the 21st, the latest'],
  ['2024-01-18', false, 'the Thursday before an open Friday'],
  ['2019-04-18', true, 'the Thursday before Good Friday'],
  ['2019-04-19', true, 'the Good Friday itself, as some sources write it'],
  ['2026-06-18', true, 'the Thursday before Juneteenth'],
  ['2014-01-18', true, 'the Saturday after the third Friday'],
  ['2014-06-21', true, 'the Saturday after the third Friday, the 21st'],
  ['2014-06-14', false, 'the Saturday after the second'],
  ['2024-01-17', false, 'a Wednesday'],
  ['2024-03-28', false, 'the Thursday before a Good Friday that is the fifth Friday'],
])('%s is a monthly expiry: %s, %s', (expiry, monthly) => {
  expect(isMonthlyExpiry(expiry)).toBe(monthly)
})

test.each([
  ['SPX', '2024-01-19', 'AM'],
  ['SPX', '2019-04-18', 'AM'],
  ['SPX', '2024-01-26', 'PM'],
  ['SPXW', '2024-01-19', 'PM'],
  ['SPXPM', '2014-01-17', 'PM'],
  ['NDX', '2024-01-19', 'AM'],
  ['NDXP', '2024-01-19', 'PM'],
  ['RUT', '2024-01-19', 'AM'],
  ['RUTW', '2024-01-26', 'PM'],
  ['DJX', '2024-01-19', 'AM'],
  // Both expire on Wednesdays.
  ['VIX', '2024-01-17', 'AM'],
  ['VIXW', '2024-01-24', 'AM'],
  ['XSP', '2024-01-19', 'PM'],
  ['AAPL', '2024-01-19', 'PM'],
  ['AAPL1', '2024-01-19', 'PM'],
] as const)('contracts of root %s that expire on %s are %s-settled', (root, expiry, settlement) => {
  expect(settlementOf(root, expiry)).toBe(settlement)
})
