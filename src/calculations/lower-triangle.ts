import type { Float64, Vector } from 'apache-arrow'
import { covariance } from './covariance.ts'
import { kendall, kendallOfRankings } from './kendall.ts'
import { coMoment } from './moments/co-moment.ts'
import { coefficient } from './moments/coefficient.ts'
import { deviations } from './moments/deviations.ts'
import { meanRanks } from './order/mean-ranks.ts'
import { ranking } from './order/ranking.ts'
import { pearson } from './pearson.ts'
import { spearman } from './spearman.ts'
import { everyFinite, finiteOrNull } from './values/finite.ts'
import { presentValues } from './values/present.ts'
import { variance } from './variance.ts'

/** Row i has the i + 1 figures of series i with the series 0 to i. */
export type LowerTriangle = (number | null)[][]

/**
 * The steps of a computation that pauses again and again, so that its caller can yield to other tasks or stop. The last step
 * returns the triangle.
 */
export type TriangleSteps = Generator<undefined, LowerTriangle>

export type CorrelationMethod = 'PEARSON' | 'KENDALL' | 'SPEARMAN'

/**
 * Covariance matrix, the lower triangle with the diagonal: population covariances (`covariance`), on the
 * diagonal the population variances (`variance`), with their results for degenerate series.
 *
 * The deviations of each series are computed once. A series with nulls uses the kernel of the pair, since the
 * skipped values depend on the other series.
 *
 * Domain: series of equal length, otherwise RangeError. Unit: the product of both units. Cost: O(k^2 n).
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
 * coefficient (`pearson`, `kendall`, `spearman`). On the diagonal 1, or null without variance.
 *
 * Deviations or ranks of each series are computed once; a series with nulls is handled as in `covarianceTriangle`.
 *
 * Domain: series of equal length, otherwise RangeError. Unit: none. Cost: O(k^2 n), Kendall O(k^2 n log n).
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

/** Three ways to compute a figure of a triangle. */
interface Figure<Prepared> {
  diagonal(vector: Vector<Float64>): number | null
  /** For two series without nulls, from their prepared forms. */
  shared(a: Prepared, b: Prepared): number | null
  /** For any pair. */
  alone(x: Vector<Float64>, y: Vector<Float64>): number | null
}

/** The prepared form of each series, in an object; null for a series with nulls. */
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

/** Values that are read between two pauses, or those of one figure if it has more. */
const VALUES_BETWEEN_PAUSES = 4096

function* triangle<Prepared>(
  series: readonly Vector<Float64>[],
  prepared: readonly ({ readonly form: Prepared } | null)[],
  figure: Figure<Prepared>,
): TriangleSteps {
  const rows: LowerTriangle = []
  const figuresBetween = VALUES_BETWEEN_PAUSES / (series[0]?.length ?? 1)
  let figures = 0
  for (let i = 0; i < series.length; i += 1) {
    const [x, a] = [series[i] as Vector<Float64>, prepared[i] ?? null]
    const row: (number | null)[] = []
    for (let j = 0; j < i; j += 1) {
      const [y, b] = [series[j] as Vector<Float64>, prepared[j] ?? null]
      row.push(a === null || b === null ? figure.alone(x, y) : figure.shared(a.form, b.form))
      figures += 1
      if (figures < figuresBetween) continue
      figures = 0
      yield
    }
    row.push(figure.diagonal(x))
    rows.push(row)
    yield
  }
  return rows
}
