import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvSql } from '../../../src/engine/encode/sql.ts'
import { randomRuns } from '../../fixtures/tier.ts'
import { answer, openConnection } from './answers.ts'
import { columnOf, shapes } from './nested-shapes.ts'

interface Field {
  readonly text: string
  readonly quoted: boolean
}

/** A reader of RFC 4180 with line feeds, that refuses text around quotes, open quotes and a last line without end. */
function readCsv(text: string): Field[][] {
  const lines: Field[][] = []
  let at = 0
  while (at < text.length) {
    const line: Field[] = []
    for (;;) {
      const quoted = text[at] === '"'
      const pattern = quoted ? /"((?:[^"]|"")*)"/y : /([^",\r\n]*)/y
      pattern.lastIndex = at
      const inside = pattern.exec(text)?.[1]
      if (inside === undefined) throw new Error(`an open quote at ${at}`)
      line.push({ text: quoted ? inside.replaceAll('""', '"') : inside, quoted })
      at += inside.length + (quoted ? 2 : 0)
      const end = text[at]
      at += 1
      if (end === '\n') break
      if (end !== ',') throw new Error(`${JSON.stringify(end)} after a field, at ${at}`)
    }
    lines.push(line)
  }
  return lines
}

/** SQL of a value, and its field. */
const FIELDS: Record<string, readonly (readonly [sql: string, field: string])[]> = {
  'null is empty, an empty string is quoted': [
    ['NULL', ''],
    ['NULL::DECIMAL(4, 1)', ''],
    ['NULL::INTEGER[]', ''],
    ["''", '""'],
    ["''::BLOB", '""'],
    ["''::ENUM('')", '""'],
  ],
  'text is quoted where it must be': [
    ["'plain text'", 'plain text'],
    ["'a,b'", '"a,b"'],
    [`'say "no"'`, '"say ""no"""'],
    ['chr(10)', '"\n"'],
    ["'a' || chr(13) || 'b'", '"a\rb"'],
    ["' a'", '" a"'],
    ["'a' || chr(9)", '"a\t"'],
    ["'Ключ 😀'", 'Ключ 😀'],
    ["'a;b''c'", "a;b'c"],
    ["'a,b'::ENUM('a,b')", '"a,b"'],
  ],
  'numbers are as in JSON, without quotes': [
    ['10.34::DECIMAL(10, 4)', '10.3400'],
    ["'-0.5'::DECIMAL(4, 4)", '-0.5000'],
    ['0.1::DOUBLE', '0.1'],
    ['1e300::DOUBLE', '1e300'],
    ['0.1::FLOAT', '0.1'],
    ["'nan'::DOUBLE", ''],
    ["'-inf'::FLOAT", ''],
    ["'-170141183460469231731687303715884105728'::HUGEINT", '-170141183460469231731687303715884105728'],
    ['true', 'true'],
    ['false', 'false'],
  ],
  'times, identifiers and bytes are as in JSON, without quotes': [
    ["DATE '1969-12-31'", '1969-12-31'],
    ["'infinity'::DATE", ''],
    ["TIMESTAMP '2024-05-06 07:08:09.5'", '2024-05-06T07:08:09.500Z'],
    ["TIMESTAMPTZ '2024-05-06 07:08:09+02'", '2024-05-06T05:08:09Z'],
    ["TIMESTAMP_MS '1969-12-31 23:59:59'", '1969-12-31T23:59:59.000Z'],
    ["TIME '09:30:00.5'", '09:30:00.500000'],
    ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID", 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ["'\\x00\\xFF'::BLOB", 'AP8='],
  ],
  'nested values are their JSON': [
    ['[1.5, NULL]', '"[""1.5"",null]"'],
    ['[]::INTEGER[]', '[]'],
    ['[1]', '[1]'],
    [`{'a': 'x"y'}`, '"{""a"":""x\\""y""}"'],
    ['MAP {1.50: 1}', '"{""1.50"":1}"'],
    [`'{"a": [1,  NaN]}'::JSON`, '"{""a"":[1,null]}"'],
    [`'{"a" :  1}'::JSON`, '"{""a"":1}"'],
    [`'null'::JSON`, 'null'],
  ],
}

describe('a value in CSV', () => {
  for (const [rule, values] of Object.entries(FIELDS)) {
    test(rule, async () => {
      const connection = await openConnection()
      const template = `SELECT ${values.map(([sql], index) => `${sql} AS v${index}`).join(', ')}`
      const { text, rows } = await answer(connection, csvSql, template)
      expect(rows).toBe(1n)
      const header = values.map((_, index) => `v${index}`).join(',')
      expect(text).toBe(`${header}\n${values.map(([, field]) => field).join(',')}\n`)
    })
  }

  test('of any type, nested to any depth, reads back as specified', async () => {
    const connection = await openConnection()
    const property = fc.asyncProperty(shapes(2).chain(columnOf), async ({ template, values }) => {
      const { text } = await answer(connection, csvSql, template)
      const [header, ...lines] = readCsv(text)
      expect(header).toEqual([{ text: 'c', quoted: false }])
      expect(lines.map(line => line.length)).toEqual(values.map(() => 1))
      values.forEach(({ json }, index) => {
        const field = lines[index]?.[0] ?? { text: '', quoted: false }
        if (json === null) expect(field).toEqual({ text: '', quoted: false })
        else if (typeof json === 'string') expect(field.text).toBe(json)
        else expect(JSON.parse(field.text)).toEqual(json)
        if (json === '') expect(field.quoted).toBe(true)
      })
    })
    await fc.assert(property, { numRuns: randomRuns(63) })
  })

  test('has six fractional digits of a second if a hint requires them', async () => {
    const connection = await openConnection()
    const template = `SELECT TIMESTAMP '2024-01-01' AS a, TIMESTAMP '2024-01-01' AS b`
    const { text } = await answer(connection, csvSql, template, { b: 'micros' })
    expect(text).toBe('a,b\n2024-01-01T00:00:00Z,2024-01-01T00:00:00.000000Z\n')
  })

  test('of a type without a text form is rejected, with the column', async () => {
    const connection = await openConnection()
    await expect(answer(connection, csvSql, `SELECT INTERVAL '1 day' AS gap`)).rejects.toThrow(
      /"gap".*INTERVAL/,
    )
  })
})

describe('a line of column names', () => {
  test('quotes those that need it', async () => {
    const connection = await openConnection()
    const template = `SELECT 1 AS plain, 2 AS "a,b", 3 AS "say ""no""", 4 AS "two\nlines", 5 AS "it's"`
    const { text } = await answer(connection, csvSql, template)
    expect(text).toBe(`plain,"a,b","say ""no""","two\nlines",it's\n1,2,3,4,5\n`)
  })

  test('exists without rows too', async () => {
    const connection = await openConnection()
    expect(await answer(connection, csvSql, 'SELECT 1 AS a, 2 AS b WHERE false')).toEqual({
      text: 'a,b\n',
      rows: 0n,
    })
  })
})
