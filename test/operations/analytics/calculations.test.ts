import { describe, expect, test } from 'vitest'
import { parseCalculations } from '../../../src/operations/analytics/calculations.ts'
import { sentence } from '../../../src/operations/parameters/problem.ts'

const DEFAULTS = { annualized: false, bins: 10, lag: 1, method: 'PEARSON' }

function parsed(text: string) {
  const result = parseCalculations(text)
  if ('problems' in result) throw new Error(result.problems.map(sentence).join(', '))
  return result.value
}

describe('calculations', () => {
  test('are split on commas outside parentheses, in any case, and keyed as requested', () => {
    expect(
      parsed(
        'mean, StdDev( annualized = true ),HISTOGRAM(bins=20),autocorrelation(lag=2),Correlation(method=kendall)',
      ),
    ).toEqual([
      { key: 'MEAN', name: 'MEAN', options: DEFAULTS },
      { key: 'STDDEV(ANNUALIZED=TRUE)', name: 'STDDEV', options: { ...DEFAULTS, annualized: true } },
      { key: 'HISTOGRAM(BINS=20)', name: 'HISTOGRAM', options: { ...DEFAULTS, bins: 20 } },
      { key: 'AUTOCORRELATION(LAG=2)', name: 'AUTOCORRELATION', options: { ...DEFAULTS, lag: 2 } },
      {
        key: 'CORRELATION(METHOD=KENDALL)',
        name: 'CORRELATION',
        options: { ...DEFAULTS, method: 'KENDALL' },
      },
    ])
  })

  test('requested twice are answered once, but again with other options', () => {
    expect(parsed('MEAN,mean,STDDEV,STDDEV(annualized=False)').map(({ key }) => key)).toEqual([
      'MEAN',
      'STDDEV',
      'STDDEV(ANNUALIZED=FALSE)',
    ])
  })

  test('have the defaults of the decisions', () => {
    for (const { options } of parsed('HISTOGRAM,AUTOCORRELATION,CORRELATION,VARIANCE()'))
      expect(options).toEqual(DEFAULTS)
  })

  const wrong: [text: string, names: string][] = [
    ['AVERAGE', 'AVERAGE'],
    ['MEAN,', '""'],
    [',MEAN', '""'],
    ['MEAN(annualized=True)', 'MEAN'],
    ['STDDEV(bins=3)', 'annualized'],
    ['STDDEV(annualized=yes)', 'annualized'],
    ['STDDEV(annualized=True,annualized=True)', 'annualized'],
    ['HISTOGRAM(bins=0)', 'bins'],
    ['HISTOGRAM(bins=1001)', 'bins'],
    ['HISTOGRAM(bins=1e2)', 'bins'],
    ['HISTOGRAM(bins=-5)', 'bins'],
    ['HISTOGRAM(20)', 'bins'],
    ['HISTOGRAM(bins=20', 'HISTOGRAM'],
    ['AUTOCORRELATION(lag=0)', 'lag'],
    ['CORRELATION(method=COSINE)', 'method'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
  ]
  test.each(wrong)('%j is refused and names %s', (text, names) => {
    const result = parseCalculations(text)
    expect(result).toHaveProperty('problems')
    expect('problems' in result && result.problems.map(sentence).join()).toContain(names)
  })

  test('are at most fifty', () => {
    const lags = (count: number) =>
      Array.from({ length: count }, (_, lag) => `AUTOCORRELATION(lag=${lag + 1})`).join(',')
    expect(parsed(lags(50))).toHaveLength(50)
    expect(parseCalculations(lags(51))).toHaveProperty('problems')
  })

  test.each([
    ['HISTOGRAM(bins=1)', 1],
    ['HISTOGRAM(bins=1000)', 1000],
  ])('%s is at the bound', (text, bins) => {
    expect(parsed(text)[0]?.options.bins).toBe(bins)
  })
})
