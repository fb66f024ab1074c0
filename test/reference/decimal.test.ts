import { describe, expect, test } from 'vitest'
import { compare, decimal, minus, quotient, rounded, sum, textOf, times } from './decimal.ts'

const text = (value: ReturnType<typeof quotient>) => value && textOf(value)

describe('a decimal', () => {
  test.each([
    ['1.50', '1.50'],
    ['-.5', '-0.5'],
    ['1e-05', '0.00001'],
    ['12e2', '1200'],
    ['-0.001', '-0.001'],
  ])('%s is shown as %s', (source, expected) => {
    expect(textOf(decimal(source))).toBe(expected)
  })

  test('adds, subtracts and multiplies exactly', () => {
    expect(textOf(sum([decimal('0.1'), decimal('0.20'), decimal('1')]))).toBe('1.30')
    expect(textOf(minus(decimal('0.1'), decimal('0.11')))).toBe('-0.01')
    expect(textOf(times(decimal('99999999999.99'), decimal('3')))).toBe('299999999999.97')
    expect(compare(decimal('1.10'), decimal('1.1'))).toBe(0)
    expect(compare(decimal('-2'), decimal('1.1'))).toBe(-1)
  })

  test('is divided and rounded with halves to the even digit', () => {
    expect(text(quotient(decimal(1), decimal(3)))).toBe('0.3333333333')
    expect(text(quotient(decimal(2), decimal('-3'), 3))).toBe('-0.667')
    // 0.125, 0.375 and 0.126: only the first two are halves.
    expect([1, 3].map(n => text(quotient(decimal(n), decimal(8), 2)))).toEqual(['0.12', '0.38'])
    expect(textOf(rounded(decimal('0.126'), 2))).toBe('0.13')
    expect(textOf(rounded(decimal('-2.5'), 0))).toBe('-2')
    expect(textOf(rounded(decimal('7'), 2))).toBe('7.00')
    expect(quotient(decimal(1), decimal('0.00'))).toBeNull()
  })
})
