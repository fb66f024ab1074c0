import type { Float64, Vector } from 'apache-arrow'
import { coMoment } from './co-moment.ts'
import { coefficient } from './coefficient.ts'
import { covariance } from './covariance.ts'
import { deviations } from './deviations.ts'
import { everyFinite, finiteOrNull } from './finite.ts'
import { kendall, kendallOfRankings } from './kendall.ts'
import { meanRanks } from './mean-ranks.ts'
import { pearson } from './pearson.ts'
import { presentValues } from './present.ts'
import { ranking } from './ranking.ts'
import { spearman } from './spearman.ts'
import { variance } from './variance.ts'

/** Row i holds the i + 1 figures of series i with the series 0 to i. */
export type LowerTriangle = (number | null)[][]

/**
 * A triangle under way: it pauses after each figure, so that whoever drives it can let others have the processor, or
 * give up. The last step returns the triangle.
 */
export type TriangleSteps = Generator<void, LowerTriangle>

export type CorrelationMethod = 'PEARSON' | 'KENDALL' | 'SPEARMAN'

/**
 * Covariance matrix, the lower triangle with the diagonal: population covariances (`covariance`), on the
 * diagonal the population variances (`variance`), with what comes back of those for degenerate series.
 *
 * What belongs to one series (its deviations) is computed once. A series with nulls falls back to the
 * kernel of the pair, since the values left in depend on its partner.
 *
 * Domain: series of one length, else RangeError. Unit: the product of both units. Cost: O(k^2 n).
 */
export function covarianceTriangle(series: readonly Vector<Float64>[]): TriangleSteps {
  const prepared = prepare(series, deviations)
  return triangle(series, prepared, {
    diagonal: variance,
    shared: (a, b) => (a.length === 0 ? null : finiteOrNull(coMoment(a, b) / a.length)),
    alone: covariance,
  })
}

/**
 * Correlation matrix, the lower triangle with the diagonal, by Pearson's, Kendall's or Spearman's
 * coefficient (`pearson`, `kendall`, `spearman`). On the diagonal 1, or null where there is no variance.
 *
 * What belongs to one series (deviations, ranks) is computed once; a series with nulls as above.
 *
 * Domain: series of one length, else RangeError. Unit: none. Cost: O(k^2 n), Kendall O(k^2 n log n).
 */
export function correlationTriangle(
  series: readonly Vector<Float64>[],
  method: CorrelationMethod,
): TriangleSteps {
  if (method === 'KENDALL') {
    const prepared = prepare(series, values => (everyFinite(values) ? ranking(values) : null))
    return triangle(series, prepared, {
      diagonal: vector => kendall(vector, vector),
      shared: (a, b) => (a === null || b === null ? null : kendallOfRankings(a, b)),
      alone: kendall,
    })
  }
  const alone = method === 'PEARSON' ? pearson : spearman
  const prepared = prepare(series, method === 'PEARSON' ? spread : rankSpread)
  return triangle(series, prepared, {
    diagonal: vector => alone(vector, vector),
    shared: (a, b) => coefficient(coMoment(a.deviations, b.deviations), a.moment, b.moment),
    alone,
  })
}

interface Spread {
  readonly deviations: Float64Array
  /** The sum of the squared deviations. */
  readonly moment: number
}

function spread(values: Float64Array): Spread {
  const d = deviations(values)
  return { deviations: d, moment: coMoment(d, d) }
}

function rankSpread(values: Float64Array): Spread {
  return everyFinite(values) ? spread(meanRanks(values)) : { deviations: values, moment: Number.NaN }
}

/** One figure of a triangle, three ways. */
interface Figure<Prepared> {
  diagonal(vector: Vector<Float64>): number | null
  /** Of two series without nulls, from what was prepared of each. */
  shared(a: Prepared, b: Prepared): number | null
  /** Of any pair. */
  alone(x: Vector<Float64>, y: Vector<Float64>): number | null
}

/** Per series the prepared form, in a box; no box for a series with nulls. */
function prepare<Prepared>(
  series: readonly Vector<Float64>[],
  of: (values: Float64Array) => Prepared,
): ({ readonly form: Prepared } | null)[] {
  const length = series[0]?.length
  return series.map(vector => {
    if (vector.length !== length) throw new RangeError('a matrix needs series of equal lengths')
    return vector.nullCount === 0 ? { form: of(presentValues(vector)) } : null
  })
}

function* triangle<Prepared>(
  series: readonly Vector<Float64>[],
  prepared: readonly ({ readonly form: Prepared } | null)[],
  figure: Figure<Prepared>,
): TriangleSteps {
  const rows: LowerTriangle = []
  for (const [i, x] of series.entries()) {
    const row: (number | null)[] = []
    for (const [j, y] of series.slice(0, i + 1).entries()) {
      const a = prepared[i] ?? null
      const b = prepared[j] ?? null
      if (i === j) row.push(figure.diagonal(x))
      else row.push(a === null || b === null ? figure.alone(x, y) : figure.shared(a.form, b.form))
      yield
    }
    rows.push(row)
  }
  return rows
}
