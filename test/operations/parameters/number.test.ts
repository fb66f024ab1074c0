import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Bindings, bindAll, decimal, integer } from '../../../src/engine/bind.ts'
import {
  atTenPlaces,
  bound,
  compareDecimals,
  count,
  limit,
  type NumberKind,
  offsetOf,
  page,
  parseDecimal,
  ranges,
} from '../../../src/operations/parameters/number.ts'
import type { Parameter } from '../../../src/operations/parameters/parameter.ts'
import { refused, sentence, unfit } from '../../../src/operations/parameters/problem.ts'

const value = (text: string) => {
  const parsed = parseDecimal(text)
  if ('problems' in parsed) throw new Error(parsed.problems.map(sentence).join(', '))
  return parsed.value
}
/** Runs a statement over a table of trades with a premium in dollars. */
async function prepared(sql: string, bindings: Record<string, Bindings[string] | undefined>) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  await connection.run('CREATE TABLE trades AS SELECT range::DECIMAL(18, 4) AS premium FROM range(20000)')
  const statement = await connection.prepare(sql)
  bindAll(statement, bindings as Bindings)
  return statement.run()
}
const problem = <T>(parameter: Parameter<T>, text: string) => {
  const parsed = parameter.parse([text])
  return 'problems' in parsed ? parsed.problems.map(sentence).join(', ') : null
}

describe('decimal notation', () => {
  test.each([
    ['5', 5n, 0],
    ['-5', -5n, 0],
    ['+5', 5n, 0],
    ['.5', 5n, 1],
    ['5.', 5n, 0],
    ['-0.50', -50n, 2],
    ['1e-05', 1n, 5],
    ['1E3', 1000n, 0],
    ['12.5e1', 125n, 0],
    ['12.345e1', 12345n, 2],
    ['9e+18', 9n * 10n ** 18n, 0],
    ['1e-18', 1n, 18],
  ])('%s is exact', (text, unscaled, scale) => {
    expect(value(text)).toEqual({ unscaled, scale })
  })

  test.each([
    '',
    '.',
    '-',
    'e5',
    '1e',
    '0x10',
    'NaN',
    'Infinity',
    '1_000',
    '1,000',
    '١',
    '1 2',
    '1.2.3',
    '½',
    '1e5.5',
  ])('%j is no number', text => {
    expect(parseDecimal(text)).toEqual(unfit(text, 'a number'))
  })

  test('has at most 38 digits and an exponent of at most 18', () => {
    expect(parseDecimal('9'.repeat(38))).toHaveProperty('value')
    expect(parseDecimal(`${'9'.repeat(20)}.${'9'.repeat(18)}`)).toHaveProperty('value')
    expect(parseDecimal('9'.repeat(39))).toEqual(refused('has 39 digits, at most 38 are allowed'))
    expect(parseDecimal(`${'9'.repeat(20)}.${'9'.repeat(19)}`)).toEqual(
      refused('has 39 digits, at most 38 are allowed'),
    )
    expect(parseDecimal('1e18')).toHaveProperty('value')
    expect(parseDecimal('1e19')).toEqual(refused('has the exponent 19, at most ±18 is allowed'))
    expect(parseDecimal('1e-19')).toEqual(refused('has the exponent -19, at most ±18 is allowed'))
    expect(parseDecimal('1e100')).toEqual(unfit('1e100', 'a number'))
  })

  test('compares exactly, whatever the scales', () => {
    expect(compareDecimals(value('0.1'), value('0.10'))).toBe(0)
    expect(compareDecimals(value('0.1'), value('0.11'))).toBeLessThan(0)
    expect(compareDecimals(value('-0.1'), value('-0.11'))).toBeGreaterThan(0)
    expect(compareDecimals(value('1e18'), value('999999999999999999.9'))).toBeGreaterThan(0)
  })
})

