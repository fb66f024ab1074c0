import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amount, randomRuns } from '../../../fixtures/tier.ts'
import { readingOf } from '../canonical-files.ts'
import { zstdOf } from '../input/zstd-frames.ts'

const HEADER = 'ticker,date,executed_at,sequence,price,size,exchange,canceled'
const row = (sequence: number, more: string) => `A,2024-01-03,2024-01-03 14:30:00,${sequence},${more}`
const good = (sequence: number) => row(sequence, '1.5,10,D,false')
const file = (...rows: readonly string[]) => `${[HEADER, ...rows].join('\n')}\n`

describe('a file is read as a whole if it', () => {
  const cases: [what: string, content: string | Buffer, name?: string][] = [
    ['is plain', file(good(1), good(2))],
    ['ends without a line end', file(good(1), good(2)).trimEnd()],
    ['has CRLF', file(good(1), good(2)).replaceAll('\n', '\r\n')],
    ['starts with a byte order mark', `\ufeff${file(good(1), good(2))}`],
    ['has tabs', file(good(1), good(2)).replaceAll(',', '\t')],
    ['has every field in quotes', file(good(1), good(2)).replaceAll(/[^,\n]+/g, '"$&"')],
    ['has quotes, delimiters and other scripts in a text', file(good(1), row(2, '1,1,"é ""x"", 😀",true'))],
    ['has an empty text in quotes', file(good(1), row(2, '1,1,"",true'))],
    ['has trailing zeros', file(good(1), row(2, '1.5000000000,1,D,1'))],
    ['has times of ISO 8601', file(good(1), good(2).replace(' 14:30:00', 'T14:30:00.123456Z'))],
    ['is packed by gzip', gzipSync(file(good(1), good(2))), 'a.csv.gz'],
    ['is packed by zstd', zstdOf(Buffer.from(file(good(1), good(2)))), 'a.csv.zst'],
  ]
  test.each(cases)('%s', async (_, content, name = 'a.csv') => {
    const run = await readingOf('stock_trades')
    const path = run.file(name, Buffer.from(content))
    expect(await run.read('csv', path, 'whole')).toBe(2)
    await run.writer.run(`CREATE TABLE whole AS FROM ${run.table}`)
    expect(await run.read('csv', path, 'by line')).toBe(2)
    expect(await run.differences('whole')).toBe(0)
  })
})

describe('a file is read line by line, and the reader of whole files keeps nothing of it, if it', () => {
  const cases: [what: string, content: string | Buffer][] = [
    ['has a field too few', file(good(1), row(2, '1,1,D'))],
    ['has a field too many', file(good(1), row(2, '1,1,D,1,x'))],
    ['has blank lines between records', file(good(1), '', good(2))],
    ['has line ends in a text', file(good(1), row(2, '1,1,"a\nb",1'))],
    ['has a quote within a text', file(good(1), row(2, '1,1,a"b",1'))],
    ['has broken quotes', file(good(1), row(2, '1,1,"D,1'))],
    ['has both kinds of line end', `${file(good(1))}${good(2)}\r\n`],
    ['has a carriage return in a text', file(good(1), row(2, '1,1,a\rb,1'))],
    ['is not UTF-8', Buffer.from(file(good(1), row(2, '1,1,\xff,1')), 'latin1')],
    ['has half a character at its end', Buffer.from(file(good(1), row(2, '1,1,\xc3\xa4\xc3,1')), 'latin1')],
    ['is binary', file(good(1), row(2, '1,1,\0,1'))],
    ['has a line of more than a mebibyte', file(good(1), row(2, `1,1,${'x'.repeat(1 << 20)},1`))],
  ]
  test.each(cases)('%s', async (_, content) => {
    const run = await readingOf('stock_trades')
    const path = run.file('a.csv', Buffer.from(content))
    expect(await run.read('csv', path, 'whole')).toBeNull()
    expect(await run.accepted('sequence')).toEqual([])
    expect(await run.rejects()).toEqual([])
    expect(await run.writer.rows('FROM files')).toEqual([])
    expect(await run.read('csv', path)).toBeGreaterThan(0)
  })
})

test('rows that a mapping rejects have their lines in a file that is read as a whole', async () => {
  const run = await readingOf('stock_trades')
  const rows = Array.from({ length: 3000 }, (_, index) =>
    index % 1000 === 500 ? row(index, '1e3x,1,D,1') : good(index),
  )
  expect(await run.read('csv', run.file('a.csv', file(...rows)), 'whole')).toBe(3000)
  // The header is line 1, and the first row line 2.
  expect((await run.rejects()).map(reject => reject.split('|')[0])).toEqual(['502', '1502', '2502'])
  expect((await run.accepted('sequence')).length).toBe(2997)
})

test('rows have their lines in a file that several threads read', { tags: 'slow' }, async () => {
  const run = await readingOf('stock_trades')
  // DuckDB reads a file in pieces of 32 MB.
  const rows = Array.from({ length: 1_500_000 }, (_, index) =>
    index % 97_003 === 4 ? row(index, '1e3x,1,D,1') : good(index),
  )
  const content = `${[HEADER, ...rows].join('\n')}\n`
  expect(content.length).toBeGreaterThan(2 * (32 << 20))
  expect(await run.read('csv', run.file('a.csv', content), 'whole')).toBe(rows.length)
  const expected = rows.flatMap((_, index) => (index % 97_003 === 4 ? [String(index + 2)] : []))
  expect((await run.rejects()).map(reject => reject.split('|')[0])).toEqual(expected)
})

