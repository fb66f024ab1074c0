import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { macros, macrosUsed } from '../../src/engine/macros.ts'

test('the macros of a text include the macros that they call, in order of definition', () => {
  expect(macrosUsed('SELECT ratio(a, b)').map(({ name }) => name)).toEqual(['exact_ratio', 'ratio'])
  expect(macrosUsed('SELECT exact_ratio(a, b)').map(({ name }) => name)).toEqual(['exact_ratio'])
  expect(macrosUsed('SELECT ratios, ratio, my_ratio(1)')).toEqual([])
  expect(macros().map(({ name }) => name)).toEqual([
    'half_even',
    'exact_ratio',
    'ratio',
    'quotient_even',
    'short_quotient',
    'price_ratio',
    'is_floor',
    'is_cross',
    'is_sweep',
    'whole',
    'weekday_after',
    'published_on',
    'half_year_report_due',
    'lobbying_report_due',
    'split_like',
    'is_split_adjusted',
    'ratio_text',
    'is_vendor_ticker',
    'vendor_ticker_reason',
  ])
})

/** n / d at a number of places, half to even, with integers alone. */
function halfEven(n: bigint, d: bigint, places = 10): bigint {
  const units = n * 10n ** BigInt(places)
  const [top, bottom] = d < 0n ? [-units, -d] : [units, d]
  let quotient = top / bottom
  let rest = top % bottom
  if (rest < 0n) {
    quotient -= 1n
    rest += bottom
  }
  const twice = 2n * rest
  return twice > bottom || (twice === bottom && quotient % 2n !== 0n) ? quotient + 1n : quotient
}

/** A number of units of the last of `scale` places. */
function decimalText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

test('a ratio is the exact quotient at ten places, half to even', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const { sql } of macros()) await connection.run(sql)
  const decimal = (units: bigint) => `${decimalText(units, 4)}::DECIMAL(18, 4)`
  // Halves of the eleventh place come from divisors of 2 and 5 only.
  const divisors = fc.oneof(
    fc.bigInt(-(10n ** 12n), 10n ** 12n),
    fc
      .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 6 }))
      .map(([twos, fives]) => 2n ** BigInt(twos) * 5n ** BigInt(fives)),
  )
  const numerators = fc.oneof(fc.bigInt(-(10n ** 17n), 10n ** 17n), fc.bigInt(-5000n, 5000n))
  const pairs = fc.sample(fc.tuple(numerators, divisors), 4000)
  const values = pairs.map(([n, d]) => `(${decimal(n)}, ${decimal(d)})`).join(', ')
  const rows = await (
    await connection.run(`SELECT ratio(n, d)::VARCHAR AS shown FROM (VALUES ${values}) AS t(n, d)`)
  ).getRowObjectsJson()
  const expected = pairs.map(([n, d]) => (d === 0n ? null : halfEven(n, d)))
  expect(rows.map(({ shown }) => (shown === null ? null : BigInt(String(shown).replace('.', ''))))).toEqual(
    expected,
  )
  expect(
    await (
      await connection.run(
        'SELECT ratio(1, 2048)::VARCHAR AS a, ratio(3, 2048)::VARCHAR AS b, ratio(NULL, 1) AS c',
      )
    ).getRowObjectsJson(),
  ).toEqual([{ a: '0.0004882812', b: '0.0014648438', c: null }])
  connection.closeSync()
  instance.closeSync()
})

test('a whole number is the nearest one, half to even', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const { sql } of macros()) await connection.run(sql)
  const hundredths = fc.sample(
    fc.oneof(
      fc.bigInt(-(10n ** 17n), 10n ** 17n),
      // Halves, of numbers that a double has and of those that it has not.
      fc.bigInt(-(10n ** 15n), 10n ** 15n).map(number => number * 100n + 50n),
      fc.bigInt(-300n, 300n),
    ),
    4000,
  )
  const decimals = hundredths.map(each => `(${each}::DECIMAL(18, 0) * 0.01::DECIMAL(2, 2))`).join(', ')
  const rows = await (
    await connection.run(
      `SELECT whole(value)::VARCHAR AS shown, whole(sum(value))::VARCHAR AS total
      FROM (SELECT row_number() OVER () AS place, value::DECIMAL(18, 2) AS value FROM (VALUES ${decimals}) AS t(value))
      GROUP BY place, value
      ORDER BY place`,
    )
  ).getRowObjectsJson()
  const expected = hundredths.map(each => String(halfEven(each, 100n * 10n ** 10n)))
  expect(rows.map(({ shown }) => shown)).toEqual(expected)
  expect(rows.map(({ total }) => total)).toEqual(expected)
  connection.closeSync()
  instance.closeSync()
})

test('half_even rounds decimals exactly and doubles at ties to the even digit', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const { sql } of macros()) await connection.run(sql)
  // Half of the samples are half-way: they end in 5 and zeros.
  for (const { digits, scale, places } of [
    { digits: 18, scale: 6, places: 2 },
    { digits: 18, scale: 2, places: 0 },
    { digits: 38, scale: 11, places: 10 },
    { digits: 27, scale: 6, places: 4 },
  ]) {
    const step = 10n ** BigInt(scale - places)
    // Twice a DECIMAL(38) must fit in one.
    const most = 10n ** BigInt(digits > 18 ? digits - 2 : digits) - 1n
    const samples = fc.sample(fc.tuple(fc.bigInt(-most, most), fc.boolean()), 1000)
    const units = [
      0n,
      step / 2n,
      -step / 2n,
      ...samples.map(([n, tie]) => (tie ? (n / step) * step + step / 2n : n)),
    ]
    const list = units.map(n => `('${decimalText(n, scale)}')`).join(', ')
    const rows = await (
      await connection.run(
        `SELECT half_even(n::DECIMAL(${digits}, ${scale}), ${places})::VARCHAR AS shown FROM (VALUES ${list}) AS t(n)`,
      )
    ).getRowObjectsJson()
    expect(rows.map(({ shown }) => BigInt(String(shown).replace('.', '')))).toEqual(
      units.map(n => halfEven(n, 10n ** BigInt(scale), places)),
    )
  }
  // 1/2048 = 0.00048828125 and 3/2048 = 0.00146484375 are half-way, and exact as doubles.
  expect(
    await (
      await connection.run(
        `SELECT half_even(1 / 2048, 10) AS a, half_even(-3 / 2048, 10) AS b, half_even(2.5::DOUBLE, 0) AS c,
         half_even(NULL::DECIMAL(18, 4), 2) AS d`,
      )
    ).getRowObjectsJson(),
  ).toEqual([{ a: 0.0004882812, b: -0.0014648438, c: 2, d: null }])
  connection.closeSync()
  instance.closeSync()
})
