import { describe, expect, test } from 'vitest'
import {
  endsBeforeStart,
  parseRange,
  parseRangeEnd,
  resolveWindow,
} from '../../../src/operations/analytics/range.ts'

const open = { from: null, to: null, fromMs: null, toMs: null }
const LAST = '2017-12-29'
/** 16:00 New York in winter. */
const close = (date: string) => Date.parse(`${date}T21:00:00Z`)

function windowOf(range: string, end?: string) {
  const from = parseRange(range)
  const to = end === undefined ? { value: null } : parseRangeEnd(end)
  if ('problems' in from || 'problems' in to) throw new Error('not a range')
  return resolveWindow(from.value, to.value, LAST, close)
}

describe('a range', () => {
  const cases: [range: string, end: string | undefined, expected: Partial<ReturnType<typeof windowOf>>][] = [
    ['full', undefined, {}],
    ['FULL', '2010-06-30', { to: '2010-06-30' }],
    ['1day', undefined, { from: '2017-12-28' }],
    ['2week', undefined, { from: '2017-12-15' }],
    ['2month', undefined, { from: '2017-10-29' }],
    ['10month', undefined, { from: '2017-02-28' }], // 29 February 2017 does not exist
    ['1year', '2016-02-29', { from: '2015-02-28', to: '2016-02-29' }],
    ['1month', '2012-02', { from: '2012-01-29', to: '2012-02-29' }], // back from the last day of a leap February
    ['14month', '2017-01-31', { from: '2015-11-30', to: '2017-01-31' }],
    ['1950year', undefined, { from: '0067-12-29' }],
    ['9999year', undefined, { from: '0000-01-01' }], // the first day that YYYY-MM-DD can hold
    ['2010-06', undefined, { from: '2010-06-01', to: '2010-06-30' }],
    ['2010-06', '2011-02', { from: '2010-06-01', to: '2011-02-28' }],
    ['2010-06-15', undefined, { from: '2010-06-15' }],
    ['2010-06-15', '2010-07-01', { from: '2010-06-15', to: '2010-07-01' }],
    ['30minute', undefined, { fromMs: close(LAST) - 30 * 60_000 }],
    ['2hour', '2014-01-06', { fromMs: close('2014-01-06') - 7_200_000, to: '2014-01-06' }],
    [
      '1day',
      '2014-01-06T15:00:00Z',
      { fromMs: Date.parse('2014-01-05T15:00:00Z'), toMs: Date.parse('2014-01-06T15:00:00Z') },
    ],
    [
      '1month',
      '2014-03-31T15:00:00Z',
      { fromMs: Date.parse('2014-02-28T15:00:00Z'), toMs: Date.parse('2014-03-31T15:00:00Z') },
    ],
    ['2014-01-06T09:30:00-05:00', undefined, { fromMs: Date.parse('2014-01-06T14:30:00Z') }],
    ['2014-01-06T14:30', undefined, { fromMs: Date.parse('2014-01-06T14:30:00Z') }],
    ['2014-01-06 14:30:00 01:00', undefined, { fromMs: Date.parse('2014-01-06T13:30:00Z') }], // a + that a URL lost
  ]
  test.each(cases)('%s to %s', (range, end, expected) => {
    expect(windowOf(range, end)).toEqual({ ...open, ...expected })
  })

  const wrong = [
    '',
    'all',
    '0month',
    '-1day',
    '1.5day',
    '12345day',
    '2months',
    'month',
    '1e3day',
    '2010-13',
    '2010-02-30',
    '2010-2-3',
    '20100203',
    '2010-02-03T25:00:00Z',
    '2010-02-03T10:61Z',
    '0x10day',
    '1899-12-31',
    "2010-01-01'; DROP TABLE x",
    '２month',
  ]
  test.each(wrong)('%j is refused', text => {
    expect(parseRange(text)).toHaveProperty('problems')
  })

  test.each(['full', '2month', '2010-02-30', 'x'])('%j is no end', text => {
    expect(parseRangeEnd(text)).toHaveProperty('problems')
  })
})

describe('an end before its start', () => {
  const check = (range: string, end: string) => {
    const from = parseRange(range)
    const to = parseRangeEnd(end)
    if ('problems' in from || 'problems' in to) throw new Error('not a range')
    return endsBeforeStart(from.value, to.value)
  }
  test('is noticed between days, months and instants', () => {
    expect(check('2010-06-15', '2010-06-14')).toBe(true)
    expect(check('2010-06', '2010-05')).toBe(true)
    expect(check('2014-01-06T14:30Z', '2014-01-06T14:29Z')).toBe(true)
    expect(check('2014-01-07', '2014-01-06T14:29Z')).toBe(true)
  })
  test('is not seen where the two meet, or where a length goes back', () => {
    expect(check('2010-06-15', '2010-06-15')).toBe(false)
    expect(check('2010-06-15', '2010-06')).toBe(false)
    expect(check('2014-01-06T14:30Z', '2014-01-06')).toBe(false)
    expect(check('1day', '1950-01-01')).toBe(false)
    expect(check('full', '1950-01-01')).toBe(false)
  })
})
