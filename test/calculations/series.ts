import { Float64, type Vector, vectorFromArray } from 'apache-arrow'
import fc from 'fast-check'
import { expect } from 'vitest'

/** A series as one writes it down. */
export type Sparse = readonly (number | null)[]

/** A vector of one chunk, built by Arrow itself and not by the code under test. */
export function vectorOf(values: Sparse): Vector<Float64> {
  return vectorFromArray([...values], new Float64())
}

/** The same series in every memory layout that a reader may hand over, with bait around what was cut off. */
export function layouts(values: Sparse): [name: string, vector: Vector<Float64>][] {
  const third = Math.floor(values.length / 3)
  const chunks = vectorOf(values.slice(0, third)).concat(vectorOf([]), vectorOf(values.slice(third)))
  const sliced = vectorOf([-1e9, null, Number.NaN, ...values, 1e9, null]).slice(3, 3 + values.length)
  const slicedChunks = vectorOf([1e9, ...values.slice(0, third)])
    .concat(vectorOf([...values.slice(third), null, -1e9]))
    .slice(1, 1 + values.length)
  return [
    ['one chunk', vectorOf(values)],
    ['sliced', sliced],
    ['chunks', chunks],
    ['sliced chunks', slicedChunks],
  ]
}

/** Runs a kernel on every layout of a series and returns the common result; the vector must not change. */
export function onEveryLayout<Result>(values: Sparse, kernel: (vector: Vector<Float64>) => Result): Result {
  const [first, ...others] = layouts(values).map(([name, vector]) => {
    const result = kernel(vector)
    expect(vector.toJSON(), name).toEqual([...values])
    return result
  })
  for (const other of others) expect(other).toEqual(first)
  return first as Result
}

/** The same for a kernel of two series, each in a layout of its own. */
export function onEveryLayoutPair<Result>(
  xs: Sparse,
  ys: Sparse,
  kernel: (x: Vector<Float64>, y: Vector<Float64>) => Result,
): Result {
  const backwards = layouts(ys).reverse()
  const [first, ...others] = layouts(xs).map(([name, x], i) => {
    const [otherName, y] = backwards[i] as [string, Vector<Float64>]
    const result = kernel(x, y)
    expect(x.toJSON(), name).toEqual([...xs])
    expect(y.toJSON(), otherName).toEqual([...ys])
    return result
  })
  for (const other of others) expect(other).toEqual(first)
  return first as Result
}

/** A series without its nulls. */
export function presentOf(values: Sparse): number[] {
  return values.filter(value => value !== null)
}

/** The pairs of two series without a null. */
export function presentPairsOf(xs: Sparse, ys: Sparse): [x: number, y: number][] {
  return xs.flatMap((x, i) => {
    const y = ys[i] ?? null
    return x === null || y === null ? [] : [[x, y] as [number, number]]
  })
}

/** Any finite double. */
export const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true })

/** Numbers of one scale with four decimals, as prices and returns are; an offset far above their spread. */
export const measurements = fc
  .tuple(
    fc.constantFrom(0, 0, 1, -250, 1e6, 1e9),
    fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { maxLength: 120 }),
  )
  .map(([offset, parts]) => parts.map(part => offset + part / 1e4))

/** Series with many equal values. */
export const tiedValues = fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 80 })

/** Series with nulls anywhere. */
export const sparseValues: fc.Arbitrary<Sparse> = fc.array(
  fc.option(fc.integer({ min: -500, max: 500 }).map(part => part / 8)),
  { maxLength: 60 },
)

/** Prices above 0, with nulls anywhere. */
export const sparsePrices: fc.Arbitrary<Sparse> = fc.array(
  fc.option(fc.integer({ min: 1, max: 40 }).map(part => part / 4)),
  { maxLength: 60 },
)

/** Two series of one length. */
export function pairsOf<T>(value: fc.Arbitrary<T>, maxLength = 60): fc.Arbitrary<[T[], T[]]> {
  return fc
    .array(fc.tuple(value, value), { maxLength })
    .map(pairs => [pairs.map(p => p[0]), pairs.map(p => p[1])])
}
