import { expect, test } from 'vitest'
import { text, texts } from '../../../src/engine/bind.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { faultText, validate } from '../../../src/operations/answering/validate.ts'
import { freeText } from '../../../src/operations/parameters/kinds.ts'
import { choices, listOf, listWithKnown } from '../../../src/operations/parameters/list.ts'
import { uuid } from '../../../src/operations/parameters/market.ts'
import { day } from '../../../src/operations/parameters/time.ts'

const about = { description: 'Words.', example: 'Left' }
const parameters = {
  'word[]': choices(about, ['Left', 'Right', 'Up']),
  types: choices(about, ['Left', 'Right', 'Oil, Gas', 'Oil, Gas, Coal', 'Gas']),
  securities: listWithKnown(freeText({ description: 'S.', example: 'Share', charactersMax: 20 }), [
    'Share',
    'Fund',
  ]),
  'dates[]': listOf(day('Dates.')),
  'ids[]': listOf(uuid('Ids.')),
}

/** What the parameters make of a query, without those that are null, or the message that refuses it. */
function read(query: string) {
  const operation = { id: 'x', path: '/api/x', parameters } as unknown as Operation
  const validated = validate(operation, { path: {}, query: [...new URLSearchParams(query)] })
  if ('faults' in validated) return faultText(validated.faults)
  return Object.fromEntries(Object.entries(validated.values).filter(([, value]) => value !== null))
}

test.each([
  'word=left&word=RIGHT',
  'word[]=left&word[]=right&word[]=Left',
  'word[0]=left&word[7]=right',
  'word%5B%5D=left&word[]=right',
  'word=left,right',
  'word[]=left,right',
  'word[]=left%2Cright',
  'word%5B%5D=left%2C%20right',
  'word[]=left&word[]=right,left',
  'word[0]=left,right&word=Left',
  'word=,left,,right,',
  'word[]=&word[]=left,right',
])('%s is Left and Right, once each', query => {
  expect(read(query)).toEqual({ 'word[]': ['Left', 'Right'] })
})

test('a list is documented as one, with how it is sent', () => {
  const word = 'Words. One of `Left`, `Right`, `Up`.'
  expect(parameters['word[]']).toMatchObject({
    in: 'query',
    required: false,
    repeatable: true,
    absent: null,
    example: 'Left',
    description: `${word} Repeatable; values can also be joined with commas.`,
    schema: { type: 'array', items: { type: 'string', enum: ['Left', 'Right', 'Up'] } },
  })
  expect(parameters['dates[]']).toMatchObject({
    description: 'Dates. Repeatable.',
    schema: { type: 'array', items: { type: 'string', format: 'date' } },
  })
  expect(parameters.securities.description).toBe(
    'S. Repeatable; `Share`, `Fund` can also be joined with commas.',
  )
})

test('a list is bound as one, and NULL without a value', () => {
  for (const { bind } of [parameters['word[]'], parameters['dates[]'], parameters.securities]) {
    expect(bind?.(null)).toEqual(text(null))
    expect(bind?.(['Left', 'Up'] as never)).toEqual(texts(['Left', 'Up']))
  }
  const joined = choices(about, ['Left', 'Right'], values => text(values.join('+')))
  expect(joined.bind?.(['Left', 'Right'])).toEqual(text('Left+Right'))
})

test.each(['', 'word=', 'word[]=,', 'word=%20,%20', 'word[]=&word[]=,,'])(
  '%j has no value and filters nothing',
  query => {
    expect(read(query)).toEqual({})
  },
)

test.each([
  ['types=oil, gas', ['Oil, Gas']],
  ['types=oil, gas, coal', ['Oil, Gas, Coal']],
  ['types=Left,Oil, Gas,Right', ['Left', 'Oil, Gas', 'Right']],
  ['types=Gas,Oil, Gas,Gas', ['Gas', 'Oil, Gas']],
  ['types=Gas, oil, gas ,left', ['Gas', 'Oil, Gas', 'Left']],
  ['types=Oil, Gas&types[]=Left', ['Oil, Gas', 'Left']],
])('%s has values that contain a comma', (query, expected) => {
  expect(read(query)).toEqual({ types: expected })
})

test('every value that is not of the list is named, once', () => {
  expect(read('word[]=middle,left&word[]=down,middle&word=back')).toBe(
    'invalid query input: word[] has "middle", "down" and "back", none of which is one of Left, Right, Up (for example word[]=Left)',
  )
  expect(read('types=Oil,Left')).toContain('types has "Oil", which is not one of Left,')
  expect(read('word[x]=left')).toContain('"word[x]" is not a parameter here')
})

test('values of open lists are given one by one, and the message says so', () => {
  expect(read('dates=2024-01-05&dates[]=2024-01-12&dates[1]=2024-01-05')).toEqual({
    'dates[]': ['2024-01-05', '2024-01-12'],
  })
  expect(read('dates[]=2024-01-05,2024-01-12')).toBe(
    'invalid query input: dates[] has "2024-01-05,2024-01-12", which is not a date YYYY-MM-DD: repeat the parameter for each value (for example dates[]=2024-12-31)',
  )
  expect(read('ids=6ba7b810-9dad-11d1-80b4-00c04fd430c8,x&ids=y')).toBe(
    'invalid query input: ids[] has "6ba7b810-9dad-11d1-80b4-00c04fd430c8,x", which is not a UUID: repeat the parameter for each value (for example ids[]=6ba7b810-9dad-11d1-80b4-00c04fd430c8); ' +
      'invalid query input: ids[] has "y", which is not a UUID (for example ids[]=6ba7b810-9dad-11d1-80b4-00c04fd430c8)',
  )
})

test('a value that is wrong for another reason than commas is not told to be repeated', () => {
  const names = listOf(freeText({ description: 'N.', example: 'x', charactersMax: 5 }))
  expect(names.parse(['a,b', 'a,b,c,d'])).toEqual({
    problems: ['has 7 characters, at most 5 are allowed'],
  })
  expect(names.parse(['a,b', 'c'])).toEqual({ value: ['a,b', 'c'] })
})

test('of values that are open but partly known, commas join the known ones', () => {
  for (const query of [
    'securities=share,fund',
    'securities[]=Share&securities=,Fund',
    'securities=Share,Fund,',
  ])
    expect(read(query)).toHaveProperty('securities', expect.objectContaining({ length: 2 }))
  expect(read('securities=Other&securities=Fund,Share')).toEqual({ securities: ['Other', 'Fund', 'Share'] })
  expect(read('securities=,')).toEqual({})
  expect(read('securities=share,fund')).toEqual({ securities: ['Share', 'Fund'] })
  expect(read(`securities=${'x'.repeat(21)}`)).toContain('has 21 characters, at most 20 are allowed (for')
  expect(read('securities=Share,Bond&securities=Fund,Note,Bond')).toBe(
    'invalid query input: securities has "Bond", which is not one of Share, Fund: repeat the parameter for each value (for example securities=Share); ' +
      'invalid query input: securities has "Note" and "Bond", neither of which is one of Share, Fund: repeat the parameter for each value (for example securities=Share)',
  )
})

test('a long list of bad values is named with the values of the list only once', () => {
  const texts = Array.from({ length: 5000 }, (_, index) => `b${index}`)
  const message = String(read(`word=${texts.join(',')}`))
  expect(message).toContain('"b4999"')
  expect(message.length).toBeLessThan(5000 * 10)
})
