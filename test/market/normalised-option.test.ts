import { describe, expect, test } from 'vitest'
import { logVega, normalisedValue, valueByVega } from '../../src/market/normalised-option.ts'

/**
 * x, s and V(x, s) = e^(x/2) Φ(x/s + s/2) - e^(-x/2) Φ(x/s - s/2) to 17 digits, by mpmath 1.3 in arithmetic of 60
 * digits. In doubles the two terms of the fourth agree in all but their last 3 digits.
 */
const VALUES: readonly (readonly [number, number, number])[] = [
  [0, 1e-5, 3.9894228039977045e-6],
  [0, 8.66, 0.99998508906581729],
  [-1e-9, 1e-4, 3.9893728025515386e-5],
  [-0.0007, 0.0001, 1.7603260095161428e-17],
  [-0.001, 0.0001, 7.4745602454210835e-29],
  [-0.01, 0.0004, 4.8751880880010394e-143],
  [-0.05, 0.05, 0.0041649472922563116],
  [-0.3, 0.19, 0.0046245418095060132],
  [-0.3, 0.21, 0.0072001118956900637],
  [-0.5, 0.016, 5.7034053832683576e-218],
  [-2, 0.1, 1.3683094548416367e-91],
  [-2, 2, 0.12209845031594004],
  [-1, 0.5, 0.0041423587506785749],
  [-0.001, 5, 0.98708079452803072],
  [-3, 8.66, 0.22311604495778996],
  [-7, 3, 0.0040165854158921247],
  [-6.84, 0.19, 2.1941940658477448e-286],
  [-7, 0.195, 9.0404228405928085e-285],
  [-5.5, 0.16, 1.380563407903665e-261],
]

const relative = (actual: number, expected: number) => Math.abs(actual / expected - 1)

describe('the normalised value of an option', () => {
  test.each(VALUES)('of %f and %f is right to the 12th digit', (x, s, value) => {
    expect(relative(normalisedValue(x, s), value)).toBeLessThan(1e-12)
    expect(relative(valueByVega(x, s) * Math.exp(logVega(x, s)), value)).toBeLessThan(1e-12)
  })

  test('is 0 without time or volatility, and e^(x/2) with more than any of it', () => {
    expect([normalisedValue(0, 0), normalisedValue(-1, 0), normalisedValue(-1, 1e-300)]).toEqual([0, 0, 0])
    expect(normalisedValue(-1, 100)).toBe(Math.exp(-0.5))
  })
})
