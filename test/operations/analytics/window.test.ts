import { describe, expect, test } from 'vitest'
import { simpleReturns } from '../../../src/calculations/simple-returns.ts'
import { float64Vector } from '../../../src/calculations/values/float64-vector.ts'
import { parseCalculations } from '../../../src/operations/analytics/calculations.ts'
import { compute } from '../../../src/operations/analytics/compute.ts'
import { joinedReturns, windowOf } from '../../../src/operations/analytics/figures.ts'
import { FULL, figures, rounded, useAnalyticsLake } from '../../fixtures/analytics.ts'

useAnalyticsLake()

describe('the calculations of a window', () => {
  test('are those that a pencil finds', async () => {
    // ONE returns +0.1, −0.1, +0.1: mean 1/30, deviations 2/30, −4/30, 2/30, squares 24/900 in all.
    const answer = await figures(
      `${FULL}ONE&calculations=MIN,MAX,MEAN,MEDIAN,CUMULATIVE_RETURN,VARIANCE,STDDEV,AUTOCORRELATION,AUTOCORRELATION(lag=2),AUTOCORRELATION(lag=3)`,
    )
    expect(rounded(answer)).toEqual(
      rounded({
        MIN: { ONE: -0.1 },
        MAX: { ONE: 0.1 },
        MEAN: { ONE: 1 / 30 },
        MEDIAN: { ONE: 0.1 },
        CUMULATIVE_RETURN: { ONE: 0.089 },
        VARIANCE: { ONE: 8 / 900 },
        STDDEV: { ONE: Math.sqrt(8) / 30 },
        AUTOCORRELATION: { ONE: -16 / 24 },
        'AUTOCORRELATION(LAG=2)': { ONE: 4 / 24 },
        'AUTOCORRELATION(LAG=3)': { ONE: null },
      }),
    )
  })

  test('are annualized by the interval', async () => {
    const annual =
      'calculations=VARIANCE(annualized=True),STDDEV(annualized=True),COVARIANCE(annualized=True)'
    expect(rounded(await figures(`${FULL}ONE&${annual}`))).toEqual(
      rounded({
        'VARIANCE(ANNUALIZED=TRUE)': { ONE: (252 * 8) / 900 },
        'STDDEV(ANNUALIZED=TRUE)': { ONE: (Math.sqrt(252) * Math.sqrt(8)) / 30 },
        'COVARIANCE(ANNUALIZED=TRUE)': { index: ['ONE'], covariance: [[(252 * 8) / 900]] },
      }),
    )
    // 60min closes 102, 110, 99: returns 8/102 and −0.1.
    const [up, down] = [8 / 102, -0.1]
    const variance = ((up - down) / 2) ** 2
    expect(
      rounded(
        await figures(`symbols=ONE&range=2024-01-05&interval=60min&calculations=VARIANCE(annualized=True)`),
      ),
    ).toEqual(rounded({ 'VARIANCE(ANNUALIZED=TRUE)': { ONE: variance * 252 * 6.5 } }))
  })

  test('over several symbols join on the days that all have', async () => {
    // ONE 100, 99, 108.9: −0.01, +0.1. TWO 50, 45, 54: −0.1, +0.2.
    const answer = await figures(
      `${FULL}TWO,ONE&calculations=COVARIANCE,CORRELATION,CORRELATION(method=KENDALL),CORRELATION(method=SPEARMAN)`,
    )
    const one = { index: ['TWO', 'ONE'], correlation: [[1], [1, 1]] }
    expect(rounded(answer)).toEqual({
      COVARIANCE: { index: ['TWO', 'ONE'], covariance: [[0.0225], [0.00825, 0.003025]] },
      CORRELATION: one,
      'CORRELATION(METHOD=KENDALL)': one,
      'CORRELATION(METHOD=SPEARMAN)': one,
    })
  })

  test('count a histogram into equal bins, the last one closed', async () => {
    const answer = await figures(`${FULL}ONE,FLAT&calculations=HISTOGRAM(bins=4)`)
    expect(rounded(answer)).toEqual({
      'HISTOGRAM(BINS=4)': {
        ONE: { bin_count: [1, 0, 0, 2], bin_edges: [-0.1, -0.05, 0, 0.05, 0.1] },
        // Both returns are 0: bin ⌊4/2⌋ of [−0.5, 0.5].
        FLAT: { bin_count: [0, 0, 2, 0], bin_edges: [-0.5, -0.25, 0, 0.25, 0.5] },
      },
    })
  })

  test('over weeks or months join by period, not by the date of the last session', async () => {
    // Returns of LONG by month: 0.1, −0.1, 0.2; of GAPS, without the last session of February: 0.2, −0.1, 0.2.
    // Deviations 1/30, −5/30, 4/30 and 3/30, −6/30, 3/30: products 45/900, squares 42/900 and 54/900.
    const both = `${FULL}LONG,GAPS&calculations=COVARIANCE,CORRELATION`
    const index = ['LONG', 'GAPS']
    const expected = rounded({
      COVARIANCE: { index, covariance: [[42 / 2700], [45 / 2700, 54 / 2700]] },
      CORRELATION: { index, correlation: [[1], [45 / Math.sqrt(42 * 54), 1]] },
    })
    expect(rounded(await figures(`${both}&interval=MONTHLY`))).toEqual(expected)
    expect(rounded(await figures(`${both}&interval=WEEKLY`))).toEqual(expected)
    // By day they have January, March and April in common: −0.01, 0.2 and 0.08, 0.2.
    expect(rounded(await figures(`${FULL}LONG,GAPS&calculations=COVARIANCE`))).toEqual(
      rounded({ COVARIANCE: { index, covariance: [[0.105 ** 2], [0.105 * 0.06, 0.06 ** 2]] } }),
    )
  })

  test('name the peak and the trough of a drawdown', async () => {
    const answer = await figures(`${FULL}ONE,FLAT&calculations=MAX_DRAWDOWN`)
    expect(rounded(answer.MAX_DRAWDOWN)).toEqual({
      ONE: {
        max_drawdown: -0.1,
        drawdown_range: { start_drawdown: '2024-01-03', end_drawdown: '2024-01-04' },
      },
      FLAT: { max_drawdown: 0, drawdown_range: { start_drawdown: null, end_drawdown: null } },
    })
  })

  test('have no value where there is too little or nothing varies', async () => {
    const scalars = 'MIN,MEAN,MEDIAN,CUMULATIVE_RETURN,VARIANCE,AUTOCORRELATION'
    expect(
      await figures(
        `${FULL}ALONE,FLAT,NONE&calculations=${scalars},MAX_DRAWDOWN,HISTOGRAM,CORRELATION,COVARIANCE`,
      ),
    ).toEqual({
      MIN: { ALONE: null, FLAT: 0, NONE: null },
      MEAN: { ALONE: null, FLAT: 0, NONE: null },
      MEDIAN: { ALONE: null, FLAT: 0, NONE: null },
      CUMULATIVE_RETURN: { ALONE: 0, FLAT: 0, NONE: null },
      VARIANCE: { ALONE: null, FLAT: 0, NONE: null },
      AUTOCORRELATION: { ALONE: null, FLAT: null, NONE: null },
      MAX_DRAWDOWN: {
        ALONE: { max_drawdown: 0, drawdown_range: { start_drawdown: null, end_drawdown: null } },
        FLAT: { max_drawdown: 0, drawdown_range: { start_drawdown: null, end_drawdown: null } },
        NONE: null,
      },
      HISTOGRAM: {
        ALONE: null,
        FLAT: { bin_count: [0, 0, 0, 0, 0, 2, 0, 0, 0, 0], bin_edges: expect.any(Array) },
        NONE: null,
      },
      // One day in common: no return at all.
      CORRELATION: { index: ['ALONE', 'FLAT'], correlation: [[null], [null, null]] },
      COVARIANCE: { index: ['ALONE', 'FLAT'], covariance: [[null], [null, null]] },
    })
    expect(await figures(`${FULL}ONE,FLAT&calculations=CORRELATION,COVARIANCE`)).toMatchObject({
      CORRELATION: { correlation: [[1], [null, null]] },
      COVARIANCE: { covariance: [[expect.any(Number)], [null, null]] },
    })
  })

  test('see no variance in what rounding alone makes', async () => {
    // TENTH and THRICE grow by a tenth each day; as doubles, most of their returns differ in the last digits.
    const answer = await figures(
      `${FULL}TENTH,THRICE&calculations=VARIANCE,STDDEV,AUTOCORRELATION,HISTOGRAM(bins=3),COVARIANCE,CORRELATION,CORRELATION(method=KENDALL),CORRELATION(method=SPEARMAN)`,
    )
    expect(answer.VARIANCE).toMatchObject({ TENTH: 0, THRICE: 0 })
    expect(answer.STDDEV).toMatchObject({ TENTH: 0, THRICE: 0 })
    expect(answer.AUTOCORRELATION).toMatchObject({ TENTH: null, THRICE: null })
    expect(rounded(answer['HISTOGRAM(BINS=3)'])).toMatchObject({
      TENTH: { bin_count: [0, 8, 0], bin_edges: [-0.4, rounded(0.1 - 1 / 6), rounded(0.1 + 1 / 6), 0.6] },
      THRICE: { bin_count: [0, 8, 0] },
    })
    for (const figure of ['CORRELATION', 'CORRELATION(METHOD=KENDALL)', 'CORRELATION(METHOD=SPEARMAN)'])
      expect(answer[figure].correlation, figure).toEqual([[null], [null, null]])
    expect(answer.COVARIANCE.covariance).toEqual([[null], [null, null]])
  })

  test('see none in a single return', async () => {
    const scalars = 'MEAN,VARIANCE,STDDEV,VARIANCE(annualized=True),STDDEV(annualized=True)'
    expect(
      rounded(
        await figures(
          `symbols=ONE&range=2024-01-04&range_end=2024-01-05&calculations=${scalars},AUTOCORRELATION,COVARIANCE`,
        ),
      ),
    ).toEqual({
      MEAN: { ONE: 0.1 },
      VARIANCE: { ONE: null },
      STDDEV: { ONE: null },
      'VARIANCE(ANNUALIZED=TRUE)': { ONE: null },
      'STDDEV(ANNUALIZED=TRUE)': { ONE: null },
      AUTOCORRELATION: { ONE: null },
      COVARIANCE: { index: ['ONE'], covariance: [[null]] },
    })
  })
})

