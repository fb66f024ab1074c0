import { normalCumulative, normalDensity } from './normal-distribution.ts'
import { normalisedValue } from './normalised-option.ts'

/**
 * Black-Scholes-Merton: European options on an underlying that pays a continuous yield.
 *
 * With A = S e^(-qT), B = K e^(-rT), s = σ√T, d1 = ln(A/B)/s + s/2, d2 = d1 - s and w = 1 for calls, -1 for puts:
 *
 *   price = w (A Φ(w d1) - B Φ(w d2))
 *   delta = w e^(-qT) Φ(w d1)                                          per dollar of the underlying
 *   gamma = e^(-qT) φ(d1) / (S s)                                      delta per dollar of the underlying
 *   theta = -A φ(d1) σ / (2√T) - w r B Φ(w d2) + w q A Φ(w d1)         per year, / 365: dollars per calendar day
 *   vega  = A φ(d1) √T                                                 per unit of volatility, / 100: dollars per point
 *   rho   = w T B Φ(w d2)                                              per unit of interest, / 100: dollars per point
 *   charm = w q e^(-qT) Φ(w d1) - e^(-qT) φ(d1) ((r - q)/s - d2/(2T))  -∂delta/∂T per year, / 365: delta per day
 *   vanna = -e^(-qT) φ(d1) d2 / σ                                      ∂delta/∂σ per unit, / 100: delta per point
 *
 * Sources: J. C. Hull, "Options, Futures, and Other Derivatives", chapters 17 and 19; E. G. Haug, "The Complete Guide
 * to Option Pricing Formulas", 2nd edition, chapter 2.
 */

export type OptionType = 'call' | 'put'

/** A contract and its market. All finite; spot and strike above 0, years at least 0. */
export interface OptionTerms {
  readonly type: OptionType
  /** Price of the underlying, dollars. */
  readonly spot: number
  /** Dollars. */
  readonly strike: number
  /** Time to expiry in years of 365 days. */
  readonly years: number
  /** Continuous interest rate, a fraction per year. */
  readonly rate: number
  /** Continuous yield of the underlying, a fraction per year. */
  readonly dividendYield: number
}

export interface Greeks {
  /** Change of the price per dollar of the underlying. */
  readonly delta: number
  /** Change of delta per dollar of the underlying. */
  readonly gamma: number
  /** Change of the price per calendar day, dollars. */
  readonly theta: number
  /** Change of the price per point (0.01) of volatility, dollars. */
  readonly vega: number
  /** Change of the price per point (0.01) of interest, dollars. */
  readonly rho: number
  /** Change of delta per calendar day. */
  readonly charm: number
  /** Change of delta per point (0.01) of volatility. */
  readonly vanna: number
}

const DAYS_A_YEAR = 365
const POINTS = 100

/** 1 for a call, -1 for a put. */
export const directionOf = (type: OptionType): 1 | -1 => (type === 'call' ? 1 : -1)

/** Spot and strike, discounted by the yield and by the interest rate. */
export const discountedSpot = ({ spot, dividendYield, years }: OptionTerms): number =>
  spot * Math.exp(-dividendYield * years)
export const discountedStrike = ({ strike, rate, years }: OptionTerms): number =>
  strike * Math.exp(-rate * years)

/** The lower bound of the price: the discounted forward payoff, dollars, at least 0. */
export const intrinsicValue = (terms: OptionTerms): number =>
  Math.max(0, directionOf(terms.type) * (discountedSpot(terms) - discountedStrike(terms)))

/**
 * The price in dollars at a volatility (fraction per year, >= 0): the intrinsic value plus the value of the
 * out-of-the-money option of the same strike, by put-call parity.
 */
export function optionPrice(terms: OptionTerms, volatility: number): number {
  const spot = discountedSpot(terms)
  const strike = discountedStrike(terms)
  const x = -Math.abs(Math.log(spot / strike))
  const deviation = volatility * Math.sqrt(terms.years)
  return intrinsicValue(terms) + Math.sqrt(spot) * Math.sqrt(strike) * normalisedValue(x, deviation)
}

/**
 * The greeks at a volatility (fraction per year, >= 0). With no time or no volatility they are those of the discounted
 * payoff: delta is a step, with the mean of both sides at the strike; gamma, vega and vanna are 0.
 */
export function optionGreeks(terms: OptionTerms, volatility: number): Greeks {
  const { spot, years, rate, dividendYield } = terms
  const direction = directionOf(terms.type)
  const a = discountedSpot(terms)
  const b = discountedStrike(terms)
  const yieldFactor = a / spot
  const root = Math.sqrt(years)
  const deviation = volatility * root
  const x = Math.log(a / b)
  // At the strike, 0/0 stands for the mean of both sides.
  const h = x === 0 ? 0 : x / deviation
  const d1 = h + deviation / 2
  const d2 = h - deviation / 2
  const density = deviation > 0 ? yieldFactor * normalDensity(d1) : 0
  const inTheMoney1 = normalCumulative(direction * d1)
  const inTheMoney2 = normalCumulative(direction * d2)
  const carry = direction * (dividendYield * a * inTheMoney1 - rate * b * inTheMoney2)
  const yieldDecay = direction * dividendYield * yieldFactor * inTheMoney1
  // Far from the strike d1 and d2 may be infinite, where the density is 0.
  const weighted = (factor: () => number) => (density === 0 ? 0 : density * factor())
  return {
    delta: direction * yieldFactor * inTheMoney1,
    gamma: weighted(() => 1 / (spot * deviation)),
    theta: (carry - weighted(() => (spot * volatility) / (2 * root))) / DAYS_A_YEAR,
    vega: weighted(() => spot * root) / POINTS,
    rho: (direction * years * b * inTheMoney2) / POINTS,
    charm: (yieldDecay - weighted(() => (rate - dividendYield) / deviation - d2 / (2 * years))) / DAYS_A_YEAR,
    vanna: -weighted(() => d2 / volatility) / POINTS,
  }
}
