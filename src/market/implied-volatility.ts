import { directionOf, discountedSpot, discountedStrike, type OptionTerms } from './black-scholes.ts'
import { logVega, normalisedValue, valueByVega } from './normalised-option.ts'

/**
 * The rounding error of subtracting the intrinsic value, as a multiple of the larger of spot and strike: three values
 * correct to half a unit in the last place, and their difference.
 */
const NOISE = 8 * Number.EPSILON

const ONE_BY_SQRT_TWO_PI = 0.3989422804014327

/** Halley's method triples the correct digits in each step: after a step this small, the next has no effect. */
const LAST_STEP = 1e-8
const STEPS_MAX = 100

/**
 * The volatility (fraction per year) at which the Black-Scholes-Merton price is `price` in dollars.
 *
 * Null if there is none or it is undetermined: no time to expiry, a price at or below the intrinsic value, at or above
 * the upper bound (a call's discounted spot, a put's discounted strike), or closer to either than the rounding of
 * doubles.
 *
 * By put-call parity it is solved for the out-of-the-money option, whose whole price is time value: s = σ√T by Halley's
 * method on ln V(x, s), within a bracket. V has its point of inflection at s = √(2|x|), where its slope is
 * e^(x/2)/√(2π). The first guess above it follows that slope; below it ln V is nearly linear in 1/s², with slope -x²/2
 * (P. Jäckel, "Let's be rational", Wilmott, January 2015, 40-53).
 */
export function impliedVolatility(terms: OptionTerms, price: number): number | null {
  const spot = discountedSpot(terms)
  const strike = discountedStrike(terms)
  const inside = directionOf(terms.type) * (spot - strike)
  const timeValue = inside > 0 ? price - inside : price
  const noise = inside > 0 ? NOISE * Math.max(spot, strike) : 0
  const bound = Math.min(spot, strike)
  if (!(timeValue > noise && timeValue < bound * (1 - NOISE) - noise)) return null
  const value = timeValue / Math.sqrt(spot) / Math.sqrt(strike)
  const volatility = solve(-Math.abs(Math.log(spot / strike)), value) / Math.sqrt(terms.years)
  // With no time to expiry it is infinite or NaN.
  return Number.isFinite(volatility) ? volatility : null
}

/** The s with V(x, s) = value, for x <= 0 and 0 < value < e^(x/2). */
function solve(x: number, value: number): number {
  const target = Math.log(value)
  const inflection = Math.sqrt(-2 * x)
  const middle = normalisedValue(x, inflection)
  if (value >= middle) {
    const vega = Math.exp(x / 2) * ONE_BY_SQRT_TWO_PI
    return halley(x, target, inflection + (value - middle) / vega, inflection, Number.POSITIVE_INFINITY)
  }
  const slope = (-2 * (target - Math.log(middle))) / (x * x)
  return halley(x, target, 1 / Math.sqrt(1 / (inflection * inflection) + slope), 0, inflection)
}

/**
 * The root of u(s) = ln V(x, s) - target between `low` and `high`, from a first guess. With the vega v = V', u' = v/V;
 * since v'/v = x²/s³ - s/4, u''/u' = x²/s³ - s/4 - u'. A step that leaves the bracket halves it instead.
 */
function halley(x: number, target: number, guess: number, low: number, high: number): number {
  let [below, above] = [low, high]
  let s = guess
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const ratio = valueByVega(x, s)
    const newton = (logVega(x, s) + Math.log(ratio) - target) * ratio
    if (newton > 0) above = s
    else below = s
    const curvature = (x * x) / (s * s * s) - s / 4 - 1 / ratio
    const damping = 1 - 0.5 * newton * curvature
    let next = s - newton / (damping > 0 ? damping : 1)
    if (!(next >= below && next <= above)) {
      next = above === Number.POSITIVE_INFINITY ? 2 * s : (below + above) / 2
    }
    const moved = Math.abs(next - s)
    s = next
    if (moved <= LAST_STEP * s) break
  }
  return s
}
