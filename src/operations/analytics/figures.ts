import type { Float64, Vector } from 'apache-arrow'
import { autocorrelation } from '../../calculations/autocorrelation.ts'
import { cumulativeReturn } from '../../calculations/cumulative-return.ts'
import { histogram } from '../../calculations/histogram.ts'
import { correlationTriangle, covarianceTriangle } from '../../calculations/lower-triangle.ts'
import { maxDrawdown } from '../../calculations/max-drawdown.ts'
import { maximum } from '../../calculations/maximum.ts'
import { mean } from '../../calculations/mean.ts'
import { median } from '../../calculations/median.ts'
import { minimum } from '../../calculations/minimum.ts'
import { simpleReturns } from '../../calculations/simple-returns.ts'
import { standardDeviation } from '../../calculations/standard-deviation.ts'
import { commonTimes } from '../../calculations/values/common-times.ts'
import { takeValues } from '../../calculations/values/take-values.ts'
import { variance } from '../../calculations/variance.ts'
import type { AdjustedFor } from './adjusted-for.ts'
import type { Calculation, CalculationName, Options } from './calculations.ts'
import { canVary, withoutRounding } from './variation.ts'

/** The data points of one symbol, oldest first, and the simple returns between them. */
export interface Series {
  readonly symbol: string
  /** Epoch milliseconds, one per price, strictly ascending. */
  readonly times: Float64Array
  /** Starts of the periods of the prices, likewise: prices of several symbols are joined on them. */
  readonly periods: Float64Array
  readonly prices: Vector<Float64>
  readonly returns: Vector<Float64>
  /** The returns for measures of variation, all equal if they differ by rounding only. */
  readonly variation: Vector<Float64>
  readonly adjustedFor: AdjustedFor
  /** Days of the window on which the price moved as by a split that the lake does not have. */
  readonly suspected: readonly { readonly date: string; readonly ratio: string }[]
}

/** A window without its data. */
export interface WindowContext {
  /** As requested, in upper case, without duplicates; symbols without data are in no series. */
  readonly symbols: readonly string[]
  readonly periodsAYear: number
  /** Formats a time for the answer: a date, or an instant in UTC. */
  readonly showTime: (epochMs: number) => string
}

export type Drawdown = {
  max_drawdown: number
  drawdown_range: { start_drawdown: string | null; end_drawdown: string | null }
}
export type Bins = { bin_count: number[]; bin_edges: number[] }
export type Triangle = (number | null)[][]

/** The result of one calculation: a figure per symbol, or a triangle over the symbols with data. */
export type Figure =
  | { readonly shape: 'scalar'; readonly value: Record<string, number | null> }
  | { readonly shape: 'drawdown'; readonly value: Record<string, Drawdown | null> }
  | { readonly shape: 'histogram'; readonly value: Record<string, Bins | null> }
  | {
      readonly shape: 'covariance' | 'correlation'
      readonly value: { index: string[]; [matrix: string]: Triangle | string[] }
    }

/** A window with its data. */
export interface Window extends WindowContext {
  /** The symbols that have data, in request order. */
  readonly series: readonly Series[]
  readonly bySymbol: ReadonlyMap<string, Series>
  /** For each of them the variation of the returns between the periods that all of them have. */
  readonly joined: readonly Vector<Float64>[]
}

/** Work that pauses after each symbol or pair of symbols, and returns the figure in its last step. */
export type FigureSteps = Generator<undefined, Figure>
/** Figures by the names of their calculations, in steps. Steps without a figure are pauses. */
export type Computing = Generator<readonly [key: string, figure: Figure] | undefined, void>
type Compute = (window: Window, options: Options) => FigureSteps

const scalar = (kernel: (series: Series, options: Options, window: Window) => number | null): Compute =>
  function* (window, options) {
    return { shape: 'scalar', value: yield* each(window, one => kernel(one, options, window)) }
  }

/** Annualizes a figure that is proportional to time (variance), or with the root of the factor to the root of time. */
const yearly = (value: number | null, annualized: boolean, factor: number) =>
  value === null || !annualized ? value : value * factor

