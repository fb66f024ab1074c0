/**
 * The standard normal distribution in double precision: density, cumulative distribution and Mills' ratio.
 *
 * Mills' ratio is computed by the rational Chebyshev approximations of W. J. Cody, "Rational Chebyshev approximations
 * for the error function", Mathematics of Computation 23 (1969), 631-637, which are accurate to 18 digits in exact
 * arithmetic. Everything else is computed from it, so that tails keep their relative accuracy over the range of doubles
 * (to about -38). The domain is every number; NaN returns NaN.
 */

const SQRT_HALF = Math.SQRT1_2
const SQRT_HALF_PI = 1.2533141373155003
const ONE_BY_SQRT_PI = 0.5641895835477563
const ONE_BY_SQRT_TWO_PI = 0.3989422804014327

/** Beyond this the density is 0 in doubles. */
const DENSITY_ENDS = 39

type Coefficients = readonly number[]

/** erf(y) / y in powers of y², for |y| <= 0.46875. Highest power first, as all that follow. */
const ERF_NUMERATOR: Coefficients = [
  0.185777706184603153, 3.1611237438705656, 113.864154151050156, 377.485237685302021, 3209.37758913846947,
]
const ERF_DENOMINATOR: Coefficients = [
  1, 23.6012909523441209, 244.024637934444173, 1282.61652607737228, 2844.23683343917062,
]

/** e^(y²) erfc(y) in powers of y, for 0.46875 <= y <= 4. */
const MIDDLE_NUMERATOR: Coefficients = [
  2.15311535474403846e-8, 0.564188496988670089, 8.88314979438837594, 66.1191906371416295, 298.635138197400131,
  881.95222124176909, 1712.04761263407058, 2051.07837782607147, 1230.33935479799725,
]
const MIDDLE_DENOMINATOR: Coefficients = [
  1, 15.7449261107098347, 117.693950891312499, 537.181101862009858, 1621.38957456669019, 3290.79923573345963,
  4362.61909014324716, 3439.36767414372164, 1230.33935480374942,
]

/** (1/√π - y e^(y²) erfc(y)) y² in powers of 1/y², for y >= 4. */
const TAIL_NUMERATOR: Coefficients = [
  0.0163153871373020978, 0.305326634961232344, 0.360344899949804439, 0.125781726111229246,
  0.0160837851487422766, 6.58749161529837803e-4,
]
const TAIL_DENOMINATOR: Coefficients = [
  1, 2.56852019228982242, 1.87295284992346047, 0.527905102951428412, 0.0605183413124413191,
  0.00233520497626869185,
]

const ERF_ENDS = 0.46875
const MIDDLE_ENDS = 4

/** A polynomial by Horner's rule. */
function polynomial(coefficients: Coefficients, x: number): number {
  let sum = 0
  for (const coefficient of coefficients) sum = sum * x + coefficient
  return sum
}

const rational = (numerator: Coefficients, denominator: Coefficients, x: number) =>
  polynomial(numerator, x) / polynomial(denominator, x)

/** The error function near 0. */
const erfNearZero = (y: number) => y * rational(ERF_NUMERATOR, ERF_DENOMINATOR, y * y)

/** e^(y²) erfc(y) for y >= 0.46875. */
function scaledErfc(y: number): number {
  if (y <= MIDDLE_ENDS) return rational(MIDDLE_NUMERATOR, MIDDLE_DENOMINATOR, y)
  const z = 1 / (y * y)
  return (ONE_BY_SQRT_PI - z * rational(TAIL_NUMERATOR, TAIL_DENOMINATOR, z)) / y
}

/**
 * The density φ(x) = e^(-x²/2) / √(2π). The square is computed in two parts, the first of them exact: the rounding of
 * x² would lose three digits far from 0.
 */
export function normalDensity(x: number): number {
  if (Math.abs(x) > DENSITY_ENDS) return 0
  const near = Math.trunc(x * 16) / 16
  return Math.exp(-0.5 * (x - near) * (x + near)) * ONE_BY_SQRT_TWO_PI * Math.exp(-0.5 * near * near)
}

/**
 * Mills' ratio (1 - Φ(x)) / φ(x) (J. P. Mills, "Table of the ratio: area to bounding ordinate", Biometrika 18, 1926,
 * 395-400). About 1/x for large x; grows as 1/φ(x) for x below 0 and is Infinity below about -38.
 */
export function millsRatio(x: number): number {
  const y = x * SQRT_HALF
  if (Math.abs(y) <= ERF_ENDS) return SQRT_HALF_PI * Math.exp(0.5 * x * x) * (1 - erfNearZero(y))
  if (y > 0) return SQRT_HALF_PI * scaledErfc(y)
  return 1 / normalDensity(x) - SQRT_HALF_PI * scaledErfc(-y)
}

/** The cumulative distribution Φ(x): the probability of a value of at most x. */
export function normalCumulative(x: number): number {
  const y = x * SQRT_HALF
  if (Math.abs(y) <= ERF_ENDS) return 0.5 + 0.5 * erfNearZero(y)
  const tail = normalDensity(x) * SQRT_HALF_PI * scaledErfc(Math.abs(y))
  return x < 0 ? tail : 1 - tail
}
