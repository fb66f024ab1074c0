import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { importFormat, macrosOf } from '../../../src/lake/import/format/formats.ts'

/** What a column of `places` decimals stores of each text. */
async function stored(texts: readonly string[], places: number): Promise<(string | null)[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  for (const { sql } of macrosOf(importFormat('option-chain'))) await connection.run(sql)
  const result = await connection.run(
    `SELECT TRY_CAST(half_even_text(without_exponent(x), ${places}) AS DECIMAL(18, ${places}))::VARCHAR AS value
     FROM (VALUES ${texts.map((x, place) => `(${place}, '${x}')`).join(', ')}) AS texts (place, x) ORDER BY place`,
  )
  return (await result.getRowObjectsJson()).map(({ value }) => value as string | null)
}

test('text is stored half to even, by all of its digits', async () => {
  const cases: [string, string][] = [
    ['1.0025', '1.002'],
    ['1.0035', '1.004'],
    ['-1.0025', '-1.002'],
    ['-1.0035', '-1.004'],
    ['1.00250000', '1.002'],
    ['1.00250000000000000000000000000000000000001', '1.003'],
    ['1.00249999999999999999999999999999999999999', '1.002'],
    ['.0005', '0.000'],
    ['-.0005', '0.000'],
    ['.0015', '0.002'],
    ['9.9995', '10.000'],
    ['1', '1.000'],
    ['1002.5', '1002.500'],
    ['25e-4', '0.002'],
    ['35E-4', '0.004'],
    ['-2.5e-3', '-0.002'],
    ['+.5e+1', '5.000'],
    ['5e-99', '0.000'],
    ['1.e2', '100.000'],
  ]
  const values = await stored(
    cases.map(([x]) => x),
    3,
  )
  expect(cases.map(([x], place) => [x, values[place]])).toEqual(cases)
})

test('random text is stored as exact arithmetic rounds it', async () => {
  const digits = (maxLength: number) =>
    fc.array(fc.constantFrom(...'00123455689'), { maxLength }).map(each => each.join(''))
  const number = fc.record({
    sign: fc.constantFrom('', '-'),
    whole: digits(7),
    part: fc.tuple(digits(12), fc.constantFrom('', '5', '50', '500001')).map(each => each.join('')),
    exponent: fc.option(fc.integer({ min: -9, max: 3 })),
  })
  const samples = fc.sample(number, 2000).filter(({ whole, part }) => whole + part !== '')
  const texts = samples.map(
    ({ sign, whole, part, exponent }) => `${sign}${whole}.${part}${exponent === null ? '' : `e${exponent}`}`,
  )
  const values = await stored(texts, 6)
  const expected = samples.map(({ sign, whole, part, exponent }) => {
    // The number in units of 1e-60.
    const units = BigInt(whole + part) * 10n ** BigInt(60 - part.length + (exponent ?? 0))
    const last = 10n ** 54n
    const [floor, twice] = [units / last, 2n * (units % last)]
    const rounded = twice > last || (twice === last && floor % 2n === 1n) ? floor + 1n : floor
    const text = String(rounded).padStart(7, '0')
    const shown = `${text.slice(0, -6)}.${text.slice(-6)}`
    return rounded === 0n ? '0.000000' : sign + shown
  })
  expect(texts.map((x, place) => [x, values[place]])).toEqual(texts.map((x, place) => [x, expected[place]]))
})
