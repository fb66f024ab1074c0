import { describe, expect, test } from 'vitest'
import { text, texts } from '../../../src/engine/bind.ts'
import {
  bindersOf,
  boundDefaults,
  defaultsOf,
  onceFor,
  parameterNamed,
} from '../../../src/operations/answering/names.ts'
import { absent, choice, inPath, required } from '../../../src/operations/parameters/kinds.ts'
import { choices } from '../../../src/operations/parameters/list.ts'
import { ticker, tickerFilter } from '../../../src/operations/parameters/market.ts'

const about = { description: 'A word.', example: 'Left' }
const word = choice(about, ['Left', 'Right'])
/** The parameters of an operation, anew for each test: names are kept for each. */
const own = () => ({
  ticker: inPath(ticker('The ticker.')),
  side: required(word),
  other: absent(word, 'Right'),
  'words[]': choices(about, ['Left', 'Right']),
  types: choices(about, ['Left', 'Right']),
  symbols: tickerFilter('Tickers.'),
})

describe('a name in a query means', () => {
  test.each([
    ['side', 'side'],
    ['other', 'other'],
    ['words', 'words[]'],
    ['words[]', 'words[]'],
    ['words[0]', 'words[]'],
    ['words[12]', 'words[]'],
    ['words[123456789]', 'words[]'],
    ['types', 'types'],
    ['types[]', 'types'],
    ['types[3]', 'types'],
  ])('%s: %s', (sent, name) => {
    expect(parameterNamed(own(), sent)).toBe(name)
  })

  test.each([
    'ticker',
    'ticker[]',
    'side[]',
    'side[0]',
    'words[x]',
    'words[0]x',
    'wor[0]ds',
    'words[][]',
    'words[1234567890]',
    'words[-1]',
    '[]',
    'word',
    '',
    'Side',
    'constructor',
  ])('no parameter: %j', sent => {
    expect(parameterNamed(own(), sent)).toBeNull()
  })
})

test('a request without parameters has the defaults, and lacks what is required', () => {
  expect(defaultsOf(own())).toEqual({
    defaults: { other: 'Right', 'words[]': null, types: null, symbols: null },
    required: ['ticker', 'side'],
  })
})

test('a template has each parameter that binds itself, name[] as $name', () => {
  const binders = bindersOf(own())
  expect(binders.map(({ name, variable }) => [name, variable])).toEqual([
    ['ticker', 'ticker'],
    ['side', 'side'],
    ['other', 'other'],
    ['words[]', 'words'],
    ['types', 'types'],
  ])
  expect(binders.find(({ name }) => name === 'words[]')?.bind(['Left'])).toEqual(texts(['Left']))
  expect(boundDefaults(own())).toEqual({ other: text('Right'), words: text(null), types: text(null) })
})

test('no value of a required parameter is taken for its default', () => {
  const { absent: standard } = bindersOf(own()).find(({ name }) => name === 'side') ?? {}
  for (const value of [null, undefined, '', 'Left']) expect(standard).not.toBe(value)
})

test('what is made of the parameters of an operation is made once, also where it is undefined', () => {
  const seen: unknown[] = []
  const make = onceFor(each => {
    seen.push(each)
  })
  const parameters = own()
  for (const each of [parameters, parameters, {}]) make(each)
  expect(seen).toEqual([parameters, {}])
})
