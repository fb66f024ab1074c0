/**
 * A number rounded to a number of decimal places, half to even, by its exact value: the binary fraction that the double
 * is. Domain: finite numbers below 1e21, up to 50 places.
 */
export function halfEven(x: number, places: number): number {
  // toFixed is exact, and rounds half away from zero (ECMA-262, Number.prototype.toFixed).
  const rounded = x.toFixed(places)
  // x · 10^p is a whole number and a half if and only if x · 2^(p + 1) is odd: 5^p is odd, and a double is binary.
  if (Math.abs(x * 2 ** (places + 1)) % 2 !== 1) return Number(rounded)
  const cut = x.toFixed(places + 1).slice(0, -1)
  return Number(/[02468]\.?$/.test(cut) ? cut : rounded)
}
