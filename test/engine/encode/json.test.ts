import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonRowsSql } from '../../../src/engine/encode/sql.ts'
import { randomRuns } from '../../fixtures/tier.ts'
import { answer, openConnection } from './answers.ts'
import { columnOf, shapes } from './nested-shapes.ts'

/** SQL of one value, and its JSON. */
const VALUES: Record<string, readonly (readonly [sql: string, json: string])[]> = {
  'decimals are strings in plain notation with the scale of their column': [
    ['10.34::DECIMAL(10, 4)', '"10.3400"'],
    ['-99.99::DECIMAL(4, 2)', '"-99.99"'],
    ["'-0.0001'::DECIMAL(4, 4)", '"-0.0001"'],
    ["'0'::DECIMAL(4, 4)", '"0.0000"'],
    ['-1234567.89::DECIMAL(9, 2)', '"-1234567.89"'],
    ['-0.000001::DECIMAL(18, 6)', '"-0.000001"'],
    [
      "'-9999999999999999999999999999.9999999999'::DECIMAL(38, 10)",
      '"-9999999999999999999999999999.9999999999"',
    ],
    [
      "'-.00000000000000000000000000000000000001'::DECIMAL(38, 38)",
      '"-0.00000000000000000000000000000000000001"',
    ],
    ['7::DECIMAL(38, 0)', '"7"'],
    ['NULL::DECIMAL(4, 4)', 'null'],
  ],
  'integers are numbers, to their limits': [
    ['(-128)::TINYINT', '-128'],
    ['9223372036854775807', '9223372036854775807'],
    ["'-9223372036854775808'::BIGINT", '-9223372036854775808'],
    ['18446744073709551615::UBIGINT', '18446744073709551615'],
    ["'-170141183460469231731687303715884105728'::HUGEINT", '-170141183460469231731687303715884105728'],
    ["'340282366920938463463374607431768211455'::UHUGEINT", '340282366920938463463374607431768211455'],
    ['(SELECT sum(x) FROM (VALUES (9223372036854775807), (1)) t(x))', '9223372036854775808'],
  ],
  'floating-point numbers are as short as they round-trip, and null if they are none': [
    ['0.1::DOUBLE', '0.1'],
    ['1e300::DOUBLE', '1e300'],
    ['5e-324::DOUBLE', '5e-324'],
    ['0.1::FLOAT', '0.1'],
    ['16777216::FLOAT', '16777216.0'],
    ["'nan'::DOUBLE", 'null'],
    ["'inf'::DOUBLE", 'null'],
    ["'-inf'::FLOAT", 'null'],
  ],
  'dates are ISO 8601': [
    ["DATE '1969-12-31'", '"1969-12-31"'],
    ["DATE '0001-01-01'", '"0001-01-01"'],
    ["'infinity'::DATE", 'null'],
    ["'-infinity'::DATE", 'null'],
  ],
  'timestamps are UTC, with the fewest of 0, 3 and 6 digits that lose nothing': [
    ["TIMESTAMP '2024-05-06 07:08:09'", '"2024-05-06T07:08:09Z"'],
    ["TIMESTAMP '2024-05-06 07:08:09.5'", '"2024-05-06T07:08:09.500Z"'],
    ["TIMESTAMP '2024-05-06 07:08:09.000001'", '"2024-05-06T07:08:09.000001Z"'],
    ["TIMESTAMP '2024-05-06 07:08:09.1234'", '"2024-05-06T07:08:09.123400Z"'],
    ["TIMESTAMP '1969-12-31 23:59:59.999'", '"1969-12-31T23:59:59.999Z"'],
    ["TIMESTAMP '1969-12-31 23:59:59.999999'", '"1969-12-31T23:59:59.999999Z"'],
    ["TIMESTAMP '0099-01-01 00:00:00'", '"0099-01-01T00:00:00Z"'],
    ["TIMESTAMPTZ '2024-05-06 07:08:09.25+02'", '"2024-05-06T05:08:09.250Z"'],
    ["'infinity'::TIMESTAMP", 'null'],
    ["'-infinity'::TIMESTAMPTZ", 'null'],
    ['NULL::TIMESTAMP', 'null'],
  ],
  'timestamps in seconds show no digits, in milliseconds three, in nanoseconds at most six, cut off': [
    ["TIMESTAMP_S '1969-12-31 23:59:59'", '"1969-12-31T23:59:59Z"'],
    ["TIMESTAMP_MS '1969-12-31 23:59:59'", '"1969-12-31T23:59:59.000Z"'],
    ["TIMESTAMP_MS '0001-01-01 00:00:00.007'", '"0001-01-01T00:00:00.007Z"'],
    ["'infinity'::TIMESTAMP_MS", 'null'],
    ["TIMESTAMP_NS '1969-12-31 23:59:59.999999999'", '"1969-12-31T23:59:59.999999Z"'],
    ["TIMESTAMP_NS '2024-05-06 07:08:09.120000999'", '"2024-05-06T07:08:09.120Z"'],
    ["TIMESTAMP_NS '2024-05-06 07:08:09.000000999'", '"2024-05-06T07:08:09Z"'],
    ["'infinity'::TIMESTAMP_NS", 'null'],
  ],
  'times of day': [
    ["TIME '09:30:00'", '"09:30:00"'],
    ["TIME '09:30:00.5'", '"09:30:00.500000"'],
    ["TIME '09:30:00.000001'", '"09:30:00.000001"'],
  ],
  'text is escaped, whatever it holds': [
    [`'say "no"' || chr(92)`, '"say \\"no\\"\\\\"'],
    ['chr(0) || chr(1) || chr(10) || chr(13) || chr(9)', '"\\u0000\\u0001\\n\\r\\t"'],
    ['chr(8232) || chr(128512)', '"\u2028😀"'],
    ["''", '""'],
    ["'NaN'", '"NaN"'],
    ["'it''s'", `"it's"`],
  ],
  'other scalars': [
    ['true', 'true'],
    ["'b'::ENUM('a', 'b')", '"b"'],
    ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::UUID", '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"'],
    ["'\\x00\\xFF'::BLOB", '"AP8="'],
    ["''::BLOB", '""'],
    ['NULL', 'null'],
  ],
  'JSON is embedded': [
    [`'{"a": [1, "x"]}'::JSON`, '{"a":[1,"x"]}'],
    [`'null'::JSON`, 'null'],
    ['NULL::JSON', 'null'],
    [`'NaN'::JSON`, 'null'],
    [`'[1,-inf,nan]'::JSON`, '[1,null,null]'],
    [`'{"a":\t-Infinity}'::JSON`, '{"a":null}'],
    [
      `['{"a": NaN, "b": "NaN", "c": [-Infinity, inf, 1]}'::JSON]`,
      '[{"a":null,"b":"NaN","c":[null,null,1]}]',
    ],
    [`'{"\\"inf": "a\\\\", "nan": NaN}'::JSON`, '{"\\"inf":"a\\\\","nan":null}'],
  ],
  'rules hold at any depth': [
    ['[1.5, NULL]', '["1.5",null]'],
    ['[]::DECIMAL(4, 1)[]', '[]'],
    ['NULL::DECIMAL(4, 1)[]', 'null'],
    ['[[1.5], NULL, []]', '[["1.5"],null,[]]'],
    [
      "{'a': 1.5, 'b': {'c': DATE 'infinity', 'd': [TIMESTAMP '2020-01-01']}}",
      '{"a":"1.5","b":{"c":null,"d":["2020-01-01T00:00:00Z"]}}',
    ],
    ['NULL::STRUCT(a STRUCT(b DECIMAL(4, 1)))', 'null'],
    ["{'a': NULL::STRUCT(b DECIMAL(4, 1))}", '{"a":null}'],
    ["{'a': {'b': NULL::DECIMAL(4, 1)}}", '{"a":{"b":null}}'],
    ["[{'a': 1.5}, NULL, {'a': NULL}]", '[{"a":"1.5"},null,{"a":null}]'],
    ["['1.5', 'nan']::FLOAT[2]", '[1.5,null]'],
    ['[[1.5, 2.5]]::DECIMAL(2, 1)[2][1]', '[["1.5","2.5"]]'],
    ["MAP {'a': 1.5, 'b': NULL}", '{"a":"1.5","b":null}'],
    ['MAP {1.50: 1, 2.25: 2}', '{"1.50":1,"2.25":2}'],
    ["MAP {TIMESTAMP '2020-01-01': [DATE '2020-01-02']}", '{"2020-01-01T00:00:00Z":["2020-01-02"]}'],
    ["MAP {'nan'::DOUBLE: 1, 1.5::DOUBLE: 2}", '{"nan":1,"1.5":2}'],
    ['MAP {}::MAP(VARCHAR, DECIMAL(4, 1))', '{}'],
    ['NULL::MAP(VARCHAR, DECIMAL(4, 1))', 'null'],
    [`struct_pack("a""b'c" := 1.5, "😀" := 2)`, `{"a\\"b'c":"1.5","😀":2}`],
  ],
}

