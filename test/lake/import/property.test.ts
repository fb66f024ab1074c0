import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../fixtures/tier.ts'
import { DAYS, importing } from './importing.ts'

/**
 * One record, how many lines it takes, and whether it is good, worked out here from how it was made: nothing of the
 * importer is used.
 */
interface Made {
  readonly text: string
  readonly lines: number
  readonly key: string | null
}

const ticker = fc.constantFrom('A', 'a', 'b', 'BRK.B', 'Z-1', 'x9', 'ABCDEFGHIJ')
/** Few days: each is a partition to write. */
const day = fc.constantFrom('2024-02-01', '2024-02-02', '2024-02-05')
const price = fc.integer({ min: 1, max: 99_999_999 }).map(number => (number / 10_000).toFixed(4))
const inQuotes = (field: string) => `"${field.replaceAll('"', '""')}"`

const fields = fc.record({ ticker, day, price, volume: fc.nat(1_000_000), quoted: fc.boolean() })
const good = fields.map(({ ticker, day, price, volume, quoted }): Made => {
  const values = [day, price, price, price, price, String(volume), ticker]
  const text = (quoted ? values.map(inQuotes) : values).join(',')
  return { text, lines: 1, key: `${ticker.toUpperCase()} ${day} ${Number(price).toFixed(6)}` }
})
const faulty = fc.constantFrom<Made[]>(
  { text: '2024-02-01,1,1,1,,1,A', lines: 1, key: null },
  { text: '2024-02-01,1,1,1,1e3x,1,A', lines: 1, key: null },
  { text: '2024-02-31,1,1,1,1,1,A', lines: 1, key: null },
  { text: '2024-02-01,1,1,1,1,1', lines: 1, key: null },
  { text: '2024-02-01,1,1,1,1,1,A,9', lines: 1, key: null },
  { text: ',,,,,,', lines: 1, key: null },
  { text: '2024-02-01,1,1,1,1,1,"A"x', lines: 1, key: null },
  { text: '2024-02-01,1,1,1,1,1,"A\nB\n\nC"', lines: 4, key: null },
  // Not a quote alone: two such lines, one after the other, are one record of two lines.
  { text: '"x', lines: 1, key: null },
  { text: '2024-02-01,1,1,1,1,1,\u0000', lines: 1, key: null },
  { text: 'ü', lines: 1, key: null },
)
const blank = fc.constantFrom('', '   ').map((text): Made => ({ text, lines: 1, key: '' }))

const file = fc.record({
  // Never more faults than valid rows, otherwise the file is rejected.
  rows: fc
    .array(fc.tuple(good, fc.option(faulty, { nil: undefined }), fc.option(blank, { nil: undefined })), {
      minLength: 1,
      maxLength: 60,
    })
    .map(groups => groups.flat().filter(each => each !== undefined))
    .chain(rows => fc.shuffledSubarray(rows, { minLength: rows.length })),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  ended: fc.boolean(),
})

test('every record of any file is accepted, rejected by its line, or replaced: none is lost, none counted twice', async () => {
  await fc.assert(
    fc.asyncProperty(file, async ({ rows, lineEnd, ended }) => {
      const run = importing()
      const text = [DAYS, ...rows.map(row => row.text)].join(lineEnd) + (ended ? lineEnd : '')
      const report = await run.import([run.file('a.csv', Buffer.from(text))])

      const last = new Map<string, string>()
      const wrong: string[] = []
      let line = 2
      for (const row of rows) {
        if (row.key === null) wrong.push(String(line))
        else if (row.key !== '') last.set(row.key.replace(/ [^ ]*$/, ''), row.key)
        line += row.lines
      }
      const records = rows.filter(row => row.key !== '').length
      const replaced = Number(
        run
          .notices()
          .find(each => each.includes(' replaced by later rows'))
          ?.split(' ')[0] ?? 0,
      )
      expect(report.rows + report.rejected + replaced).toBe(records)
      expect(
        run
          .rejects()
          .slice(1)
          .map(([, number]) => number),
      ).toEqual(wrong)
      expect(await run.rows('SELECT ticker, date, close FROM bars ORDER BY ticker, date')).toEqual(
        [...last.values()].toSorted(),
      )
    }),
    { numRuns: randomRuns(3) },
  )
})