const COMPUTE: Record<CalculationName, Compute> = {
  MIN: scalar(({ returns }) => minimum(returns)),
  MAX: scalar(({ returns }) => maximum(returns)),
  MEAN: scalar(({ returns }) => mean(returns)),
  MEDIAN: scalar(({ returns }) => median(returns)),
  CUMULATIVE_RETURN: scalar(({ prices }) => cumulativeReturn(prices)),
  VARIANCE: scalar(({ variation }, { annualized }, { periodsAYear }) =>
    canVary(variation) ? yearly(variance(variation), annualized, periodsAYear) : null,
  ),
  STDDEV: scalar(({ variation }, { annualized }, { periodsAYear }) =>
    canVary(variation) ? yearly(standardDeviation(variation), annualized, Math.sqrt(periodsAYear)) : null,
  ),
  AUTOCORRELATION: scalar(({ variation }, { lag }) => autocorrelation(variation, lag)),
  *MAX_DRAWDOWN(window) {
    return { shape: 'drawdown', value: yield* each(window, one => drawdownOf(one, window)) }
  },
  *HISTOGRAM(window, { bins }) {
    const value = yield* each(window, ({ variation }) => {
      const counted = histogram(variation, bins)
      return counted && { bin_count: counted.counts, bin_edges: counted.edges }
    })
    return { shape: 'histogram', value }
  },
  *COVARIANCE({ series, joined, periodsAYear }, { annualized }) {
    const covariance = withoutConstants(yield* covarianceTriangle(joined))
    return {
      shape: 'covariance',
      value: {
        index: series.map(({ symbol }) => symbol),
        covariance: covariance.map(row => row.map(value => yearly(value, annualized, periodsAYear))),
      },
    }
  },
  *CORRELATION({ series, joined }, { method }) {
    const correlation = yield* correlationTriangle(joined, method)
    return { shape: 'correlation', value: { index: series.map(({ symbol }) => symbol), correlation } }
  },
}

/** One calculation over a window, in steps. */
export function figure(calculation: Calculation, window: Window): FigureSteps {
  return COMPUTE[calculation.name](window, calculation.options)
}

/** One value per requested symbol, in the order of the request; null for a symbol without data. */
function* each<T>(
  { bySymbol, symbols }: Window,
  kernel: (series: Series) => T | null,
): Generator<undefined, Record<string, T | null>> {
  const values: [symbol: string, value: T | null][] = []
  for (const symbol of symbols) {
    const found = bySymbol.get(symbol)
    values.push([symbol, found ? kernel(found) : null])
    yield
  }
  return Object.fromEntries(values)
}

function drawdownOf({ prices, times }: Series, { showTime }: WindowContext): Drawdown | null {
  const found = maxDrawdown(prices)
  if (found === null) return null
  const at = (index: number | null) => (index === null ? null : showTime(times[index] ?? Number.NaN))
  return {
    max_drawdown: found.depth,
    drawdown_range: { start_drawdown: at(found.peak), end_drawdown: at(found.trough) },
  }
}

/** The API answers null, not 0, if a series of the pair does not vary. */
function withoutConstants(triangle: Triangle): Triangle {
  const varies = triangle.map((row, i) => (row[i] ?? 0) > 0)
  return triangle.map((row, i) => row.map((value, j) => (varies[i] && varies[j] ? value : null)))
}

/**
 * Joins prices on the periods that all series have, then computes returns: a gap in one series is a gap in all. A series
 * without other periods has the returns that it has alone.
 */
export function joinedReturns(
  series: readonly Pick<Series, 'periods' | 'prices' | 'variation'>[],
): Vector<Float64>[] {
  const shared = commonTimes(series.map(({ periods }) => periods))
  return series.map(({ prices, variation }, index) => {
    const places = shared[index] ?? new Int32Array(0)
    return places.length === prices.length
      ? variation
      : withoutRounding(simpleReturns(takeValues(prices, places)))
  })
}

/** A window whose series are joined when its first matrix is computed. */
export function windowOf(context: WindowContext, series: readonly Series[]): Window {
  let joined: readonly Vector<Float64>[] | null = null
  return {
    ...context,
    series,
    bySymbol: new Map(series.map(one => [one.symbol, one])),
    get joined() {
      joined ??= joinedReturns(series)
      return joined
    },
  }
}
