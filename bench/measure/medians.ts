export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which this fraction of the values lies: of the sorted values, the one at this place. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

export const ratioOfMedians = (values: readonly number[], others: readonly number[]) =>
  median(values) / median(others)
