import { millsRatio, normalCumulative, normalDensity } from './normal-distribution.ts'

/**
 * The normalised value of an out-of-the-money option: the price divided by √(FK), with F the forward and K the strike,
 * both discounted. It depends only on x = -|ln(F/K)| <= 0 and s = volatility × √years >= 0, and is the same for calls
 * and puts:
 *
 *   V(x, s) = e^(x/2) Φ(x/s + s/2) - e^(-x/2) Φ(x/s - s/2),   0 <= V < e^(x/2)
 *
 * Its derivative by s is the vega v(x, s) = φ(h) e^(-t²/2), with h = x/s and t = s/2. Both terms of V are that vega
 * times a Mills' ratio, V = v (M(-h-t) - M(-h+t)), which keeps deep wings and last hours accurate where the two
 * cumulative probabilities would cancel (P. Jäckel, "Let's be rational", Wilmott, January 2015, 40-53).
 */

const LN_SQRT_TWO_PI = 0.9189385332046728

/** Beyond this h + t the cumulative probabilities no longer cancel, and Mills' ratio grows without bound. */
const PLAIN_FROM = 0.85

/** Up to this t the two ratios may be so close that their difference is computed by its series. */
const SERIES_T_MAX = 0.1
const SERIES_TERMS_MAX = 12

/** V(x, s), with a relative accuracy of 1e-12 or better if it is a normal double. */
export function normalisedValue(x: number, s: number): number {
  if (s === 0) return 0
  const h = x / s
  const t = s / 2
  if (h + t > PLAIN_FROM) return plainValue(x, h, t)
  const vega = normalDensity(h) * Math.exp(-0.5 * t * t)
  return vega === 0 ? 0 : vega * ratioDifference(h, t)
}

/** ln v(x, s), for s > 0. Finite even if v is too small for a double. */
export function logVega(x: number, s: number): number {
  const h = x / s
  const t = s / 2
  return -0.5 * (h * h + t * t) - LN_SQRT_TWO_PI
}

/** V(x, s) / v(x, s), for s > 0. Finite and positive even if both are too small for doubles. */
export function valueByVega(x: number, s: number): number {
  const h = x / s
  const t = s / 2
  return h + t > PLAIN_FROM ? plainValue(x, h, t) / Math.exp(logVega(x, s)) : ratioDifference(h, t)
}

function plainValue(x: number, h: number, t: number): number {
  return Math.exp(x / 2) * normalCumulative(h + t) - Math.exp(-x / 2) * normalCumulative(h - t)
}

/** Y(h + t) - Y(h - t) with Y(h) = M(-h) = Φ(h) / φ(h). */
function ratioDifference(h: number, t: number): number {
  if (t > SERIES_T_MAX) return millsRatio(-h - t) - millsRatio(t - h)
  return ratioSeries(h, t)
}

/**
 * The same for small t, 2 Σ Y⁽ⁿ⁾(h) tⁿ/n! over odd n. The derivatives follow from Y' = 1 + hY by
 * Y⁽ⁿ⁺¹⁾ = n Y⁽ⁿ⁻¹⁾ + h Y⁽ⁿ⁾.
 */
function ratioSeries(h: number, t: number): number {
  let even = millsRatio(-h)
  let odd = 1 + h * even
  let power = t
  let sum = odd * power
  for (let n = 1; n < 2 * SERIES_TERMS_MAX; n += 2) {
    even = n * even + h * odd
    odd = (n + 1) * odd + h * even
    power *= (t * t) / ((n + 1) * (n + 2))
    const term = odd * power
    sum += term
    if (Math.abs(term) < Number.EPSILON * 0.1 * sum) break
  }
  return 2 * sum
}
