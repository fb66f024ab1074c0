import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeMarket, makeMarket } from './made-market.ts'

/** Φ(x) by Python: 0.5 * math.erfc(-x / math.sqrt(2)). */
const NORMAL: readonly (readonly [x: number, probability: number])[] = [
  [-9, 1.1285884059538422e-19],
  [-7.5, 3.19089167291092e-14],
  [-7.07, 7.746684865636529e-13],
  [-6, 9.865876450377012e-10],
  [-5, 2.866515718791946e-7],
  [-4.2, 1.3345749015906346e-5],
  [-3.3, 0.0004834241423837776],
  [-2.5, 0.006209665325776139],
  [-1.96, 0.024997895148220435],
  [-1.5, 0.06680720126885809],
  [-1, 0.15865525393145707],
  [-0.7, 0.24196365222307306],
  [-0.3, 0.3820885778110474],
  [-0.1, 0.460172162722971],
  [-1e-9, 0.49999999960105773],
  [0, 0.5],
  [0.001, 0.500398942213911],
  [0.25, 0.5987063256829237],
  [0.5, 0.6914624612740131],
  [1, 0.8413447460685429],
  [1.2816, 0.9000084999023248],
  [2, 0.9772498680518208],
  [2.75, 0.9970202367649454],
  [3.9, 0.9999519036559824],
  [5.5, 0.9999999810104375],
  [7.1, 0.9999999999993762],
  [12, 1],
]

/** Φ(x) = 1/2 + φ(x) Σ x^(2k+1) / (1·3·5…(2k+1)), another way than the macro's (Marsaglia, J. Stat. Softw. 11, 2004). */
function normal(x: number): number {
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0
  let [sum, term] = [x, x]
  for (let k = 1; Math.abs(term) > 1e-18 && k < 300; k += 1) {
    term *= (x * x) / (2 * k + 1)
    sum += term
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI)
}

/** Black and Scholes without interest: the value of a call, or of a put by parity; `rate` only for rho. */
function value(call: boolean, s: number, k: number, years: number, iv: number, rate = 0): number {
  const deviation = iv * Math.sqrt(years)
  const d1 = (Math.log(s / k) + rate * years) / deviation + deviation / 2
  const discounted = k * Math.exp(-rate * years)
  const worth = s * normal(d1) - discounted * normal(d1 - deviation)
  return call ? worth : worth - s + discounted
}

const slope = (of: (x: number) => number, x: number, h: number) => (of(x + h) - of(x - h)) / (2 * h)

describe('option values', () => {
  let made: MadeMarket
  beforeAll(async () => {
    made = await makeMarket({ seed: 11, days: 2, tickers: 8, tradesPerDay: 3000 })
  })
  afterAll(() => made.writer.close())

  test('use the normal distribution to 1e-12', async () => {
    for (const [x, probability] of NORMAL)
      expect(Math.abs((await made.figure(`SELECT normal_cdf(${x}::DOUBLE)`)) - probability)).toBeLessThan(
        1e-12,
      )
  })

  // Every greek of the chain is the slope of the value, taken numerically, in the units of the schema.
  test('of the chain have the greeks of their volatility', async () => {
    const chain = await made.rows(`
      SELECT * EXCLUDE (date, expiry), expiry - date AS days FROM option_chain_days
      WHERE expiry > date AND abs(delta) BETWEEN 0.02 AND 0.98 AND hash(option_symbol) % 20 = 0`)
    expect(chain.length).toBeGreaterThan(50)
    for (const row of chain) {
      const call = row.option_type === 'call'
      const [s, k, iv] = [Number(row.underlying_price), Number(row.strike), Number(row.implied_volatility)]
      const t = Number(row.days) / 365
      const delta = (years: number, sigma: number) =>
        slope(spot => value(call, spot, k, years, sigma), s, s * 1e-4)
      const expected = {
        delta: delta(t, iv),
        gamma:
          (value(call, s * 1.001, k, t, iv) -
            2 * value(call, s, k, t, iv) +
            value(call, s * 0.999, k, t, iv)) /
          (s * 0.001) ** 2,
        theta: -slope(years => value(call, s, k, years, iv), t, t * 1e-4) / 365,
        vega: slope(sigma => value(call, s, k, t, sigma), iv, 1e-5) / 100,
        rho: slope(rate => value(call, s, k, t, iv, rate), 0, 1e-5) / 100,
        charm: -slope(years => delta(years, iv), t, t * 1e-3) / 365,
        vanna: slope(sigma => delta(t, sigma), iv, 1e-4) / 100,
      }
      for (const [name, figure] of Object.entries(expected)) {
        const stored = Number(row[name])
        expect(Math.abs(stored - figure), `${row.option_symbol} ${name} ${stored} ${figure}`).toBeLessThan(
          1e-5 + 2e-3 * Math.abs(figure),
        )
      }
      const worth = value(call, s, k, t, iv)
      expect(Number(row.bid)).toBeLessThanOrEqual(worth + 1e-9)
      expect(Number(row.ask)).toBeGreaterThanOrEqual(worth - 1e-9)
    }
  })

  test('of trades are within their quotes, and their volatilities move towards the fill', async () => {
    const trades = await made.rows(`
      SELECT *, expiry - date AS days FROM option_trades
      WHERE expiry > date AND abs(delta) BETWEEN 0.1 AND 0.9 AND nbbo_bid > 0 AND hash(id) % 20 = 0`)
    expect(trades.length).toBeGreaterThan(50)
    for (const trade of trades) {
      expect(Number(trade.theo)).toBeGreaterThanOrEqual(Number(trade.nbbo_bid))
      expect(Number(trade.theo)).toBeLessThanOrEqual(Number(trade.nbbo_ask))
      const implied = value(
        trade.option_type === 'call',
        Number(trade.underlying_price),
        Number(trade.strike),
        Number(trade.days) / 365,
        Number(trade.implied_volatility),
      )
      // One step of Newton's method leaves the curvature's error.
      expect(Math.abs(implied - Number(trade.price))).toBeLessThan(0.02 + 0.02 * Number(trade.price))
    }
  })
})
