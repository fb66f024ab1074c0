import { describe, expect, test } from 'vitest'
import { crossedBounds, inQuery } from '../../../src/operations/answering/crossed.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { faultText, validate } from '../../../src/operations/answering/validate.ts'
import { operations } from '../../../src/operations/index.ts'
import { ranges } from '../../../src/operations/parameters/number.ts'

/** What is wrong with a query; empty if nothing is. */
function problemOf(id: string, query: string): string {
  const known = operations.find(each => each.id === id) as Operation
  // What is kept for the parameters of an operation is made anew.
  const operation = { ...known, parameters: { ...known.parameters } }
  const path = Object.fromEntries(
    Object.entries(operation.parameters)
      .filter(([, parameter]) => parameter.in === 'path')
      .map(([name, { example }]) => [name, example]),
  )
  const validated = validate(operation, { path, query: [...new URLSearchParams(query)] })
  return 'faults' in validated ? faultText(validated.faults) : ''
}

describe('a lower bound above the upper one is a fault, whose example has the two exchanged', () => {
  test.each([
    ['flow-alerts', 'min_dte=31&max_dte=30', 'max_dte is below min_dte', 'min_dte=30&max_dte=31'],
    [
      'flow-alerts',
      'min_premium=1e4&max_premium=9999.99',
      'max_premium is below min_premium',
      'min_premium=9999.99&max_premium=1e4',
    ],
    [
      'flow-alerts',
      'min_diff=-0.1&max_diff=-0.2',
      'max_diff is below min_diff',
      'min_diff=-0.2&max_diff=-0.1',
    ],
    [
      'flow-alerts',
      'newer_than=2024-01-02&older_than=2024-01-01',
      'older_than is before newer_than',
      'newer_than=2024-01-01&older_than=2024-01-02',
    ],
    // 1704153600 is 2024-01-02T00:00:00Z: 19,724 days of 86,400 s.
    [
      'alerts',
      'newer_than=1704153600&older_than=2024-01-01T23:59:59.999999Z',
      'older_than is before newer_than',
      'newer_than=2024-01-01T23:59:59.999999Z&older_than=1704153600',
    ],
    // `newer_than` takes no position.
    [
      'alerts',
      'newer_than=2024-01-02&older_than=2024-01-01/7',
      'older_than is before newer_than',
      'newer_than=2024-01-01&older_than=2024-01-02',
    ],
    [
      'alerts',
      'newer_than=2024-01-02&older_than=2024-01-01T00:00:00Z/123',
      'older_than is before newer_than',
      'newer_than=2024-01-01T00:00:00Z&older_than=2024-01-02',
    ],
    [
      'institution-holdings',
      'start_date=2024-02-01&end_date=2024-01-31',
      'end_date is before start_date',
      'start_date=2024-01-31&end_date=2024-02-01',
    ],
  ])('%s?%s', (id, query, problem, example) => {
    expect(problemOf(id, query)).toBe(`invalid query input: ${problem} (for example ${example})`)
  })
})

describe('bounds that are equal, in order or alone are none', () => {
  test.each([
    ['flow-alerts', 'min_dte=30&max_dte=30'],
    ['flow-alerts', 'min_dte=9&max_dte=10'],
    ['flow-alerts', 'min_premium=1e4&max_premium=10000.00'],
    ['flow-alerts', 'min_dte=30'],
    ['flow-alerts', 'max_dte=30'],
    ['flow-alerts', 'min_dte=30&max_dte='],
    ['flow-alerts', 'min_dte=30&max_premium=1'],
    ['alerts', 'newer_than=2024-01-01&older_than=2024-01-02'],
    ['alerts', 'newer_than=1704153600&older_than=2024-01-02T00:00:00Z'],
    ['alerts', 'newer_than=2024-01-02&older_than=2024-01-02/1'],
    ['alerts', 'newer_than=2024-01-02'],
    ['alerts', 'older_than=2024-01-02/1'],
    ['institution-holdings', 'start_date=2024-01-31&end_date=2024-01-31'],
    ['institution-holdings', 'start_date=2024-01-31&end_date=2024-02-01'],
    ['institution-holdings', 'start_date=2024-01-31'],
    ['institution-holdings', 'end_date=2024-01-31'],
    // A lower bound that has no upper one.
    ['fec-companies', 'min_total=5'],
  ])('%s?%s', (id, query) => {
    expect(problemOf(id, query)).toBe('')
  })
})

test('a parameter is a lower bound by the beginning of its name', () => {
  const { min_dte: bound, max_dte } = ranges({ dte: { of: 'days', example: '5' } })
  const [five, four] = [
    { unscaled: 5n, scale: 0 },
    { unscaled: 4n, scale: 0 },
  ]
  const faults = crossedBounds(
    { mid_dte: bound, min_dte: bound, max_dte },
    { mid_dte: five, min_dte: four, max_dte: four },
    () => '',
  )
  expect(faults).toEqual([])
})

test('a bound that is itself wrong is not compared', () => {
  expect(problemOf('flow-alerts', 'min_dte=x&max_dte=5')).toMatch(
    /^invalid query input: min_dte is "x"[^;]*$/,
  )
  expect(problemOf('alerts', 'newer_than=2024-01-02&older_than=x')).toMatch(
    /^invalid query input: older_than is "x"[^;]*$/,
  )
})

test('the example of crossed bounds can be sent: a colon and a comma stay, a blank and a plus sign are encoded', () => {
  // RFC 3986: a blank is %20, a plus sign %2B, an ampersand %26.
  expect(inQuery('10:30,b c+d&e')).toBe('10:30,b%20c%2Bd%26e')
  const east = 'newer_than=2024-01-03T01:00:00%2B02:00&older_than=2024-01-02'
  expect(problemOf('alerts', east)).toContain(
    '(for example newer_than=2024-01-02&older_than=2024-01-03T01:00:00%2B02:00)',
  )
})