describe('a bound', () => {
  test.each([
    // No value with ten places is between the bound and its rounding.
    ['0.12345678901', 'min', 1234567891n],
    ['0.12345678901', 'max', 1234567890n],
    ['-0.12345678901', 'min', -1234567890n],
    ['-0.12345678901', 'max', -1234567891n],
    ['0.1234567890', 'min', 1234567890n],
    ['0.12345678900', 'max', 1234567890n],
    ['0.12345678900', 'min', 1234567890n],
    ['-0.12345678900', 'max', -1234567890n],
    ['-0.12345678900', 'min', -1234567890n],
    ['1.5', 'min', 15_000_000_000n],
    ['0', 'min', 0n],
    ['-2', 'max', -20_000_000_000n],
    ['1e-18', 'min', 1n],
    ['1e-18', 'max', 0n],
    ['-1e-18', 'min', 0n],
    ['-1e-18', 'max', -1n],
  ] as const)('%s as %s goes to the ten places that are compared', (text, side, units) => {
    expect(atTenPlaces(value(text), side)).toBe(units)
  })

  test('keeps and leaves the same values of ten places as the exact number', () => {
    const decimals = fc.record({
      unscaled: fc.bigInt(-(10n ** 20n), 10n ** 20n),
      scale: fc.integer({ min: 0, max: 18 }),
    })
    fc.assert(
      fc.property(decimals, fc.bigInt(-(10n ** 20n), 10n ** 20n), (exact, units) => {
        const against = { unscaled: units, scale: 10 }
        expect(units >= atTenPlaces(exact, 'min')).toBe(compareDecimals(against, exact) >= 0)
        expect(units <= atTenPlaces(exact, 'max')).toBe(compareDecimals(against, exact) <= 0)
      }),
    )
  })

  test('stays within what the engine compares, however large', () => {
    expect(atTenPlaces(value(`1${'0'.repeat(37)}e18`), 'min')).toBe(10n ** 27n)
    expect(atTenPlaces(value(`-1${'0'.repeat(37)}e18`), 'max')).toBe(-(10n ** 27n))
    // The greatest value is 10^17, which is 10^27 units of the tenth place.
    expect(atTenPlaces(value(`${'9'.repeat(26)}.${'9'.repeat(12)}`), 'max')).toBe(10n ** 27n)
    expect(atTenPlaces(value(`-${'9'.repeat(26)}.${'9'.repeat(12)}`), 'min')).toBe(-(10n ** 27n))
    expect(atTenPlaces(value('1e17'), 'min')).toBe(10n ** 27n)
    expect(atTenPlaces(value('99999999999999999.9999999999'), 'min')).toBe(10n ** 27n - 1n)
  })

  test('is bound with the ten places that are compared, rounded to its side', () => {
    const about = { description: 'A price.', example: '1' }
    expect(bound('min', about).bind?.(value('0.12345678901'))).toEqual(decimal(1234567891n, 10))
    expect(bound('max', about).bind?.(value('0.12345678901'))).toEqual(decimal(1234567890n, 10))
    expect(bound('max', about).bind?.(null)).toEqual(decimal(null, 10))
  })

  test.each([
    ['10000', 'DECIMAL(18,4)'],
    ['-0.3', 'DECIMAL(18,4)'],
    ['99999999999999.9999', 'DECIMAL(18,4)'],
    ['100000000000000', 'DECIMAL(38,4)'],
    ['-100000000000000', 'DECIMAL(38,4)'],
    ['0.12345', 'DECIMAL(18,10)'],
    ['123456789.00001', 'DECIMAL(38,10)'],
  ])('%s is bound exactly, as %s', async (text, type) => {
    const found = bound('min', { description: 'A price.', example: '1' }).bind?.(value(text))
    expect(String(found?.type)).toBe(type)
    const read = await prepared('SELECT $bound AS bound, typeof($bound) AS type', { bound: found })
    const [places = 0] = type.split(',').slice(1).map(Number.parseFloat)
    const [, whole = '', digits = ''] = /^(.*?)(?:\.(.*))?$/.exec(text) ?? []
    expect(await read.getRowObjectsJson()).toEqual([
      { bound: `${whole}.${digits.padEnd(places, '0')}`, type },
    ])
  })

  test('is compared with a column of dollars in the type of the column, by the scan itself', async () => {
    const least = bound('min', { description: 'A price.', example: '1' }).bind?.(value('10000'))
    const explained = await prepared('EXPLAIN SELECT count(*) FROM trades WHERE premium >= $least', { least })
    const plan = String((await explained.getRows()).flat().at(-1))
    expect(plan).toContain('premium>=10000.0000')
    expect(plan).not.toMatch(/CAST|FILTER/)
  })

  test('on whole numbers is bound as one, at most 2^63 − 1', () => {
    const days = bound('min', { description: 'Days.', example: '5', integer: true })
    expect(days.bind?.(value('-5'))).toEqual(integer(-5n))
    expect(days.bind?.(value('9'.repeat(38)))).toEqual(integer(9_223_372_036_854_775_807n))
    expect(days.bind?.(value(`-${'9'.repeat(38)}`))).toEqual(integer(-9_223_372_036_854_775_807n))
  })

  test('may be between its own least and greatest, both included', () => {
    const share = bound('min', { description: 'A share.', example: '0.5', least: 0, most: 1 })
    expect(problem(share, '0')).toBeNull()
    expect(problem(share, '1.000')).toBeNull()
    expect(problem(share, '-0.0001')).toBe('is -0.0001, at least 0 is allowed')
    expect(problem(share, '1.0000000000000000001')).toBe('is 1.0000000000000000001, at most 1 is allowed')
    expect(problem(share, 'half')).toBe('is "half", which is not a number')
  })

  test('is documented with its limits, or with those of the notation', () => {
    const about = { description: 'A number.', example: '5' }
    const schema = (kind: NumberKind) => ({ ...bound('min', { ...about, ...kind }).schema })
    // 38 digits, and an exponent of 18.
    const beyond = 10 ** 56
    expect(schema({})).toEqual({ type: 'number', exclusiveMinimum: -beyond, exclusiveMaximum: beyond })
    expect(schema({ integer: true })).toEqual({
      type: 'integer',
      exclusiveMinimum: -(10 ** 38),
      exclusiveMaximum: 10 ** 38,
    })
    expect(schema({ least: 0 })).toEqual({ type: 'number', minimum: 0, exclusiveMaximum: beyond })
    expect(schema({ most: 1, integer: true })).toEqual({
      type: 'integer',
      exclusiveMinimum: -(10 ** 38),
      maximum: 1,
    })
  })

  test('on whole numbers has digits only, with a sign where it may be negative', () => {
    const days = bound('min', { description: 'Days.', example: '5', integer: true })
    expect(problem(days, '-5')).toBeNull()
    for (const text of ['5.0', '5.', '+5', '1e3', '0x5', ' 5', '5 ', '--5', ''])
      expect(problem(days, text)).toBe(`is "${text}", which is not a whole number`)
    expect(problem(days, '9'.repeat(39))).toBe('has 39 digits, at most 38 are allowed')
  })

  test('comes in pairs of the same stem', () => {
    const { min_dte, max_dte } = ranges({
      dte: { of: 'days to expiry', example: '30', integer: true, least: 0 },
    })
    expect(min_dte.description).toBe('Minimum days to expiry, inclusive.')
    expect(max_dte.description).toBe('Maximum days to expiry, inclusive.')
    expect(problem(min_dte, '-1')).toContain('at least 0')
    expect(problem(max_dte, '1.5')).toContain('not a whole number')
    expect([min_dte.example, max_dte.example]).toEqual(['30', '30'])
    expect(min_dte.schema).toMatchObject({ type: 'integer', minimum: 0 })
  })
})

