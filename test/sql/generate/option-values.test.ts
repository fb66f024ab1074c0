import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { THREADS } from '../../fixtures/threads.ts'
import { ALL_SPAN_STEPS, type MadeMarket, makeMarket } from './made-market.ts'

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

/** Rate and dividend yield, continuously compounded. */
interface Carry {
  readonly rate: number
  readonly dividends: number
}

/** Black, Scholes and Merton: the value of a call, or of a put by parity. */
function value(
  call: boolean,
  s: number,
  k: number,
  years: number,
  iv: number,
  { rate, dividends }: Carry,
): number {
  const deviation = iv * Math.sqrt(years)
  const d1 = (Math.log(s / k) + (rate - dividends) * years) / deviation + deviation / 2
  const [now, discounted] = [s * Math.exp(-dividends * years), k * Math.exp(-rate * years)]
  const worth = now * normal(d1) - discounted * normal(d1 - deviation)
  return call ? worth : worth - now + discounted
}

/** Two weekdays after a weekday. */
function published(date: string): string {
  const day = new Date(date)
  day.setUTCDate(day.getUTCDate() + (day.getUTCDay() < 4 ? 2 : 4))
  return day.toISOString().slice(0, 10)
}

const slope = (of: (x: number) => number, x: number, h: number) => (of(x + h) - of(x - h)) / (2 * h)

describe('option values', () => {
  let made: MadeMarket
  let carryOf: (ticker: string, date: string, days: number) => Carry
  beforeAll(async () => {
    made = await makeMarket({ seed: 11, days: 2, tickers: 8, tradesPerDay: 3000 }, THREADS, ALL_SPAN_STEPS)
    const points = await made.rows(
      `SELECT maturity, date::VARCHAR AS date, value FROM economic_points
       WHERE indicator = 'treasury-yield' AND value IS NOT NULL ORDER BY date DESC`,
    )
    const closes = await made.rows(
      'SELECT ticker, adjusted_close / close::DOUBLE AS factor FROM daily_bars ORDER BY ticker, date',
    )
    /** Percent: that of the latest point published by the date. */
    const yieldOf = (maturity: string, date: string) =>
      Number(points.find(each => each.maturity === maturity && published(String(each.date)) <= date)?.value)
    // A dividend is 91 days of the yield, and lowers the factor of the adjusted close by as much.
    const falls = new Map<unknown, number>()
    for (const [place, { ticker, factor }] of closes.entries()) {
      const former = closes[place - 1]
      const fall = former?.ticker === ticker ? Math.log(Number(factor) / Number(former?.factor)) : 0
      if (fall > 1e-4 && fall < 0.01) falls.set(ticker, fall)
    }
    carryOf = (ticker, date, days) => {
      const [three, two, five] = ['3month', '2year', '5year'].map(each => yieldOf(each, date))
      const between = (from: number, to: number, a = 0, b = 0) => a + ((b - a) * (days - from)) / (to - from)
      const percent =
        days <= 91.25
          ? (three ?? 0)
          : days <= 730
            ? between(91.25, 730, three, two)
            : between(730, 1825, two, five)
      return {
        rate: 2 * Math.log(1 + percent / 200),
        dividends: ((falls.get(ticker) ?? 0) * 365) / 91,
      }
    }
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
      SELECT * REPLACE (date::VARCHAR AS date), expiry - date AS days FROM option_chain_days
      WHERE expiry > date AND abs(delta) BETWEEN 0.02 AND 0.98 AND hash(option_symbol) % 20 = 0`)
    expect(chain.length).toBeGreaterThan(50)
    for (const row of chain) {
      const call = row.option_type === 'call'
      const [s, k, iv] = [Number(row.underlying_price), Number(row.strike), Number(row.implied_volatility)]
      const t = Number(row.days) / 365
      const carry = carryOf(String(row.underlying_symbol), String(row.date), Number(row.days))
      const delta = (years: number, sigma: number) =>
        slope(spot => value(call, spot, k, years, sigma, carry), s, s * 1e-4)
      const expected = {
        delta: delta(t, iv),
        gamma:
          (value(call, s * 1.001, k, t, iv, carry) -
            2 * value(call, s, k, t, iv, carry) +
            value(call, s * 0.999, k, t, iv, carry)) /
          (s * 0.001) ** 2,
        theta: -slope(years => value(call, s, k, years, iv, carry), t, t * 1e-4) / 365,
        vega: slope(sigma => value(call, s, k, t, sigma, carry), iv, 1e-5) / 100,
        rho: slope(rate => value(call, s, k, t, iv, { ...carry, rate }), carry.rate, 1e-5) / 100,
        charm: -slope(years => delta(years, iv), t, t * 1e-3) / 365,
        vanna: slope(sigma => delta(t, sigma), iv, 1e-4) / 100,
      }
      for (const [name, figure] of Object.entries(expected)) {
        const stored = Number(row[name])
        expect(Math.abs(stored - figure), `${row.option_symbol} ${name} ${stored} ${figure}`).toBeLessThan(
          1e-5 + 2e-3 * Math.abs(figure),
        )
      }
      const worth = value(call, s, k, t, iv, carry)
      expect(Number(row.bid)).toBeLessThanOrEqual(worth + 1e-9)
      expect(Number(row.ask)).toBeGreaterThanOrEqual(worth - 1e-9)
    }
  })

  test('of trades are within their quotes, and their volatilities move towards the fill', async () => {
    const trades = await made.rows(`
      SELECT t.* REPLACE (t.date::VARCHAR AS date), t.expiry - t.date AS days, c.implied_volatility AS quoted_volatility
      FROM option_trades AS t JOIN option_chain_days AS c ON c.date = t.date AND c.option_symbol = t.option_chain_id
      WHERE t.expiry > t.date AND abs(t.delta) BETWEEN 0.1 AND 0.9 AND nbbo_bid > 0 AND hash(id) % 20 = 0`)
    expect(trades.length).toBeGreaterThan(50)
    for (const trade of trades) {
      expect(Number(trade.theo)).toBeGreaterThanOrEqual(Number(trade.nbbo_bid))
      expect(Number(trade.theo)).toBeLessThanOrEqual(Number(trade.nbbo_ask))
      const carry = carryOf(String(trade.underlying_symbol), String(trade.date), Number(trade.days))
      const t = Number(trade.days) / 365
      const [s, iv] = [Number(trade.underlying_price), Number(trade.quoted_volatility)]
      const of = (spot: number, years: number, sigma: number, rate = carry.rate) =>
        value(trade.option_type === 'call', spot, Number(trade.strike), years, sigma, { ...carry, rate })
      const expected = {
        theo: of(s, t, iv),
        delta: slope(spot => of(spot, t, iv), s, s * 1e-4),
        theta: -slope(years => of(s, years, iv), t, t * 1e-4) / 365,
        vega: slope(sigma => of(s, t, sigma), iv, 1e-5) / 100,
        rho: slope(rate => of(s, t, iv, rate), carry.rate, 1e-5) / 100,
      }
      for (const [name, figure] of Object.entries(expected))
        expect(Math.abs(Number(trade[name]) - figure), `${trade.option_chain_id} ${name}`).toBeLessThan(
          1e-4 + 2e-3 * Math.abs(figure),
        )
      const implied = of(s, t, Number(trade.implied_volatility))
      // One step of Newton's method leaves the curvature's error.
      expect(Math.abs(implied - Number(trade.price))).toBeLessThan(0.02 + 0.02 * Number(trade.price))
    }
  })
})
