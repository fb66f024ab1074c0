import { expect, test } from 'vitest'
import { isInside } from '../../../src/lake/store/layout.ts'

test.each(['daily_bars/2024/a.parquet', '.staging/1/a.parquet', 'a', 'a.b/c..d/..e', 'a/...'])(
  '%j names a file of the lake',
  name => expect(isInside(name)).toBe(true),
)

test.each([
  ...['', '/', '/etc/passwd', 'a/', 'a//b'],
  ...['.', '..', './a', '../a', 'a/.', 'a/..', 'a/./b', 'a/../b'],
  ...['a/*.parquet', 'a?', '[a]', 'a\0'],
])('%j does not', name => expect(isInside(name)).toBe(false))
