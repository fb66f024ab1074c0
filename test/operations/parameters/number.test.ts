import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  atTenPlaces,
  bound,
  compareDecimals,
  count,
  limit,
  page,
  parseDecimal,
  ranges,
} from '../../../src/operations/parameters/number.ts'
import type { Parameter } from '../../../src/operations/parameters/parameter.ts'
import { sentence, unfit } from '../../../src/operations/parameters/problem.ts'

const value = (text: string) => {
  const parsed = parseDecimal(text)
  if ('problems' in parsed) throw new Error(parsed.problems.map(sentence).join(', '))
  return parsed.value
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
    expect(parseDecimal('9'.repeat(39))).toHaveProperty('problems')
    expect(parseDecimal('1e18')).toHaveProperty('value')
    expect(parseDecimal('1e19')).toHaveProperty('problems')
    expect(parseDecimal('1e-19')).toHaveProperty('problems')
    expect(parseDecimal('1e100')).toHaveProperty('problems')
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
  })

  test('may be between its own least and greatest, both included', () => {
    const share = bound('min', { description: 'A share.', example: '0.5', least: 0, most: 1 })
    expect(problem(share, '0')).toBeNull()
    expect(problem(share, '1.000')).toBeNull()
    expect(problem(share, '-0.0001')).toContain('at least 0')
    expect(problem(share, '1.0000000000000000001')).toContain('at most 1')
  })

  test('on whole numbers has digits only, with a sign where it may be negative', () => {
    const days = bound('min', { description: 'Days.', example: '5', integer: true })
    expect(problem(days, '-5')).toBeNull()
    for (const text of ['5.0', '5.', '+5', '1e3', '0x5', ' 5'])
      expect(problem(days, text)).toContain('whole number')
  })

  test('comes in pairs of the same stem', () => {
    const { min_dte, max_dte } = ranges({
      dte: { of: 'days to expiry', example: '30', integer: true, least: 0 },
    })
    expect(min_dte.description).toBe('Minimum days to expiry, inclusive.')
    expect(max_dte.description).toBe('Maximum days to expiry, inclusive.')
    expect(problem(min_dte, '-1')).toContain('at least 0')
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
  })
  test('has its standard value in the document', () => {
    expect(limit(200, 100)).toMatchObject({ absent: 100, schema: { default: 100, minimum: 1, maximum: 200 } })
    expect(page(1)).toMatchObject({ absent: 1, schema: { default: 1, minimum: 1 } })
  })
})
