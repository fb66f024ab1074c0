/** Straightforward implementations to compare the kernels with: plain arrays, plain sums, every pair. */

export function plainHistogram(values: number[], bins: number): number[] {
  const min = Math.min(...values)
  const width = (Math.max(...values) - min) / bins
  const counts = new Array<number>(bins).fill(0)
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor((value - min) / width))
    counts[bin] = (counts[bin] as number) + 1
  }
  return counts
}

export function plainAutocorrelation(values: number[], lag: number): number {
  const m = values.reduce((sum, value) => sum + value, 0) / values.length
  const d = values.map(value => value - m)
  const lagged = d.slice(lag).reduce((sum, value, i) => sum + value * (d[i] as number), 0)
  return lagged / d.reduce((sum, value) => sum + value * value, 0)
}

export function plainDrawdown(prices: number[]): number {
  let peak = -Infinity
  return prices.reduce((deepest, price) => {
    peak = Math.max(peak, price)
    return Math.min(deepest, price / peak - 1)
  }, 0)
}

export function plainKendall(x: number[], y: number[]): number {
  let [s, untiedX, untiedY] = [0, 0, 0]
  for (let i = 1; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const a = Math.sign((x[i] as number) - (x[j] as number))
      const b = Math.sign((y[i] as number) - (y[j] as number))
      s += a * b
      untiedX += a * a
      untiedY += b * b
    }
  }
  return s / Math.sqrt(untiedX * untiedY)
}
