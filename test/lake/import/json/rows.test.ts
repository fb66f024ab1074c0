import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRows } from '../../../../src/lake/import/json/rows.ts'
import { randomRuns } from '../../../fixtures/tier.ts'

/** The rows of a text that have a member `id`, as `number text`, read in pieces of that size. */
async function rowsOf(text: string | Buffer, piece = 7, rowBytesMax = 1000): Promise<string[]> {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
  }
  const rows: string[] = []
  await readRows(
    { look: pieces, bytes: pieces, fits: members => members.has('id'), rowBytesMax },
    {
      take: ({ text, number, fault }) => void rows.push(`${number} ${fault ?? text}`),
      flushIfFull: async () => {},
    },
  )
  return rows
}

describe('the rows of a JSON text', () => {
  const AB = ['1 {"id":1}', '2 {"id":2}']
  test.each([
    ['an array', '\ufeff[{"id":1},{"id":2}]', AB],
    ['an empty array', ' [ ] ', []],
    ['lines', '{"id":1}\n\r\n{"id":2}', ['1 {"id":1}', '3 {"id":2}']],
    ['arrays one after another', '[{"id":1}]\n[{"id":2}]\n', AB],
    ['objects one after another', '{\n"id":1}{"id":\n2}', ['1 {\n"id":1}', '2 {"id":\n2}']],
    ['one object', '{"id":1,"a":[{"id":2}]}', ['1 {"id":1,"a":[{"id":2}]}']],
    ['in a wrapper', '{"count":2,"next":null,"data":[{"id":1},{"id":2}],"x":[{"y":1}]}', AB],
    ['in two wrappers', '{"a":{"n":"]}","data":[{"id":1},{"id":2}]}}', AB],
    ['an object in a wrapper', '{"a":{"id":1}}', ['1 {"id":1}']],
    ['in wrappers, one per line', '{"data":[{"id":1}]}\n{"data":[{"id":2}]}\n', AB],
    ['in an array of wrappers', '[{"data":[{"id":1}]},{"data":[{"id":2}]}]', AB],
    [
      'lines with a broken first one',
      '{"id":1,}\n{"id":2}\n{"id":3}',
      ['1 {"id":1,}', '2 {"id":2}', '3 {"id":3}'],
    ],
    [
      'lines with a first one that is cut off',
      '{"id":\n{"id":2}\n{"id":3}',
      ['1 {"id":', '2 {"id":2}', '3 {"id":3}'],
    ],
    ['lines that do not fit', '{"a":1}\n{"b":2}', ['1 {"a":1}', '2 {"b":2}']],
    ['an array that does not fit', '[{"a":1},2,"x"]', ['1 {"a":1}', '2 2', '3 "x"']],
  ])('may be %s', async (_, text, rows) => {
    expect(await rowsOf(text)).toEqual(rows)
    expect(await rowsOf(text, 1)).toEqual(rows)
  })

  test.each([
    ['is cut off', '[{"id":1},{"id":2}', 'it ends in the middle of a value'],
    ['is cut off within a wrapper', '{"data":[{"id":1}]', 'it ends in the middle of a value'],
    ['has too many brackets', '[{"id":1}]]', 'unexpected ] at byte 11'],
    ['has a bracket of another kind', '{"data":[{"id":1}}', 'unexpected } at byte 18'],
    ['lacks a comma', '[{"id":1}{"id":2}]', 'unexpected value at byte 10'],
    ['has a comma too many', '[{"id":1},]', 'unexpected ] at byte 11'],
    ['lacks a colon', '{"data" [{"id":1}]}', 'unexpected value at byte 9'],
    ['has a key that is no string', '{"data":[{"id":1}],2:3}', 'unexpected value at byte 20'],
    ['has rows in two places', '{"a":[{"id":1}],"b":[{"id":2}]}', 'it has rows in a and in b'],
  ])('are refused if it %s', async (_, text, reason) => {
    await expect(rowsOf(text)).rejects.toThrow(reason)
  })

  test('keep their bytes, whatever their values and the pieces in which they arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            id: fc.jsonValue({ maxDepth: 3 }),
            '"]}\u00e9\u{1f600}': fc.string({ unit: 'binary' }),
          }),
        ),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom(0, 1),
        async (values, piece, indent) => {
          const rows = values.map(value => JSON.stringify(value, null, indent))
          const expected = rows.map((row, index) => `${index + 1} ${row}`)
          expect(await rowsOf(`[${rows.join(',\n')}]`, piece, 1 << 20)).toEqual(expected)
          if (rows.length > 0)
            expect(await rowsOf(`{"a": ${rows.length}, "b": [${rows.join(' , ')}]}`, piece, 1 << 20)).toEqual(
              expected,
            )
        },
      ),
      { numRuns: randomRuns(20) },
    )
  })

  test('of more than the limit are skipped, with their start and the reason', async () => {
    const long = `{"id":"${'x'.repeat(3000)}"}`
    const rows = await rowsOf(`[{"id":1},${long},{"id":3}]`, 100)
    expect(rows).toEqual(['1 {"id":1}', '2 longer than 1000 bytes', '3 {"id":3}'])
  })
})
