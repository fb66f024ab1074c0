import { expect, test } from 'vitest'
import { keyCount } from '../../../src/lake/contents/keys.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import type { LakeFile } from '../../../src/lake/store/snapshot.ts'

const file = (name: string, rows: number, from: string, to = from): LakeFile => ({
  path: `/${name}`,
  name,
  rows,
  bytes: 1,
  dataset: 'any',
  sha256: '',
  dates: [from, to],
  ranges: {},
})
const counted = (files: readonly LakeFile[], rowsMax?: number) => {
  const count = keyCount(dataset('option_trades'), files, rowsMax)
  return count && [count.from, JSON.stringify(count.bindings.files?.value)]
}
const YEAR = file('year', 50, '2023-01-03', '2023-12-29')
const TUESDAY = [file('a', 10, '2024-01-02'), file('b', 10, '2024-01-02')]
const WEDNESDAY = [file('c', 10, '2024-01-03'), file('d', 10, '2024-01-03')]
const ALL = [YEAR, ...TUESDAY, ...WEDNESDAY]

test('counts the main key of all files, if they have few rows', () => {
  const count = keyCount(dataset('option_trades'), ALL)
  expect(count?.column).toBe('underlying_symbol')
  expect(count?.from).toBe('2023-01-03')
  expect(counted(ALL, 91)).toEqual(counted(ALL))
  expect(keyCount(dataset('option_trades'), [])).toBeNull()
})

test('counts the newest files, by whole days, if there are too many rows', () => {
  expect(counted(ALL, 5)).toEqual(counted(WEDNESDAY))
  expect(counted(ALL, 20)).toEqual(counted(WEDNESDAY))
  expect(counted(ALL, 21)).toEqual(counted([...TUESDAY, ...WEDNESDAY]))
  expect(counted(ALL, 41)).toEqual(counted(ALL))
})
