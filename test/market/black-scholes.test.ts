import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Greeks,
  intrinsicValue,
  type OptionTerms,
  optionGreeks,
  optionPrice,
} from '../../src/market/black-scholes.ts'
import { randomRuns } from '../fixtures/tier.ts'
import { type Published, publishedGreeks } from './published-greeks.ts'

/** Our figure for a published one, and how many of our units one of theirs has; null for a greek that we have not. */
function ours({ greek, terms, volatility, unit }: Published): number | null {
  const greeks = optionGreeks(terms, volatility)
  const price = optionPrice(terms, volatility)
  const perDay = unit.includes('365')
  const perPoint = unit.includes('/100')
  switch (greek) {
    case 'price':
      return price
    case 'delta':
    case 'gamma':
      return greeks[greek]
    case 'elasticity':
      return (greeks.delta * terms.spot) / price
    case 'theta_per_365':
      return greeks.theta
    case 'theta':
      return greeks.theta * 365
    case 'vega':
    case 'rho':
    case 'vanna':
      return perPoint ? greeks[greek] : greeks[greek] * 100
    case 'charm':
      // One source prints the derivative by the time left, not by the time passed.
      return perDay ? (unit.includes('SIGN OPPOSITE') ? -greeks.charm : greeks.charm) : greeks.charm * 365
    default:
      return null
  }
}

describe('published figures', () => {
  const published = publishedGreeks()

  test('are compared but for the two greeks that chains have not', () => {
    const left = published.filter(each => ours(each) === null).map(({ greek }) => greek)
    expect(new Set(left)).toEqual(new Set(['dividend_rho', 'vomma']))
    expect(published.length - left.length).toBe(66)
  })

  test.each(published.filter(each => ours(each) !== null))('line $line: $greek, $source', each => {
    expect(Math.abs((ours(each) ?? Number.NaN) - each.value)).toBeLessThan(each.tolerance)
  })
})

const terms = fc.record({
  type: fc.constantFrom('call' as const, 'put' as const),
  spot: fc.double({ min: 40, max: 250, noNaN: true }),
  strike: fc.double({ min: 40, max: 250, noNaN: true }),
  years: fc.double({ min: 0.05, max: 3, noNaN: true }),
  rate: fc.double({ min: -0.05, max: 0.15, noNaN: true }),
  dividendYield: fc.double({ min: -0.05, max: 0.15, noNaN: true }),
})
const volatilities = fc.double({ min: 0.15, max: 2, noNaN: true })

/** The derivative of `f` at `x` by central differences, once extrapolated (Richardson): error of order step⁴. */
function derivative(f: (x: number) => number, x: number, step: number): number {
  const central = (h: number) => (f(x + h) - f(x - h)) / (2 * h)
  return (4 * central(step / 2) - central(step)) / 3
}

