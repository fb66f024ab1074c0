import { expect, test } from 'vitest'
import { previewOf } from '../../src/lake/generate/preview.ts'

test('a preview has the last two sessions of the market, fewer trades and chains, and the same first day', () => {
  const whole = { seed: 1, days: 30, tickers: 200, tradesPerDay: 100_000 }
  expect(previewOf(whole)).toEqual({
    seed: 1,
    days: 2,
    warmSessions: 288, // 260 + 30 − 2
    warmChains: 10,
    tickers: 50,
    tradesPerDay: 20_000,
    whole,
  })
})

test('a market of two sessions that is not small has a preview with fewer chains', () => {
  const whole = { seed: 1, days: 2, tickers: 50, tradesPerDay: 20_000 }
  expect(previewOf(whole)).toEqual({ ...whole, warmSessions: 260, warmChains: 10, whole })
})

test('a small market is its own preview', () => {
  const whole = { seed: 1, days: 2, tickers: 10, tradesPerDay: 5000 }
  expect(previewOf(whole)).toBe(whole)
})
