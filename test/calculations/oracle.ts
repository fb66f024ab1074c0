import { Decimal } from 'decimal.js'

/**
 * The definitions, written out as slowly as they read: sums in 100-digit decimals of the exact doubles,
 * ranks and ties by comparing every pair. Nothing here is shared with src/calculations.
 */

const Exact = Decimal.clone({ precision: 100, minE: -9e15, maxE: 9e15 })

/** The number that a double really holds, not the shortest one that prints it. */
export function exactly(value: number): Decimal {
  let whole = value
  let halvings = 0
  for (; !Number.isInteger(whole); halvings++) whole *= 2
  return new Exact(BigInt(whole).toString()).div(new Exact(2).pow(halvings))
}

function sumOf(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => sum.plus(value), new Exact(0))
}

export function exactSum(values: readonly number[]): Decimal {
  return sumOf(values.map(exactly))
}

export function exactMean(values: readonly number[]): Decimal {
  return exactSum(values).div(values.length)
}

function exactDeviations(values: readonly number[]): Decimal[] {
  const mean = exactMean(values)
  return values.map(value => exactly(value).minus(mean))
}

function productSum(a: readonly Decimal[], b: readonly Decimal[]): Decimal {
  return sumOf(a.map((value, i) => value.times(b[i] as Decimal)))
}

export function exactVariance(values: readonly number[]): Decimal {
  return exactCovariance(values, values)
}

export function exactCovariance(xs: readonly number[], ys: readonly number[]): Decimal {
  return productSum(exactDeviations(xs), exactDeviations(ys)).div(xs.length)
}

export function exactPearson(xs: readonly number[], ys: readonly number[]): Decimal | null {
  if (xs.length < 2) return null
  const scale = exactVariance(xs).times(exactVariance(ys))
  return scale.isZero() ? null : exactCovariance(xs, ys).div(scale.sqrt())
}

export function exactAutocorrelation(values: readonly number[], lag: number): Decimal | null {
  if (values.length <= lag) return null
  const d = exactDeviations(values)
  const spread = productSum(d, d)
  return spread.isZero() ? null : productSum(d.slice(0, d.length - lag), d.slice(lag)).div(spread)
}

/** Log relative error: about the number of significant digits that agree, 15 for all that a double has. */
export function agreeingDigits(actual: number | null, expected: Decimal | number): number {
  if (actual === null) return Number.NaN
  const target = expected instanceof Decimal ? expected : new Exact(String(expected))
  const difference = exactly(actual).minus(target).abs()
  if (difference.isZero()) return 15
  return Math.min(15, -(target.isZero() ? difference : difference.div(target.abs())).log().toNumber())
}

export function sortedMedian(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] as number
  return (sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] as number) + upper) / 2) + 0
}

/** A value's mean rank: all lower ones are before it, and half of its equals. */
export function countedRanks(values: readonly number[]): number[] {
  return values.map(value => {
    const lower = values.filter(other => other < value).length
    const equal = values.filter(other => other === value).length
    return lower + (equal + 1) / 2
  })
}

export function pairwiseKendall(xs: readonly number[], ys: readonly number[]): number | null {
  let alikeLessOpposite = 0
  let untiedInX = 0
  let untiedInY = 0
  for (let i = 0; i < xs.length; i++) {
    for (let j = 0; j < i; j++) {
      const dx = Math.sign((xs[i] as number) - (xs[j] as number))
      const dy = Math.sign((ys[i] as number) - (ys[j] as number))
      alikeLessOpposite += dx * dy
      untiedInX += Math.abs(dx)
      untiedInY += Math.abs(dy)
    }
  }
  if (untiedInX === 0 || untiedInY === 0) return null
  return new Exact(alikeLessOpposite).div(new Exact(untiedInX).times(untiedInY).sqrt()).toNumber()
}

export function countedInversions(values: readonly number[]): number {
  let inversions = 0
  for (let i = 0; i < values.length; i++) {
    for (let j = 0; j < i; j++) if ((values[j] as number) > (values[i] as number)) inversions++
  }
  return inversions
}

/** Bins by looking each value up among the edges. */
export function scannedCounts(values: readonly number[], edges: readonly number[]): number[] {
  const last = edges.length - 2
  return edges.slice(0, -1).map((edge, i) => {
    const upper = edges[i + 1] as number
    return values.filter(value => value >= edge && (i === last ? value <= upper : value < upper)).length
  })
}

/** The deepest fall between any two prices; of equal ones the earliest trough, then the earliest peak. */
export function pairwiseDrawdown(
  prices: readonly number[],
): { depth: number; peak: number; trough: number } | null {
  let deepest: { depth: number; peak: number; trough: number } | null = null
  for (let trough = 0; trough < prices.length; trough++) {
    for (let peak = 0; peak < trough; peak++) {
      const from = prices[peak] as number
      const depth = ((prices[trough] as number) - from) / from
      if (depth < (deepest?.depth ?? 0)) deepest = { depth, peak, trough }
    }
  }
  return deepest
}

/** The indices of the times that all series have, by asking each series about each time. */
export function commonIndices(times: readonly (readonly number[])[]): number[][] {
  return times.map(series =>
    series.flatMap((time, i) => (times.every(other => other.includes(time)) ? [i] : [])),
  )
}