describe('Black-Scholes', () => {
  test('greeks are the derivatives of the price and of delta, in their units', () => {
    fc.assert(
      fc.property(terms, volatilities, (contract, volatility) => {
        const price = (changed: Partial<OptionTerms>, at = volatility) =>
          optionPrice({ ...contract, ...changed }, at)
        const delta = (changed: Partial<OptionTerms>, at = volatility) =>
          optionGreeks({ ...contract, ...changed }, at).delta
        const { spot, years, rate } = contract
        const expected: Greeks = {
          delta: derivative(at => price({ spot: at }), spot, spot / 1000),
          gamma: derivative(at => delta({ spot: at }), spot, spot / 1000),
          theta: -derivative(at => price({ years: at }), years, years / 100) / 365,
          vega: derivative(at => price({}, at), volatility, 1e-3) / 100,
          rho: derivative(at => price({ rate: at }), rate, 1e-3) / 100,
          charm: -derivative(at => delta({ years: at }), years, years / 100) / 365,
          vanna: derivative(at => delta({}, at), volatility, 1e-3) / 100,
        }
        const greeks = optionGreeks(contract, volatility)
        for (const [name, value] of Object.entries(expected)) {
          const actual = greeks[name as keyof Greeks]
          expect(Math.abs(actual - value), name).toBeLessThan(1e-5 * Math.abs(value) + 1e-7)
        }
      }),
      { numRuns: randomRuns(125), seed: 20240103 },
    )
  })

  test('calls and puts of one strike are a forward, and so are their greeks', () => {
    fc.assert(
      fc.property(terms, volatilities, (contract, volatility) => {
        const of = (type: 'call' | 'put') => ({
          price: optionPrice({ ...contract, type }, volatility),
          ...optionGreeks({ ...contract, type }, volatility),
        })
        const { spot, strike, years, rate, dividendYield } = contract
        const [call, put] = [of('call'), of('put')]
        const a = Math.exp(-dividendYield * years)
        const b = Math.exp(-rate * years)
        const near = (actual: number, expected: number) =>
          expect(Math.abs(actual - expected)).toBeLessThan(1e-12 * (spot + strike))
        near(call.price - put.price, spot * a - strike * b)
        near(call.delta - put.delta, a)
        near(call.theta - put.theta, (dividendYield * spot * a - rate * strike * b) / 365)
        near(call.rho - put.rho, (years * strike * b) / 100)
        near(call.charm - put.charm, (dividendYield * a) / 365)
        expect([put.gamma, put.vega, put.vanna]).toEqual([call.gamma, call.vega, call.vanna])
      }),
      { numRuns: randomRuns(125), seed: 20240104 },
    )
  })
})

describe('at the limits', () => {
  const contract = (changed: Partial<OptionTerms>): OptionTerms => ({
    type: 'call',
    spot: 100,
    strike: 90,
    years: 0.5,
    rate: 0,
    dividendYield: 0,
    ...changed,
  })
  const step = (delta: unknown) => {
    const zero = expect.closeTo(0, 15)
    return { delta, gamma: 0, theta: zero, vega: 0, rho: expect.any(Number), charm: zero, vanna: zero }
  }

  test.each([
    ['call', 90, 10, 1],
    ['call', 110, 0, 0],
    ['call', 100, 0, 0.5],
    ['put', 90, 0, 0],
    ['put', 110, 10, -1],
    ['put', 100, 0, -0.5],
  ] as const)(
    'a %s of strike %f on 100 is its payoff without time or volatility',
    (type, strike, price, delta) => {
      for (const [years, volatility] of [
        [0, 0.3],
        [0.5, 0],
        [0, 0],
      ] as const) {
        const terms = contract({ type, strike, years })
        expect(optionPrice(terms, volatility)).toBe(price)
        expect(optionGreeks(terms, volatility)).toEqual(step(expect.closeTo(delta, 15)))
      }
    },
  )

  test('the carry of a sure payoff remains: 100 at a yield of 3 % against 90 at 5 %', () => {
    // A - B = 100 e^-0.015 - 90 e^-0.025; theta = (0.03 × 98.5112 - 0.05 × 87.7779) / 365; rho = 0.5 × 87.7779 / 100.
    const terms = contract({ rate: 0.05, dividendYield: 0.03 })
    expect(optionPrice(terms, 0)).toBeCloseTo(98.511194 - 87.777892, 5)
    const greeks = optionGreeks(terms, 0)
    expect(greeks.theta).toBeCloseTo((2.9553358 - 4.3888946) / 365, 9)
    expect(greeks.rho).toBeCloseTo(0.43888946, 7)
  })

  test('no figure is ever NaN or infinite in the wings, the last second and the wildest volatility', () => {
    for (const type of ['call', 'put'] as const)
      for (const strike of [1e-3, 1, 99.99, 100, 100.01, 1e4, 99_999.999])
        for (const years of [0, 1e-12, 1 / 365 / 86_400, 1 / 365, 3, 30])
          for (const volatility of [0, 1e-12, 1e-4, 0.2, 5, 200]) {
            const terms = contract({ type, strike, years })
            const figures = [
              optionPrice(terms, volatility),
              ...Object.values(optionGreeks(terms, volatility)),
            ]
            expect(figures.every(Number.isFinite), `${type} ${strike} ${years} ${volatility}`).toBe(true)
            expect(figures[0]).toBeGreaterThanOrEqual(intrinsicValue(terms))
          }
  })
})
