import { describe, expect, test } from 'vitest'
import { date, microInstant } from '../../../src/engine/bind.ts'
import { sentence } from '../../../src/operations/parameters/problem.ts'
import {
  afterOlderThan,
  boundOfOlderThan,
  day,
  marketDate,
  moment,
  olderThan,
} from '../../../src/operations/parameters/time.ts'

/** The value of a text, or what is wrong with it. */
function read(
  { parse }: Pick<ReturnType<typeof moment | typeof olderThan | typeof day>, 'parse'>,
  text: string,
) {
  const parsed = parse([text])
  return 'problems' in parsed ? parsed.problems.map(sentence).join('; ') : parsed.value
}

/** Whether the schema of the OpenAPI document admits a text. */
const admits = ({ schema }: ReturnType<typeof moment | typeof olderThan>, text: string) =>
  new RegExp((schema as { pattern?: string }).pattern ?? '$^', 'u').test(text)

const NO_DAY = 'which is not a date YYYY-MM-DD'
const NO_TIME = 'which is not Unix seconds, Unix milliseconds, a date or an ISO 8601 date-time'

describe('a day', () => {
  test('is one that the calendar has', () => {
    expect(read(day('D.'), '2024-02-29')).toBe('2024-02-29')
    for (const text of [
      '2023-02-29',
      '2024-13-01',
      '20240101',
      '2024-1-1',
      '0000-01-01',
      '2024-01-01T00:00',
      'yesterday',
    ])
      expect(read(day('D.'), text)).toBe(`is "${text}", ${NO_DAY}`)
  })

  test('is documented with its format, its default and an example', () => {
    expect(day('A day.')).toMatchObject({
      description: 'A day.',
      example: '2024-12-31',
      schema: { type: 'string', format: 'date' },
      absent: null,
    })
    expect(day('A day.', '2024-01-05').example).toBe('2024-01-05')
    expect(marketDate.description).toBe(
      'Trading date. Default: the last closed trading date in the lake for this operation.',
    )
    expect(marketDate.bind?.('2024-02-29')).toEqual(date('2024-02-29'))
  })
})

const INSTANTS = [
  ['0', 0n],
  ['1700000000', 1_700_000_000_000_000n],
  ['99999999999', 99_999_999_999_000_000n],
  ['100000000000', 100_000_000_000_000n],
  ['1700000000123', 1_700_000_000_123_000n],
  ['2023-11-14', 1_699_920_000_000_000n],
  ['2023-11-14T22:13', 1_699_999_980_000_000n],
  ['2023-11-14 22:13:20', 1_700_000_000_000_000n],
  ['2023-11-14T22:13:20.123456Z', 1_700_000_000_123_456n],
  ['2023-11-14t22:13:20,5z', 1_700_000_000_500_000n],
  ['2023-11-14T22:13:20.5-05:00', 1_700_018_000_500_000n],
  // The + of an address is a blank when it arrives.
  ['2023-11-15T00:13:20 02:00', 1_700_000_000_000_000n],
  ['2023-11-15T00:13:20+0200', 1_700_000_000_000_000n],
  // The last second of the year 9999, in each notation: 2,932,897 days of 86,400 s after 1970, less one second.
  ['253402300799000', 253_402_300_799_000_000n],
  ['9999-12-31T23:59:59Z', 253_402_300_799_000_000n],
] as const

/** Texts that no schema admits. */
const MALFORMED = ['-1', '1.5', '1e9', '', 'x1', '1x', '2023-11-14T', '2023-11-14T22', '9'.repeat(16)]
/** Texts of the right form that are no times. */
const IMPOSSIBLE = [
  '2023-02-30',
  '2023-11-14T25:00',
  '2023-11-14T22:60',
  '2023-11-14T22:13:61',
  '2023-11-14T22:13+25:00',
  '253402300800000',
  '253402300799001',
  '9999-12-31T23:59:59.000001Z',
  '9999-12-31T23:59:59-01:00',
]

