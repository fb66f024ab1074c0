import { expect, test } from 'vitest'
import { previewOf } from '../../src/lake/generate/preview.ts'

test('a preview has the last two sessions of the market, fewer trades and chains, and the same first day', () => {
  const whole = { seed: 1, days: 30, tickers: 200, tradesPerDay: 100_000 }
  expect(previewOf(whole)).toEqual({
    seed: 1,
    days: 2,
    warmSessions: 288, // 260 + 30 − 2
    warmChains: 3,
    tickers: 50,
    tradesPerDay: 20_000,
    whole,
  })
})

test('a market of one session has a preview too, with fewer chains before', () => {
  const whole = { seed: 1, days: 1, tickers: 10, tradesPerDay: 5000 }
  expect(previewOf(whole)).toEqual({ ...whole, warmSessions: 260, warmChains: 3, whole })
})