test('a file with bytes that are not UTF-8 is read line by line, even if they are in columns that are not imported', async () => {
  const run = await readingOf('stock_trades')
  const read = (bytes: string) =>
    run.read(
      'csv',
      run.file('a.csv', Buffer.from(`${HEADER},note\n${good(1)},${bytes}\n`, 'latin1')),
      'whole',
    )
  // RFC 3629: overlong forms, surrogates, code points above U+10FFFF, and truncated characters.
  for (const bytes of [
    '\xc0\x80',
    '\xe0\x80\x80',
    '\xed\xa0\x80',
    '\xf0\x80\x80\x80',
    '\xf4\x90\x80\x80',
    '\x80',
    '\xe2\x82',
  ])
    expect(await read(bytes), bytes).toBeNull()
  for (const bytes of [
    '\xc2\x80',
    '\xe0\xa0\x80',
    '\xed\x9f\xbf',
    '\xf0\x90\x80\x80',
    '\xf4\x8f\xbf\xbf',
    '\x7f',
  ])
    expect(await read(bytes), bytes).toBe(1)
})

/** Fields as people and programs write them, of every column; a good part of them plain. */
const FIELDS = {
  date: [
    '2024-01-03',
    '2024-01-03',
    '2024-02-30',
    '0999-01-01',
    ' 2024-01-03',
    '2024-01-03 00:00:00',
    '1899-12-31',
  ],
  asset_id: ['7', '"a, ""b"""', ' x ', '""', 'é', 'null', 'NULL', '""""', '"a\nb"', 'a"b'],
  user_address: ['0x1', '0x2', '0x3', '0x4', '', '"0x5"'],
  question: ['Q', 'Q ', '"Q;"', '#', '-', '\\', '\\N'],
  outcome: ['Yes'],
  category: ['Other'],
  avg_price: [
    '1',
    '0.5',
    '-0.000001',
    '1.50000000',
    '1.5000001',
    '1e3',
    '+1',
    '.5',
    '1.',
    ' 1',
    '"1"',
    '""',
    '',
    '00.5',
    '999999999999.999999',
    '1000000000000',
  ],
  current_price: ['0.5'],
  pnl_percent: ['12.5'],
  total_invested_usd: ['10', '10.125', '-10.12', '"10.10"'],
  invested_zscore: ['1'],
  n_positions: ['1', '-1', '007', '2147483647', '2147483648', '1.0', '1.5', '0x1', '1_0', '1e2', 'x'],
  days_since_first_trade: ['1'],
  days_since_first_trade_overall: ['1'],
  first_trade_at: [
    '2024-01-03 14:30:00',
    '2024-01-03T14:30:00.5Z',
    '2024-01-03 14:30',
    '2024-01-03 14:30:00+01',
    '2024-01-03 23:59:60',
    '2024-01-03 14:30:00.0000001',
    '2024-13-03 14:30:00',
  ],
  created_at: ['2024-01-03 14:30:00.123456'],
  resolves: ['', '2024-01-03 14:30:00', '""', ' '],
  image: ['', 'x', '""', '" "'],
  tags: [
    '[]',
    '"[]"',
    '"[""a"",""b c""]"',
    '"[a, b]"',
    '[a]',
    '[a',
    '"[""x""]"',
    '"[null]"',
    '"[a,]"',
    '"[""nil"", nil]"',
    '',
    '"[no, NULL]"',
    `"['q']"`,
  ],
  tags_score: ['1'],
} as const

const plain = <T>([first]: readonly T[]) => fc.constant(first as T)
const record = fc.tuple(fc.nat(9), fc.constantFrom(...Object.keys(FIELDS))).chain(([kind, odd]) =>
  fc.tuple(
    ...Object.entries(FIELDS).map(
      ([name, values]): fc.Arbitrary<string> =>
        // Most records have one odd field at most, so that whole files are plain often enough.
        kind > 7
          ? fc.constantFrom(...values)
          : kind > 5 && name === odd
            ? fc.constantFrom(...values)
            : plain<string>(values),
    ),
  ),
)

test('both readers accept and reject the same rows, on the same lines', { tags: 'slow' }, async () => {
  const run = await readingOf('prediction_positions', 4)
  let wholeFiles = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async (records, lineEnd, ended) => {
        const lines = [Object.keys(FIELDS).join(), ...records.map(each => each.join())]
        const path = run.file('a.csv', lines.join(lineEnd) + (ended ? lineEnd : ''))
        const count = await run.read('csv', path, 'by line')
        const rejects = await run.rejects()
        await run.writer.run(`CREATE OR REPLACE TABLE by_line AS FROM ${run.table}`)

        const whole = await run.read('csv', path, 'whole')
        if (whole !== null) {
          wholeFiles += 1
          expect([whole, await run.rejects()]).toEqual([count, rejects])
          expect(await run.differences('by_line')).toBe(0)
        } else expect(await run.accepted('date')).toEqual([])
        expect(await run.read('csv', path)).toBe(count)
        expect(await run.rejects()).toEqual(rejects)
        expect(await run.differences('by_line')).toBe(0)
      },
    ),
    { numRuns: randomRuns(15) },
  )
  expect(wholeFiles).toBeGreaterThan(amount({ test: 5, prove: 20, long: 20 }))
})