describe('an instant', () => {
  const at = moment('Keeps what is later.')
  test.each(INSTANTS)('%s', (text, micros) => {
    expect(read(at, text)).toBe(micros)
    expect(admits(at, text)).toBe(true)
  })
  test.each([...MALFORMED, ...IMPOSSIBLE])('%j is none', text => {
    expect(read(at, text)).toBe(`is "${text}", ${NO_TIME}`)
    if (MALFORMED.includes(text)) expect(admits(at, text)).toBe(false)
  })

  test('is documented with its notations, and bound in microseconds', () => {
    expect(at.description).toBe(
      'Keeps what is later. Unix seconds, Unix milliseconds (from 1e11 on), a date, or an ISO 8601 date-time, in UTC unless it has an offset.',
    )
    expect(at.example).toBe('2024-12-31T15:30:00Z')
    expect(at.bind?.(1_700_000_000_123_456n)).toEqual(microInstant(1_700_000_000_123_456n))
  })
})

describe('an upper bound of records, newest first', () => {
  const older = olderThan('Keeps what is earlier.')
  test.each(INSTANTS)('is an instant: %s', (text, time) => {
    expect(read(older, text)).toEqual({ time, passed: 0 })
    expect(admits(older, text)).toBe(true)
  })

  test.each([
    ['1700000000/1', 1_700_000_000_000_000n, 1],
    ['2023-11-14T22:13:20.123456Z/27', 1_700_000_000_123_456n, 27],
    ['2023-11-14/1000000', 1_699_920_000_000_000n, 1_000_000],
  ] as const)('may have a position among the records of its time: %s', (text, time, passed) => {
    expect(read(older, text)).toEqual({ time, passed })
    expect(admits(older, text)).toBe(true)
  })

  test.each([
    ['1700000000/0', 'has the position 0, from 1 to 1000000 is allowed'],
    ['1700000000/1000001', 'has the position 1000001, from 1 to 1000000 is allowed'],
    ['1700000000/999999999999999', 'has the position 999999999999999, from 1 to 1000000 is allowed'],
    ['2023-02-30/1', `is "2023-02-30", ${NO_TIME}`],
    ['x/0', `is "x", ${NO_TIME}`],
    ['1700000000\n/1', `is "1700000000\\n", ${NO_TIME}`],
    ...['/1', '1700000000/', '1700000000/1x', '1700000000/x', `1700000000/${'1'.repeat(16)}`].map(text => [
      text,
      `is ${JSON.stringify(text === '/1' ? '' : text)}, ${NO_TIME}`,
    ]),
  ])('has no other form: %j', (text = '', problem = '') => {
    expect(read(older, text)).toBe(problem)
  })

  test.each(['1700000000/0', '1700000000/', '/1', '1700000000/10000000', 'x/1'])(
    'has a schema that excludes %j',
    text => {
      expect(admits(older, text)).toBe(false)
    },
  )

  test('reads records of its time only with a position', () => {
    const [plain, within] = [
      { time: 1_700_000_000_000_000n, passed: 0 },
      { time: 1_700_000_000_000_000n, passed: 1 },
    ]
    expect(boundOfOlderThan(plain)).toBe(1_700_000_000_000_000n)
    expect(boundOfOlderThan(within)).toBe(1_700_000_000_000_001n)
    expect([afterOlderThan(null), afterOlderThan(plain), afterOlderThan(within)]).toEqual([
      null,
      null,
      within,
    ])
    expect(older.bind?.(within)).toEqual(microInstant(1_700_000_000_000_001n))
    expect(older.bind?.(null)).toEqual(microInstant(null))
  })

  test('is documented as an instant, with the position', () => {
    const { description, example } = moment('Keeps what is earlier.')
    expect(older.example).toBe(example)
    expect(older.description).toBe(
      `${description} Also such a time and a position, \`<time>/<position>\`, as the \`Link\` header of a page has it that ends within records of one time: keeps records before the time, and those of the time after the first \`<position>\`.`,
    )
  })
})