describe('a value in JSON', () => {
  for (const [rule, values] of Object.entries(VALUES)) {
    test(rule, async () => {
      const connection = await openConnection()
      const template = `SELECT ${values.map(([sql], index) => `${sql} AS v${index}`).join(', ')}`
      const { text, rows } = await answer(connection, jsonRowsSql, template)
      expect(rows).toBe(1n)
      expect(text).toBe(`{${values.map(([, json], index) => `"v${index}":${json}`).join(',')}}`)
    })
  }

  test('of any type, nested to any depth, is as specified', async () => {
    const connection = await openConnection()
    const property = fc.asyncProperty(shapes(3).chain(columnOf), async ({ template, values }) => {
      const { text, rows } = await answer(connection, jsonRowsSql, template)
      expect(rows).toBe(BigInt(values.length))
      expect(JSON.parse(`[${text}]`)).toEqual(values.map(({ json }) => ({ c: json })))
    })
    await fc.assert(property, { numRuns: randomRuns(63) })
  })

  test('does not depend on the time zone of the session', async () => {
    const connection = await openConnection()
    await connection.run(`SET TimeZone = 'Asia/Kolkata'`)
    const { text } = await answer(
      connection,
      jsonRowsSql,
      `SELECT TIMESTAMPTZ '2024-01-01 00:00:00+00' AS ts`,
    )
    expect(text).toBe('{"ts":"2024-01-01T00:00:00Z"}')
  })

  test('always has six fractional digits if a hint requires them, at any depth of the column', async () => {
    const connection = await openConnection()
    const template = `SELECT
      TIMESTAMP '2024-01-01' AS plain, TIMESTAMP '2024-01-01' AS "at", [{'t': TIMESTAMP_MS '2024-01-01'}] AS fills,
      'infinity'::TIMESTAMP AS never, TIMESTAMP_NS '2024-01-01 00:00:00.000001999' AS nanos`
    const { text } = await answer(connection, jsonRowsSql, template, {
      at: 'micros',
      fills: 'micros',
      never: 'micros',
      nanos: 'micros',
    })
    expect(JSON.parse(text)).toEqual({
      plain: '2024-01-01T00:00:00Z',
      at: '2024-01-01T00:00:00.000000Z',
      fills: [{ t: '2024-01-01T00:00:00.000000Z' }],
      never: null,
      nanos: '2024-01-01T00:00:00.000001Z',
    })
  })

  test.each([
    ["INTERVAL '1 day'", /"x".*INTERVAL/],
    ["[INTERVAL '1 day']", /"x".*INTERVAL\[\].*contains INTERVAL/],
    ["{'a': '101'::BIT}", /"x".*BIT/],
    ["TIMETZ '10:00:00+02'", /"x".*TIME WITH TIME ZONE/],
    ['MAP {[1]: 2}', /"x".*INTEGER\[\]/],
    ['union_value(k := 1)', /"x".*UNION/],
    ['row(1, 2)', /"x".*STRUCT/],
  ])('of type %s is rejected, with the column and the type', async (sql, message) => {
    const connection = await openConnection()
    await expect(answer(connection, jsonRowsSql, `SELECT ${sql} AS x`)).rejects.toThrow(message)
  })
})
