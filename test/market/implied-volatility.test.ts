import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  discountedSpot,
  discountedStrike,
  intrinsicValue,
  type OptionTerms,
  optionGreeks,
  optionPrice,
} from '../../src/market/black-scholes.ts'
import { impliedVolatility } from '../../src/market/implied-volatility.ts'
import { randomRuns } from '../fixtures/tier.ts'

const HOUR = 1 / 365 / 24

/**
 * Asserts that the volatility implied by the price at `volatility` has that price again, and is that volatility
 * wherever the price, a double, determines it to 1e-8. Returns whether it does; where no volatility is implied,
 * asserts that the price is one of doubles that do not tell.
 */
function goesRound(terms: OptionTerms, volatility: number): boolean {
  const price = optionPrice(terms, volatility)
  const forward = discountedSpot(terms)
  const larger = Math.max(forward, discountedStrike(terms))
  const bound = terms.type === 'call' ? forward : discountedStrike(terms)
  const intrinsic = intrinsicValue(terms)
  const description = `${JSON.stringify(terms)} at ${volatility}`
  const implied = impliedVolatility(terms, price)
  if (implied === null) {
    const nearIntrinsic = intrinsic > 0 ? price - intrinsic <= 1e-14 * larger : price === 0
    expect(nearIntrinsic || bound - price <= 1e-14 * larger, description).toBe(true)
    return false
  }
  const tolerance = 1e-12 * Math.max(price, forward * Number.EPSILON)
  expect(Math.abs(optionPrice(terms, implied) - price), description).toBeLessThanOrEqual(tolerance)
  const vega = optionGreeks(terms, volatility).vega * 100
  const rounding = 16 * Number.EPSILON * Math.max(price, intrinsic > 0 ? larger : 0)
  const isDetermined = vega * 1e-8 > rounding && price > 1e-290
  if (isDetermined) expect(Math.abs(implied - volatility), description).toBeLessThan(1e-8)
  return isDetermined
}

describe('the implied volatility', () => {
  test('goes round by the price from an hour to 3 years, from deep wing to deep wing, from 1 % to 500 %', () => {
    let determined = 0
    let all = 0
    for (const type of ['call', 'put'] as const)
      for (const years of [HOUR, 6.5 * HOUR, 24 * HOUR, 7 / 365, 30 / 365, 0.5, 1, 3])
        for (const volatility of [0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 1, 2, 3.5, 5])
          for (const moneyness of [
            -3, -1, -0.4, -0.1, -0.03, -0.01, -0.001, -1e-6, 0, 1e-9, 0.002, 0.05, 0.2, 0.7, 2,
          ]) {
            const terms = {
              type,
              spot: 100,
              strike: 100 * Math.exp(moneyness),
              years,
              rate: 0,
              dividendYield: 0,
            }
            all += 1
            if (goesRound(terms, volatility)) determined += 1
          }
    // Far out of the money in the last hours the price is 0 or lost in the intrinsic value's rounding.
    expect(determined / all).toBeGreaterThan(0.6)
  })

  test('goes round by the price for any contract, interest and yield', () => {
    const terms = fc.record({
      type: fc.constantFrom('call' as const, 'put' as const),
      spot: fc.double({ min: 0.01, max: 50_000, noNaN: true }),
      strike: fc.double({ min: 0.01, max: 50_000, noNaN: true }),
      years: fc.double({ min: HOUR, max: 3, noNaN: true }),
      rate: fc.double({ min: -0.02, max: 0.2, noNaN: true }),
      dividendYield: fc.double({ min: -0.02, max: 0.2, noNaN: true }),
    })
    const near = fc.record({ contract: terms, standing: fc.double({ min: -4, max: 4, noNaN: true }) })
    const volatilities = fc.double({ min: 0.01, max: 5, noNaN: true })
    fc.assert(
      fc.property(terms, volatilities, (contract, volatility) => {
        goesRound(contract, volatility)
      }),
      { numRuns: randomRuns(750), seed: 1 },
    )
    // Strikes within four deviations of the spot, where contracts trade.
    fc.assert(
      fc.property(near, volatilities, ({ contract, standing }, volatility) => {
        const strike = contract.spot * Math.exp(standing * volatility * Math.sqrt(contract.years))
        goesRound({ ...contract, strike }, volatility)
      }),
      { numRuns: randomRuns(1250), seed: 2 },
    )
  })

  test('is determined by the price of every contract within two deviations', () => {
    for (const type of ['call', 'put'] as const)
      for (const years of [HOUR, 1 / 365, 0.1, 3])
        for (const volatility of [0.05, 0.2, 1, 3])
          for (const standing of [-2, -1, -0.1, 0, 0.1, 1, 2]) {
            const strike = 100 * Math.exp(standing * volatility * Math.sqrt(years))
            expect(goesRound({ type, spot: 100, strike, years, rate: 0, dividendYield: 0 }, volatility)).toBe(
              true,
            )
          }
  })

  test('at the money of a quarter of a year at 3.9876 is 20 %', () => {
    // 100 (2 Φ(0.05) - 1) with Φ(0.05) = 0.519938806, from a printed table of Φ.
    const terms = { type: 'call', spot: 100, strike: 100, years: 0.25, rate: 0, dividendYield: 0 } as const
    expect(impliedVolatility(terms, 3.9877612)).toBeCloseTo(0.2, 7)
  })
})

describe('no volatility is implied', () => {
  const call = { type: 'call', spot: 105.15, strike: 100, years: 0.25, rate: 0, dividendYield: 0 } as const
  const put = { ...call, type: 'put', strike: 110 } as const

  test.each([
    ['below the intrinsic value', call, 5.14],
    // 105.15 - 100 is 5.150000000000006 in doubles, which must not count as less or more.
    ['at the intrinsic value of a call', call, 5.15],
    ['a rounding above it', call, 5.15 + 2e-14],
    ['at the intrinsic value of a put', put, 4.85],
    ['at 0', { ...call, strike: 120 }, 0],
    ['below 0', { ...call, strike: 120 }, -0.01],
    ['at the spot for a call', call, 105.15],
    ['above the spot for a call', call, 106],
    ['at the strike for a put', put, 110],
    ['without time', { ...call, years: 0 }, 7],
    ['after expiry', { ...call, years: -0.1 }, 7],
    ['by no number', call, Number.NaN],
    ['by an infinite price', call, Number.POSITIVE_INFINITY],
    ['without an underlying', { ...put, spot: 0 }, 7],
  ] as const)('%s', (_, terms, price) => {
    expect(impliedVolatility(terms, price)).toBeNull()
  })

  test('but a cent of time value implies one, and so does the smallest price out of the money', () => {
    expect(impliedVolatility(call, 5.16)).toBeGreaterThan(0)
    expect(impliedVolatility(put, 4.86)).toBeGreaterThan(0)
    expect(impliedVolatility({ ...call, strike: 300 }, 1e-300)).toBeGreaterThan(0)
    expect(impliedVolatility(call, 105.14)).toBeGreaterThan(0)
  })

  test('counts the intrinsic value of a forward: a put below its discounted strike less the spot', () => {
    // 110 e^(-0.05) - 105.15 = 104.635 - 105.15 < 0: out of the money, though 110 > 105.15.
    const terms = { ...put, years: 1, rate: 0.05 }
    expect(impliedVolatility(terms, 1)).toBeGreaterThan(0)
    expect(impliedVolatility(terms, 104.64)).toBeNull()
  })
})