describe('a count', () => {
  const months = count({ description: 'Months.', example: '12', least: 1, most: 240 })
  test.each(['0', '241', '-1', '1.5', '1e2', 'twelve', ''])('refuses %j', text => {
    expect(problem(months, text)).not.toBeNull()
  })
  test('takes its bounds', () => {
    expect(months.parse(['1'])).toEqual({ value: 1 })
    expect(months.parse(['240'])).toEqual({ value: 240 })
  })
  test('without an upper bound is as large as a double counts', () => {
    const any = count({ description: 'Rows.', example: '1', least: 1 })
    expect(any.parse(['9'.repeat(38)])).toEqual({ value: Number.MAX_SAFE_INTEGER })
    expect(any.parse(['9007199254740990'])).toEqual({ value: 9_007_199_254_740_990 })
    expect(any.bind?.(12)).toEqual(integer(12))
    expect(any.schema).toMatchObject({ type: 'integer', minimum: 1 })
  })
  test('has its standard value in the document', () => {
    expect(limit(200, 100)).toMatchObject({ absent: 100, schema: { default: 100, minimum: 1, maximum: 200 } })
    expect(page(1)).toMatchObject({
      absent: 1,
      example: '1',
      schema: { default: 1, minimum: 1, maximum: 1_000_001 },
    })
    expect(page()).toMatchObject({ absent: 0, example: '0', schema: { minimum: 0, maximum: 1_000_000 } })
    expect(limit(200, 100)).toMatchObject({
      description: 'Maximum number of records. Default: 100.',
      example: '100',
    })
    expect(page(1).description).toBe(
      'Page of `limit` records; the first page is 1. At most 1000000 records can precede it. Default: 1.',
    )
  })
})

describe('the records before a page', () => {
  const own = { limit: limit(500, 100), page: page(1) }
  test.each([
    [{ page: 1, limit: 100 }, 0],
    [{ page: 4, limit: 100 }, 300],
    // A parameter without a value is no number.
    [{ page: 4 }, 0],
    [{ limit: 100 }, 0],
  ])('%j: %i', (values, records) => {
    expect(offsetOf({ parameters: own }, values)).toBe(records)
  })
  test('of the first page 0', () => {
    const fromZero = { limit: limit(500, 100), page: page() }
    expect(offsetOf({ parameters: fromZero }, { page: 3, limit: 50 })).toBe(150)
    expect(offsetOf({ parameters: {} }, { limit: 50 })).toBe(0)
  })
})
