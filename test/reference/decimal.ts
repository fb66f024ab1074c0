/** An exact decimal: `units` × 10^−`scale`. Its text has `scale` digits after the point. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

export const ZERO: Decimal = { units: 0n, scale: 0 }

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** A decimal from text such as `-1.50`, `.5` or `1e-3`, or from a whole number. */
export function decimal(source: string | number | bigint): Decimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(String(source)) ?? []
  const digits = `${whole}${fraction}`
  if (digits === '') throw new Error(`${source} is not a decimal`)
  const units = BigInt(`${sign === '-' ? '-' : ''}${digits}`)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale }
}

export const isDecimal = (value: unknown): value is Decimal =>
  typeof value === 'object' && value !== null && 'units' in value && 'scale' in value

/** The units of a value at a scale that is not below its own. */
const unitsAt = ({ units, scale }: Decimal, wanted: number): bigint => units * 10n ** BigInt(wanted - scale)

export function plus(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale)
  return { units: unitsAt(one, scale) + unitsAt(other, scale), scale }
}

export const negated = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale })

export const minus = (one: Decimal, other: Decimal): Decimal => plus(one, negated(other))

export const times = (one: Decimal, other: Decimal): Decimal => ({
  units: one.units * other.units,
  scale: one.scale + other.scale,
})

export const absolute = (value: Decimal): Decimal => (value.units < 0n ? negated(value) : value)

export const sum = (values: readonly Decimal[]): Decimal => values.reduce(plus, ZERO)

/** Negative, 0 or positive, as `one` is below, equal to or above `other`. */
export function compare(one: Decimal, other: Decimal): number {
  const { units } = minus(one, other)
  return units < 0n ? -1 : units > 0n ? 1 : 0
}

export const larger = (one: Decimal, other: Decimal): Decimal => (compare(one, other) < 0 ? other : one)

/** The quotient at `places` digits after the point, halves to the even digit; null if `divisor` is 0. */
export function quotient(dividend: Decimal, divisor: Decimal, places = 10): Decimal | null {
  if (divisor.units === 0n) return null
  const above = dividend.units * 10n ** BigInt(divisor.scale + places)
  const below = divisor.units * 10n ** BigInt(dividend.scale)
  return { units: halfEven(above, below), scale: places }
}

/** `value` with `places` digits after the point, halves to the even digit. */
export function rounded(value: Decimal, places: number): Decimal {
  if (value.scale <= places) return { units: unitsAt(value, places), scale: places }
  return { units: halfEven(value.units, 10n ** BigInt(value.scale - places)), scale: places }
}

function halfEven(above: bigint, below: bigint): bigint {
  if (below < 0n) return halfEven(-above, -below)
  if (above < 0n) return -halfEven(-above, below)
  const whole = above / below
  const twice = (above % below) * 2n
  return twice > below || (twice === below && whole % 2n === 1n) ? whole + 1n : whole
}

/** Plain decimal notation with all digits of the scale. */
export function textOf({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`
}

/** The nearest double. */
export const numberOf = (value: Decimal): number => Number(textOf(value))
