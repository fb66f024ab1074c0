/** `mean-ranks` → `meanRanks`. */
const camel = name => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())

const kernel = name => `import type { Float64, Vector } from 'apache-arrow'
import { finiteOrNull } from './values/finite.ts'
import { presentValues } from './values/present.ts'

/**
 * …
 *
 * Domain: finite numbers; nulls are skipped. Unit: that of the values. Cost: O(n).
 * No values, or a NaN among them: null.
 */
export function ${camel(name)}(vector: Vector<Float64>): number | null {
  return finiteOrNull(presentValues(vector)[0] ?? Number.NaN)
}
`

const test = name => `import { expect, it } from 'vitest'
import { ${camel(name)} } from '../../src/calculations/${name}.ts'
import { onEveryLayout } from './series.ts'

it.each([
  [[], null],
  [[1, 2, 4], '…'],
])('of %j is %j', (values, expected) => {
  expect(onEveryLayout(values, ${camel(name)})).toBe(expected)
})
`

/** A new calculation on Arrow vectors. */
export const calculation = {
  summary: 'a calculation on vectors of numbers',
  example: 'skewness',
  separator: '-',
  files: name => ({
    [`src/calculations/${name}.ts`]: kernel(name),
    [`test/calculations/${name}.test.ts`]: test(name),
  }),
  lines: () => ({}),
  next: name => [
    `src/calculations/${name}.ts: write the definition, its reference, domain, unit and cost, and the function`,
    `test/calculations/${name}.test.ts: write expected values by hand or from a published reference, and compare with an independent implementation`,
    `npx vitest run test/house test/calculations/${name}.test.ts`,
  ],
}
