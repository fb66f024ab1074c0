import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { faultText, validate } from '../../../src/operations/answering/validate.ts'
import { absent, choice, flag, freeText, inPath, required } from '../../../src/operations/parameters/kinds.ts'
import {
  optionSymbol,
  ticker,
  tickerFilter,
  tickerKeys,
  uuid,
} from '../../../src/operations/parameters/market.ts'
import { limit, page, ranges } from '../../../src/operations/parameters/number.ts'
import { ordered, ordering, orderOf } from '../../../src/operations/parameters/order.ts'
import type { Parameters } from '../../../src/operations/parameters/parameter.ts'
import { day, moment } from '../../../src/operations/parameters/time.ts'

/** What parameters make of a query, `a=1&b=2`, or the message that refuses it. */
function read(parameters: Parameters, query: string, path = {}) {
  const operation = { id: 'x', path: '/api/x', parameters } as unknown as Operation
  const validated = validate(operation, { path, query: [...new URLSearchParams(query)] })
  return 'faults' in validated ? faultText(validated.faults) : validated.values
}

const words = choice({ description: 'A word.', example: 'Left' }, ['Left', 'Right'])

describe('a parameter', () => {
  test('without a value, or with an empty one, is null or its default', () => {
    const parameters = { word: words, other: absent(words, 'Right') }
    expect(read(parameters, '')).toEqual({ word: null, other: 'Right' })
    expect(read(parameters, 'word=&other=')).toEqual({ word: null, other: 'Right' })
  })

  test('that is required must be given', () => {
    expect(read({ word: required(words) }, 'word=')).toContain('word is required (for example word=Left)')
    expect(read({ word: inPath(words) }, '', { word: 'middle' })).toContain(
      'invalid path input: word is "middle"',
    )
  })

  test('that is a scalar is given once', () => {
    expect(read({ word: words }, 'word=Left&word=Left')).toContain('word is given 2 times')
    expect(read({ word: words }, 'word[]=Left')).toContain('the nearest is word')
  })

  test('named by no operation is refused with the nearest that is', () => {
    expect(read({ word: words, size: flag('Size.') }, 'wrod=Left')).toContain('the nearest is word')
    expect(read({}, 'a=1')).toContain('has none')
  })
})

describe('every fault is named', () => {
  test('path first, then query, each with an example', () => {
    const parameters = { word: words, ticker: inPath(ticker('The ticker.')) }
    expect(read(parameters, 'word=x', { ticker: '1' })).toBe(
      'invalid path input: ticker is "1", which is not a ticker: a letter, then up to 9 letters, digits, dots or hyphens (for example ticker=ACME); ' +
        'invalid query input: word is "x", which is not one of Left, Right (for example word=Left)',
    )
  })
  test('a lower bound above the upper one', () => {
    const parameters = ranges({ dte: { of: 'days', example: '5' } })
    expect(read(parameters, 'min_dte=5&max_dte=4.9999999999999')).toContain('max_dte is below min_dte')
    expect(read(parameters, 'min_dte=5&max_dte=5.0')).not.toContain('below')
    // No value with ten places is between these; this is still not an error of the client.
    expect(read(parameters, 'min_dte=0.12345678901&max_dte=0.12345678902')).not.toContain('below')
  })
  test('a page that is too far', () => {
    const parameters = { limit: limit(500, 100), page: page() }
    expect(read(parameters, 'limit=500&page=2000')).toMatchObject({ page: 2000 })
    expect(read(parameters, 'limit=500&page=2001')).toContain('page skips 1000500 records')
    expect(read({ limit: limit(200, 50), page: page(1) }, 'page=0')).toContain('page is 0, at least 1')
    expect(read({ limit: limit(200, 50), page: page(1) }, 'limit=200&page=5001')).toMatchObject({
      page: 5001,
    })
  })
})

