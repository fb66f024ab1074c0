import { expect, test } from 'vitest'
import { closings } from '../../../src/operations/answering/closings.ts'

test('the weekdays without trading are the holidays and the single closings', () => {
  expect(closings(2025, 2025)).toEqual([
    '2025-01-01',
    '2025-01-09', // the funeral of a president
    '2025-01-20',
    '2025-02-17',
    '2025-04-18',
    '2025-05-26',
    '2025-06-19',
    '2025-07-04',
    '2025-09-01',
    '2025-11-27',
    '2025-12-25',
  ])
})

test('years follow each other and end with 9999', () => {
  expect(closings(2023, 2024)).toEqual([...closings(2023, 2023), ...closings(2024, 2024)])
  expect(closings(2025, 2024)).toEqual([])
  // 9999-12-31 is a Friday: Christmas is a Saturday, kept on the Friday before it.
  expect(closings(9999, 9999).at(-1)).toBe('9999-12-24')
  expect(closings(9999, 10_000)).toEqual(closings(9999, 9999))
})
