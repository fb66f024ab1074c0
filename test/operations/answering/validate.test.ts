import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { faultText, InvalidRequest, validate } from '../../../src/operations/answering/validate.ts'
import { absent, choice, inPath, required } from '../../../src/operations/parameters/kinds.ts'
import { choices } from '../../../src/operations/parameters/list.ts'
import { ticker } from '../../../src/operations/parameters/market.ts'
import { limit, page } from '../../../src/operations/parameters/number.ts'
import type { Fault, Parameters } from '../../../src/operations/parameters/parameter.ts'

const about = { description: 'A word.', example: 'Left' }
const word = choice(about, ['Left', 'Right'])
const parameters = {
  ticker: inPath(ticker('The ticker.')),
  side: required(word),
  other: absent(word, 'Right'),
  'words[]': choices(about, ['Left', 'Right']),
}

const operationOf = (own: Parameters, more: Partial<Operation> = {}) =>
  ({ id: 'x', path: '/api/x/{ticker}', parameters: { ...own }, ...more }) as Operation

interface Request {
  readonly own?: Parameters
  readonly path?: Readonly<Record<string, string>>
  readonly more?: Partial<Operation>
  readonly isIgnored?: (name: string) => boolean
}

/** What a query, `a=1&b=2`, becomes: values, or the message of its faults. */
function read(
  query: string,
  { own = parameters, path = { ticker: 'ACME' }, more = {}, isIgnored }: Request = {},
) {
  const input = { path, query: [...new URLSearchParams(query)] as [string, string][] }
  const validated = validate(operationOf(own, more), input, isIgnored)
  return 'faults' in validated ? faultText(validated.faults) : validated
}

/** The sentence of one fault. */
const of = (place: 'path' | 'query', text: string, example: string) =>
  `invalid ${place} input: ${text} (for example ${example})`

const NO_SIDE = of('query', 'side is required', 'side=Left')

test('a valid request has a value for each parameter, sent or not', () => {
  expect(read('side=right&words=left,right')).toEqual({
    values: { ticker: 'ACME', side: 'Right', other: 'Right', 'words[]': ['Left', 'Right'] },
    ignored: [],
  })
})

test.each(['side=Left&side=', 'side=&side=Left', 'side=Left&other=&words[]='])(
  'an empty value of the query is none: %s',
  query => {
    expect(read(query)).toHaveProperty('values', {
      ticker: 'ACME',
      side: 'Left',
      other: 'Right',
      'words[]': null,
    })
  },
)

test.each(['', 'side=', 'side=&side='])('a required parameter is missing: %j', query => {
  expect(read(query)).toBe(NO_SIDE)
})

test('a parameter of the path is missing, empty or sent in the query', () => {
  const missing = of('path', 'ticker is required', 'ticker=ACME')
  expect(read('side=Left', { path: {} })).toBe(missing)
  expect(read('side=Left', { path: { ticker: '' } })).toBe(missing)
  // It is no parameter of the query, nor the nearest name to one. `side` and `other` both need four edits.
  expect(read('side=Left&ticker=ACME')).toBe(
    of('query', '"ticker" is not a parameter here; the nearest is side', 'side=Left'),
  )
  const only = { ticker: parameters.ticker }
  expect(read('ticker=ACME', { own: only })).toBe(
    of('query', '"ticker" is not a parameter here: this operation has none', '/api/x/{ticker}'),
  )
})

describe('a parameter that takes one value', () => {
  test('is given several times, with valid values', () => {
    expect(read('side=Left&other=Left&other=Right')).toBe(
      of('query', 'other is given 2 times, once is allowed', 'other=Left'),
    )
  })
  test('is given several times, and each invalid value is named', () => {
    expect(read('side=Left&side=up&side=down')).toBe(
      [
        of('query', 'side is given 3 times, once is allowed', 'side=Left'),
        of('query', 'side has "up" and "down", neither of which is one of Left, Right', 'side=Left'),
      ].join('; '),
    )
  })
})

