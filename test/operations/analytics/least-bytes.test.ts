import { expect, test } from 'vitest'
import { histogram } from '../../../src/calculations/histogram.ts'
import { float64Vector } from '../../../src/calculations/values/float64-vector.ts'
import { parseCalculations } from '../../../src/operations/analytics/calculations.ts'
import { leastBytes } from '../../../src/operations/analytics/least-bytes.ts'

const calculationsOf = (text: string) => {
  const parsed = parseCalculations(text)
  if (!('value' in parsed)) throw new Error(text)
  return parsed.value
}
const seriesOf = (...returns: readonly number[]) => [
  { symbol: 'ACME', variation: float64Vector(Float64Array.from(returns)) },
]

test.each([
  // Edges of many digits, of few, exact halves, small ones, and of equal returns.
  [[-0.0123456789, 0.0371], 0.8],
  [[0, 1], 0.3],
  [[-1, 1], 0.3],
  [[1e-7, 3e-7], 0.5],
  [[0.25, 0.25], 0.1],
])('of returns %j it is no more than the answer has, and %d of it or more', (returns, part) => {
  for (const bins of [1, 2, 7, 64, 100, 999, 1000]) {
    const key = `HISTOGRAM(BINS=${bins})`
    const [calculations, series] = [calculationsOf(key), seriesOf(...returns)]
    const { counts = [], edges = [] } = histogram(float64Vector(Float64Array.from(returns)), bins) ?? {}
    const { length } = JSON.stringify({ bin_count: counts, bin_edges: edges })
    const least = leastBytes(calculations, series, 'json')
    expect(least).toBeLessThanOrEqual(length)
    if (bins >= 999) expect(least).toBeGreaterThan(part * length)
    const rows = counts.map((count, bin) =>
      [key, 'ACME', '', bin, edges[bin], edges[bin + 1], '', '', count].join(','),
    )
    expect(leastBytes(calculations, series, 'csv')).toBeLessThanOrEqual(rows.join('\n').length)
  }
})

test('only histograms of symbols with returns count', () => {
  expect(leastBytes(calculationsOf('MEAN,CORRELATION'), seriesOf(0, 1), 'csv')).toBe(0)
  expect(leastBytes(calculationsOf('HISTOGRAM(bins=1000)'), seriesOf(), 'json')).toBe(0)
  // Per bin 20 + 4 characters of the names, 10 of numbers and separators, and two edges of eight bytes.
  expect(leastBytes(calculationsOf('HISTOGRAM(bins=1000)'), seriesOf(0, 1), 'parquet')).toBe(50_000)
})
