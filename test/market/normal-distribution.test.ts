import { describe, expect, test } from 'vitest'
import { millsRatio, normalCumulative, normalDensity } from '../../src/market/normal-distribution.ts'

/**
 * x with Φ(x), φ(x) and (1 - Φ(x)) / φ(x) to 17 digits, by mpmath 1.3 in arithmetic of 60 digits from
 * Φ(x) = erfc(-x/√2)/2. The borders of the approximations are at |x| = 0.663 and 5.657.
 */
const VALUES: readonly (readonly [number, number, number, number])[] = [
  [-37.5, 4.6053530095819548e-308, 1.7282337322841052e-306, 5.7862543782105133e305],
  [-30.1, 2.4226672179857588e-199, 7.3002593842806107e-198, 1.3698143413277403e197],
  [-20, 2.7536241186062337e-89, 5.5209483621597632e-88, 1.8112830158925916e87],
  [-8.3, 5.205569744890254e-17, 4.3816394355093327e-16, 2282250775579295.1],
  [-5.7, 5.9903714010635282e-9, 3.5139550948204336e-8, 28457961.670700563],
  [-5.6, 1.0717590258310929e-8, 6.182620500165856e-8, 16174371.195119991],
  [-3, 0.0013498980316300945, 0.0044318484119380072, 225.33489622034912],
  [-1, 0.15865525393145705, 0.24197072451914335, 3.4770518117036945],
  [-0.67, 0.2514288950953101, 0.31873713847540152, 2.3485531321680631],
  [-0.66, 0.25462691467133614, 0.32086380377117249, 2.3230201617264214],
  [-0.1, 0.46017216272297102, 0.39695254747701177, 1.3599304015256166],
  [0, 0.5, 0.39894228040143268, 1.2533141373155003],
  [0.2, 0.57925970943910303, 0.39104269397545588, 1.0759446399152137],
  [0.66, 0.74537308532866386, 0.32086380377117249, 0.79356696417189547],
  [0.67, 0.7485711049046899, 0.31873713847540152, 0.7888283627629859],
  [1.5, 0.93319279873114193, 0.12951759566589173, 0.51581563821796336],
  [4, 0.99996832875816688, 0.00013383022576488535, 0.23665238291356067],
  [8, 0.99999999999999938, 5.0522710835368923e-15, 0.1231319632579323],
]

const ROUNDINGS = 4 * Number.EPSILON

const relative = (actual: number, expected: number) => Math.abs(actual / expected - 1)

describe('the normal distribution', () => {
  test.each(VALUES)('at %f is right to the last digits', (x, cumulative, density, ratio) => {
    expect(relative(normalCumulative(x), cumulative)).toBeLessThan(ROUNDINGS)
    expect(relative(normalDensity(x), density)).toBeLessThan(ROUNDINGS)
    expect(relative(millsRatio(x), ratio)).toBeLessThan(ROUNDINGS)
  })

  test('is right where doubles begin to lose digits, and 0 beyond them', () => {
    // mpmath: Φ(-38) = 2.8854283600687843e-316, whose double has 8 digits.
    expect(relative(normalCumulative(-38), 2.8854283600687843e-316)).toBeLessThan(1e-7)
    expect([normalCumulative(-40), normalDensity(-40), normalDensity(40), normalCumulative(40)]).toEqual([
      0, 0, 0, 1,
    ])
    expect([normalCumulative(Number.NEGATIVE_INFINITY), normalCumulative(Number.POSITIVE_INFINITY)]).toEqual([
      0, 1,
    ])
    expect([normalCumulative(Number.NaN), normalDensity(Number.NaN), millsRatio(Number.NaN)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ])
  })

  test('is symmetric and grows', () => {
    let before = 0
    for (let x = -38; x <= 8; x += 0.0137) {
      expect(normalDensity(x)).toBe(normalDensity(-x))
      expect(Math.abs(normalCumulative(x) + normalCumulative(-x) - 1)).toBeLessThan(Number.EPSILON)
      expect(normalCumulative(x)).toBeGreaterThanOrEqual(before)
      before = normalCumulative(x)
    }
  })
})
