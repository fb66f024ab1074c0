import { describe, expect, test } from 'vitest'
import { boolean, text as boundText } from '../../../src/engine/bind.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { faultText, validate } from '../../../src/operations/answering/validate.ts'
import {
  absent,
  choice,
  flag,
  freeText,
  grammar,
  inPath,
  matching,
  required,
} from '../../../src/operations/parameters/kinds.ts'
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

describe('a parameter is documented', () => {
  test('as optional, in the query and sent once, unless it says otherwise', () => {
    const one = { in: 'query', required: false, repeatable: false, absent: null, example: 'Left' }
    expect(words).toMatchObject(one)
    expect(required(words)).toMatchObject({ ...one, required: true })
    expect(inPath(words)).toMatchObject({ ...one, required: true, in: 'path' })
  })
  test('with its values and its default', () => {
    expect(words).toMatchObject({
      description: 'A word. One of `Left`, `Right`.',
      schema: { type: 'string', enum: ['Left', 'Right'] },
    })
    expect(absent(words, 'Right')).toMatchObject({
      description: 'A word. One of `Left`, `Right`. Default: `Right`.',
      schema: { type: 'string', enum: ['Left', 'Right'], default: 'Right' },
      absent: 'Right',
      required: false,
    })
    expect(flag('On.')).toMatchObject({
      description: 'On.',
      example: 'true',
      schema: { type: 'boolean' },
    })
  })
  test('with the pattern that it is matched with', () => {
    const code = matching({ description: 'A code.', example: 'a1', pattern: /^[a-z]\d$/, is: 'a code' })
    expect(code).toMatchObject({
      description: 'A code.',
      example: 'a1',
      schema: { type: 'string', pattern: '^[a-z]\\d$' },
    })
    expect(code.parse(['a1'])).toEqual({ value: 'a1' })
    expect(code.bind?.('a1')).toEqual(boundText('a1'))
  })
  test('with the characters that a free text can have', () => {
    const { schema, description, bind } = freeText({ description: 'N.', example: 'x', charactersMax: 5 })
    expect(description).toBe('N.')
    expect(schema).toMatchObject({ type: 'string', minLength: 1, maxLength: 5 })
    const pattern = new RegExp((schema as { pattern?: string }).pattern ?? '', 'u')
    for (const text of ['a', ' a ', '\u00e9', '\u20ac']) expect(pattern.test(text), text).toBe(true)
    for (const text of ['', '  ', 'a\u0000', '\u001fa', 'a\u007f', '\u009fa', '\u00a0'])
      expect(pattern.test(text), JSON.stringify(text)).toBe(false)
    expect(bind?.('a')).toEqual(boundText('a'))
  })
  test('as any text without a schema, and is not bound without a binder', () => {
    const any = grammar({ description: 'Any.', example: 'x' }, text => ({ value: text }))
    expect(any).toMatchObject({ description: 'Any.', example: 'x', schema: { type: 'string' }, bind: null })
    expect(words.bind?.('Left')).toEqual(boundText('Left'))
    expect(flag('On.').bind?.(true)).toEqual(boolean(true))
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
    expect(read(parameters, 'name=123456')).toContain('name has 6 characters, at most 5 are allowed')
    expect(read(parameters, 'name=a%00b')).toContain(
      'name is "a\\u0000b", which contains a control character',
    )
    expect(read(parameters, 'name=%20%20')).toContain('name is blank (for example name=x)')
    // Half of a surrogate pair is not text. Every problem is named.
    expect(parameters.name.parse(['\ud83d12345'])).toEqual({
      problems: [
        'is "\\ud83d12345", which contains a control character',
        'has 6 characters, at most 5 are allowed',
      ],
    })
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
