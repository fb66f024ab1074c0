import { Decimal } from 'decimal.js'

/** Decimals of 60 digits: no sum or quotient of values of 38 digits is rounded twice. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN })
