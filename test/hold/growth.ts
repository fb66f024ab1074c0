/** What a server held at a time. */
export interface Sample {
  readonly minute: number
  readonly memoryMib: number
  readonly descriptors: number
}

/** The slope of the line with the least squares through points of a minute and a value. */
export function growthPerMinute(points: readonly (readonly [minute: number, value: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const minuteMean = mean(points.map(([minute]) => minute))
  const valueMean = mean(points.map(([, value]) => value))
  const covariance = mean(points.map(([minute, value]) => (minute - minuteMean) * (value - valueMean)))
  return covariance / mean(points.map(([minute]) => (minute - minuteMean) ** 2))
}