describe('faults', () => {
  test('are in the order of the parameters, whatever the order of the query, path first, then unknown names', () => {
    expect(read('zzz=1&words=c&other=b&side=a&zzz=2&yyy=1', { path: { ticker: '1' } })).toBe(
      [
        of(
          'path',
          'ticker is "1", which is not a ticker: a letter, then up to 9 letters, digits, dots or hyphens',
          'ticker=ACME',
        ),
        of('query', 'side is "a", which is not one of Left, Right', 'side=Left'),
        of('query', 'other is "b", which is not one of Left, Right', 'other=Left'),
        of('query', 'words[] has "c", which is not one of Left, Right', 'words[]=Left'),
        of('query', '"zzz" is not a parameter here; the nearest is side', 'side=Left'),
        of('query', '"yyy" is not a parameter here; the nearest is side', 'side=Left'),
      ].join('; '),
    )
  })

  test('of the path are in its order', () => {
    const own = { ticker: parameters.ticker, other: inPath(ticker('Another ticker.', 'BRASS')), side: word }
    const rule = 'which is not a ticker: a letter, then up to 9 letters, digits, dots or hyphens'
    expect(read('side=a', { own, path: { ticker: '1', other: '2' } })).toBe(
      [
        of('path', `ticker is "1", ${rule}`, 'ticker=ACME'),
        of('path', `other is "2", ${rule}`, 'other=BRASS'),
        of('query', 'side is "a", which is not one of Left, Right', 'side=Left'),
      ].join('; '),
    )
  })

  const fault = (place: 'path' | 'query', name: string): Fault => ({
    in: place,
    name,
    problem: 'is wrong',
    example: `${name}=1`,
  })

  test('between parameters come after those of each, but those of the path first', () => {
    const more = { check: () => [fault('query', 'other'), fault('path', 'ticker')] }
    expect(read('', { more })).toBe(
      [of('path', 'ticker is wrong', 'ticker=1'), NO_SIDE, of('query', 'other is wrong', 'other=1')].join(
        '; ',
      ),
    )
    expect(read('side=Left', { more: { check: () => [] } })).toHaveProperty('values')
  })

  test('leave a parameter without a value, not with its default, for what depends on it', () => {
    const seen: unknown[] = []
    const more: Partial<Operation> = {
      check: values => {
        seen.push(values)
        return []
      },
      fitting: values => {
        seen.push(values)
        return { other: 'Right' }
      },
    }
    expect(read('side=Left&other=b', { more })).toBe(
      of('query', 'other is "b", which is not one of Left, Right', 'other=Right'),
    )
    const values = { ticker: 'ACME', side: 'Left', 'words[]': null }
    expect(seen).toStrictEqual([values, values])
    expect(read('side=a', { more })).toContain('(for example side=Left)')
  })

  test('of data are a failure with the same text', () => {
    const faults = [fault('query', 'name'), fault('path', 'ticker')]
    const failure = new InvalidRequest(faults)
    expect(failure).toMatchObject({
      code: 'invalid_request',
      faults,
      message: `${of('query', 'name is wrong', 'name=1')}; ${of('path', 'ticker is wrong', 'ticker=1')}`,
    })
  })
})

describe('unknown names', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `zz${at}=1`).join('&')
  test('that are ignored are listed, each once, beside values or not at all', () => {
    const isIgnored = (name: string) => name.startsWith('utm_')
    expect(read('side=Left&utm_a=1&utm_b=&utm_a=2', { isIgnored })).toMatchObject({
      values: { side: 'Left' },
      ignored: ['utm_a', 'utm_b'],
    })
    expect(read('side=Left&utm_a=1&zzz=1', { isIgnored })).toBe(
      of('query', '"zzz" is not a parameter here; the nearest is side', 'side=Left'),
    )
  })
  test.each([
    [10, 10, ''],
    [11, 11, of('query', '1 more name is not a parameter here', '/api/x/{ticker}')],
    [12, 11, of('query', '2 more names are not parameters here', '/api/x/{ticker}')],
  ])('%i: %i sentences', (count, sentences, last) => {
    const all = String(read(`side=Left&${names(count)}`)).split('; invalid')
    expect(all).toHaveLength(sentences)
    if (last !== '') expect(`invalid${all.at(-1)}`).toBe(last)
  })
})

test('a page too far is a fault, unless the operation has no pages', () => {
  const own = { limit: limit(500, 100), page: page() }
  expect(read('limit=500&page=2001', { own })).toBe(
    of('query', 'page skips 1000500 records, at most 1000000 are allowed', 'page=0'),
  )
  expect(read('limit=500&page=2000', { own })).toHaveProperty('values', { limit: 500, page: 2000 })
  expect(read('limit=500', { own: { limit: limit(500, 100) } })).toHaveProperty('values', { limit: 500 })
})