describe('kinds of text', () => {
  test('a flag is true or false, 1 or 0, in any case', () => {
    const parameters = { on: flag('On.') }
    for (const text of ['true', 'TRUE', '1']) expect(read(parameters, `on=${text}`)).toEqual({ on: true })
    for (const text of ['false', 'False', '0']) expect(read(parameters, `on=${text}`)).toEqual({ on: false })
    for (const text of ['yes', '2', 'on', 'truee', 'constructor'])
      expect(read(parameters, `on=${text}`)).toContain('not true or false')
  })
  test('a ticker is upper-cased', () => {
    const parameters = { ticker: ticker('T.') }
    expect(read(parameters, 'ticker=brk.b')).toEqual({ ticker: 'BRK.B' })
    for (const text of ['1A', 'ABCDEFGHIJK', 'A B', 'Ä', "A'", '-A', '.A'])
      expect(read(parameters, `ticker=${text}`)).toContain('not a ticker')
  })
  test('a filter of tickers keeps them, or leaves all of them out', () => {
    const parameters = { symbol: tickerFilter('S.') }
    expect(read(parameters, 'symbol=a,B, a')).toEqual({ symbol: { tickers: ['A', 'B'], excluded: false } })
    expect(read(parameters, 'symbol=-A,B')).toEqual({ symbol: { tickers: ['A', 'B'], excluded: true } })
    expect(read(parameters, 'symbol=-A,-B, -c')).toEqual({
      symbol: { tickers: ['A', 'B', 'C'], excluded: true },
    })
    expect(read(parameters, 'symbol=--A')).toContain('not a ticker')
    expect(read(parameters, 'symbol=A,-B')).toContain('"-B", which is not a ticker')
    expect(read(parameters, 'symbol=-')).toContain('not a ticker')
    const many = (count: number) => Array.from({ length: count }, (_, index) => `T${index}`).join(',')
    expect(read(parameters, `symbol=${many(200)}`)).toHaveProperty('symbol')
    expect(read(parameters, `symbol=${many(201)}`)).toContain('at most 200')
    expect(tickerKeys('ticker', { tickers: ['A'], excluded: false })).toEqual({ keys: { ticker: ['A'] } })
    expect(tickerKeys('ticker', { tickers: ['A'], excluded: true })).toEqual({})
    expect(tickerKeys('ticker', null)).toEqual({})
  })
  test('an option contract loses the blanks of a padded root', () => {
    const parameters = { id: optionSymbol('C.') }
    expect(read(parameters, 'id=acme  240119c00100000')).toEqual({ id: 'ACME240119C00100000' })
    for (const text of ['ACME240230C00100000', 'ACME240119X00100000', 'ACME', 'TOOLONG240119C00100000'])
      expect(read(parameters, `id=${text}`)).toContain('not an option contract')
  })
  test('a UUID is lower-cased', () => {
    const parameters = { id: uuid('I.') }
    expect(read(parameters, 'id=6BA7B810-9DAD-11D1-80B4-00C04FD430C8')).toEqual({
      id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    })
    expect(read(parameters, 'id=6ba7b8109dad11d180b400c04fd430c8')).toContain('not a UUID')
  })
  test('a free text is any alphabet, without control characters', () => {
    const parameters = { name: freeText({ description: 'N.', example: 'x', charactersMax: 5 }) }
    expect(read(parameters, 'name=%20данни ')).toEqual({ name: 'данни' })
    expect(read(parameters, 'name=😀😀😀😀😀')).toEqual({ name: '😀😀😀😀😀' })
    expect(read(parameters, 'name=123456')).toContain('at most 5')
    expect(read(parameters, 'name=a%00b')).toContain('control character')
    expect(read(parameters, 'name=%20%20')).toContain('blank')
  })
})

describe('kinds of time', () => {
  test('a day is one that the calendar has', () => {
    const parameters = { date: day('D.') }
    expect(read(parameters, 'date=2024-02-29')).toEqual({ date: '2024-02-29' })
    for (const text of [
      '2023-02-29',
      '2024-13-01',
      '20240101',
      '2024-1-1',
      '0000-01-01',
      '2024-01-01T00:00',
      'yesterday',
    ])
      expect(read(parameters, `date=${text}`)).toContain('not a date')
  })
  test.each([
    ['1700000000', 1_700_000_000_000_000n],
    ['99999999999', 99_999_999_999_000_000n],
    ['100000000000', 100_000_000_000_000n],
    ['1700000000123', 1_700_000_000_123_000n],
    ['2023-11-14', 1_699_920_000_000_000n],
    ['2023-11-14T22:13', 1_699_999_980_000_000n],
    ['2023-11-14 22:13:20', 1_700_000_000_000_000n],
    ['2023-11-14T22:13:20.123456Z', 1_700_000_000_123_456n],
    ['2023-11-14T22:13:20.5-05:00', 1_700_018_000_500_000n],
    // The + of an address is a blank when it arrives.
    ['2023-11-15T00:13:20 02:00', 1_700_000_000_000_000n],
    ['2023-11-15T00:13:20%2B0200', 1_700_000_000_000_000n],
  ])('%s is an instant', (text, micros) => {
    expect(read({ at: moment('A.') }, `at=${text}`)).toEqual({ at: micros })
  })
  test.each([
    '-1',
    '1.5',
    '1e9',
    '2023-02-30',
    '2023-11-14T25:00',
    '2023-11-14T22:60',
    '2023-11-14T22:13:61',
    '2023-11-14T22:13%2B25:00',
    '9'.repeat(16),
    '253402300800000',
  ])('%s is none', text => {
    expect(read({ at: moment('A.') }, `at=${text}`)).toContain('not Unix seconds')
  })
})

describe('an order', () => {
  const names = { volume: 'volume', ticker: 'underlying_symbol' }
  const sql = 'SELECT 1 AS volume ORDER BY /* order */ volume DESC NULLS LAST, id'
  test('is an identifier of ours in the place that the template marks', () => {
    const values = read(ordering(names, 'volume'), 'order=TICKER&order_direction=Asc') as {
      order: string
      order_direction: string
    }
    expect(ordered(sql, orderOf(names, values))).toBe(
      'SELECT 1 AS volume ORDER BY /* order */ underlying_symbol ASC NULLS LAST, id',
    )
  })
  test('is descending by the default field without parameters', () => {
    const values = read(ordering(names, 'volume'), '') as { order: string; order_direction: string }
    expect(ordered(sql, orderOf(names, values))).toBe(sql)
  })
  test('is nothing else', () => {
    expect(read(ordering(names, 'volume'), 'order=underlying_symbol')).toContain('not one of volume, ticker')
    expect(() => ordered(sql, { column: 'a; DROP', descending: true })).toThrow()
    expect(() => ordered('SELECT 1', { column: 'volume', descending: true })).toThrow()
  })
})