test('a gap in one series is a gap in the others, and a series without other points keeps its returns', () => {
  const seriesOf = (...points: readonly (readonly [time: number, price: number])[]) => {
    const [times, prices] = [0, 1].map(place => Float64Array.from(points, point => point[place] ?? 0))
    const vector = float64Vector(prices ?? new Float64Array())
    return { periods: times ?? new Float64Array(), prices: vector, variation: simpleReturns(vector) }
  }
  const sparse = seriesOf([1, 100], [3, 150])
  const full = seriesOf([1, 8], [2, 99], [3, 10])
  // 150/100 - 1, and 10/8 - 1 although the price of the second period was 99.
  expect(joinedReturns([sparse, full]).map(returns => returns.toJSON())).toEqual([[0.5], [0.25]])
  expect(joinedReturns([sparse, sparse])[1]).toBe(sparse.variation)
})

test('a long calculation lets others have their turn, and ends at its deadline', async () => {
  // 50 series of 2,000 points each: 1,275 coefficients of Kendall take longer than a turn.
  const times = Float64Array.from({ length: 2000 }, (_, day) => day * 86_400_000)
  const series = Array.from({ length: 50 }, (_, n) => {
    const prices = float64Vector(
      Float64Array.from(times, (_, day) => 100 + ((day * (n + 3) * 7919) % 1009) / 10),
    )
    const returns = simpleReturns(prices)
    const unadjusted = { adjustedFor: 'raw', suspected: [] } as const
    return { symbol: `S${n}`, times, periods: times, prices, returns, variation: returns, ...unadjusted }
  })
  const symbols = series.map(({ symbol }) => symbol)
  const window = windowOf({ symbols, periodsAYear: 252, showTime: String }, series)
  const parsed = parseCalculations('CORRELATION(method=KENDALL)')
  if ('problems' in parsed) throw new Error('not a calculation')
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 1)
  const figures = await compute(parsed.value, window, new AbortController().signal)
  clearInterval(others)
  expect(figures.get('CORRELATION(METHOD=KENDALL)')?.value.index).toEqual(symbols)
  expect(turns).toBeGreaterThan(3)
  const late = new AbortController()
  setTimeout(() => late.abort(new Error('too late')), 15)
  await expect(compute(parsed.value, window, late.signal)).rejects.toThrow('too late')
})
