import type { Float64, Vector } from 'apache-arrow'
import { coMoment } from './moments/co-moment.ts'
import { deviations } from './moments/deviations.ts'
import { finiteOrNull } from './values/finite.ts'
import { presentValues } from './values/present.ts'

/**
 * Autocorrelation at a lag k: r_k = sum over t <= n - k of (x_t - m)(x_{t+k} - m), over the sum over all
 * t of (x_t - m)^2, with the one mean m of all values: the estimator that NIST certifies
 * (NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.12; Box and Jenkins, Time Series Analysis).
 *
 * Domain: finite numbers in order of time; nulls are skipped, which makes their neighbours adjacent.
 * Unit: none. Cost: O(n).
 * No more values than the lag, a constant series, an overflow, or a NaN among the values: null.
 * A lag that is not a whole number of 1 or more: RangeError.
 */
export function autocorrelation(vector: Vector<Float64>, lag: number): number | null {
  if (!Number.isInteger(lag) || lag < 1)
    throw new RangeError(`a lag must be a whole number of 1 or more, not ${lag}`)
  const values = presentValues(vector)
  if (values.length <= lag) return null
  const d = deviations(values)
  return finiteOrNull(coMoment(d.subarray(0, d.length - lag), d.subarray(lag)) / coMoment(d, d))
}
