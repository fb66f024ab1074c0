import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatOptionSymbol, type OptionSymbol, parseOptionSymbol } from '../../../src/market/osi.ts'
import { calculationNames, parseCalculations } from '../../../src/operations/analytics/calculations.ts'
import { parseRange, parseRangeEnd, resolveWindow } from '../../../src/operations/analytics/range.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { operations } from '../../../src/operations/index.ts'
import { tickerFilter } from '../../../src/operations/parameters/market.ts'
import { compareDecimals, parseDecimal } from '../../../src/operations/parameters/number.ts'
import type { Parsed } from '../../../src/operations/parameters/problem.ts'
import { day, parseMoment, parseOlderThan } from '../../../src/operations/parameters/time.ts'
import { randomRuns } from '../../fixtures/tier.ts'

/** Random texts through every parser: none throws, and what is written in a notation is read back as it was. */

const runs = (count: number) => ({ numRuns: randomRuns(count) })

function value<T>(parsed: Parsed<T>): T {
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return parsed.value
}

const SPECIAL = [
  '',
  ',',
  '-',
  '(',
  ')',
  '=',
  '.',
  '+',
  'e',
  '00',
  '/',
  ':',
  'T',
  'Z',
  ' ',
  '\u0000',
  '١',
  '😀',
]

/** Valid texts with a part removed, repeated or replaced: most are nearly valid. */
const nearly = (texts: readonly string[]) =>
  fc
    .record({
      text: fc.constantFrom(...texts),
      at: fc.nat(40),
      length: fc.nat(3),
      by: fc.constantFrom(...SPECIAL),
      twice: fc.boolean(),
    })
    .map(({ text, at, length, by, twice }) => {
      const place = at % (text.length + 1)
      const changed = `${text.slice(0, place)}${by}${text.slice(place + length)}`
      return twice ? `${changed},${changed}` : changed
    })

/** Any code units, halves of surrogate pairs and control characters included. */
const units = fc.array(fc.nat(0xffff), { maxLength: 40 }).map(codes => String.fromCharCode(...codes))

test('no text, sent as any parameter of any operation, is an error of the program', () => {
  const all = operations.flatMap(operation =>
    Object.entries(operation.parameters).map(([name, parameter]) => ({ operation, name, parameter })),
  )
  const examples = [...new Set(all.map(({ parameter }) => parameter.example))]
  const text = fc.oneof(nearly(examples), units, fc.constantFrom(...examples))
  fc.assert(
    fc.property(
      fc.nat(all.length - 1).map(index => all[index] as (typeof all)[number]),
      fc.array(text, { minLength: 1, maxLength: 3 }),
      ({ operation, name, parameter }, texts) => {
        const required = Object.entries(operation.parameters).filter(([, { required: is }]) => is)
        const pairs = required.map(([own, { example }]): [string, string] => [own, example])
        const sent = [
          ...pairs.filter(([own]) => own !== name),
          ...texts.map((one): [string, string] => [name, one]),
        ]
        const isInPath = ([own]: [string, string]) => operation.parameters[own]?.in === 'path'
        const validated = validate(operation, {
          path: Object.fromEntries(sent.filter(isInPath)),
          query: sent.filter(pair => !isInPath(pair)),
        })
        if ('faults' in validated)
          for (const { problem, example } of validated.faults) {
            expect(problem).not.toMatch(/undefined|NaN$|\[object/)
            expect(example).not.toContain('undefined')
          }
        else parameter.bind?.(validated.values[name])
      },
    ),
    runs(100),
  )
})

const pad = (number: number, digits: number) => String(number).padStart(digits, '0')
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const daysIn = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

const dates = fc.record({
  year: fc.integer({ min: 1900, max: 9999 }),
  month: fc.integer({ min: 0, max: 13 }),
  date: fc.integer({ min: 0, max: 32 }),
})
const written = ({ year, month, date }: { year: number; month: number; date: number }) =>
  `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}`
const isReal = ({ year, month, date }: { year: number; month: number; date: number }) =>
  month >= 1 && month <= 12 && date >= 1 && date <= daysIn(year, month)
const realDates = dates.filter(isReal)

describe('a date', () => {
  test('is one of the Gregorian calendar, and stays as it is written', () => {
    const { parse } = day('D.')
    fc.assert(
      fc.property(dates, parts => {
        const parsed = parse([written(parts)])
        if (isReal(parts)) expect(parsed).toEqual({ value: written(parts) })
        else expect(parsed).toHaveProperty('problems')
      }),
      runs(100),
    )
  })
})

describe('an option symbol', () => {
  const symbols: fc.Arbitrary<OptionSymbol> = fc.record({
    root: fc.stringMatching(/^[A-Z0-9]{1,6}$/),
    expiry: realDates.filter(({ year }) => year >= 2000 && year <= 2099).map(written),
    type: fc.constantFrom('call', 'put'),
    strike: fc.nat(99_999_999).map(thousandths => thousandths / 1000),
  })
  test('is read as it was written, in lower case and with a padded root too', () => {
    fc.assert(
      fc.property(symbols, symbol => {
        const text = formatOptionSymbol(symbol)
        const padded = `${text.slice(0, -15).padEnd(6)}${text.slice(-15)}`
        for (const form of [text, text.toLowerCase(), padded]) expect(parseOptionSymbol(form)).toEqual(symbol)
      }),
      runs(50),
    )
  })
})

describe('a decimal', () => {
  test('is the number that its digits and exponent mean', () => {
    const numbers = fc.record({
      digits: fc.stringMatching(/^\d{1,30}$/),
      point: fc.nat(30),
      exponent: fc.integer({ min: -18, max: 18 }),
      sign: fc.constantFrom('', '-', '+'),
      letter: fc.constantFrom('e', 'E'),
    })
    fc.assert(
      fc.property(numbers, ({ digits, point, exponent, sign, letter }) => {
        const places = point % (digits.length + 1)
        const [whole, part] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
        const text = `${sign}${whole}${places > 0 ? `.${part}` : ''}`
        const read = value(parseDecimal(`${text}${letter}${exponent}`))
        // The same number without a point: the exponent is less by the places, which may be too small to write.
        const units = BigInt(`${sign === '-' ? '-' : ''}${digits}`)
        const scale = places - exponent
        expect(
          compareDecimals(read, {
            unscaled: units * 10n ** BigInt(Math.max(0, -scale)),
            scale: Math.max(0, scale),
          }),
        ).toBe(0)
      }),
      runs(100),
    )
  })
})

describe('a list of tickers', () => {
  // A digit at the end, because a letter after a hyphen is a class of shares.
  const tickers = fc.uniqueArray(fc.stringMatching(/^[A-Z]([A-Z0-9.-]{0,8}[0-9])?$/), {
    minLength: 1,
    maxLength: 20,
  })
  test('is read in any case and with blanks, to keep or to exclude', () => {
    const { parse } = tickerFilter('T.')
    fc.assert(
      fc.property(tickers, fc.boolean(), fc.constantFrom(',', ', ', ' ,'), (all, excluded, comma) => {
        const forms = excluded
          ? [`-${all.join(comma)}`, all.map(one => `-${one}`).join(comma)]
          : [all.join(comma)]
        for (const form of [...forms, ...forms.map(one => one.toLowerCase())])
          expect(parse([form])).toEqual({ value: { tickers: all, excluded } })
      }),
      runs(50),
    )
  })
})

test('tickers of a list are in the form of the lake, each once', () => {
  const { parse } = tickerFilter('T.')
  const tickers = ['BRK.B', 'BAC.PRL']
  expect(parse(['brk-b,BAC-PL,BRK.B'])).toEqual({ value: { tickers, excluded: false } })
  expect(parse(['-BRK-B,-BAC-PL'])).toEqual({ value: { tickers, excluded: true } })
})

describe('a list of calculations', () => {
  const option = (name: string) => {
    if (['VARIANCE', 'STDDEV', 'COVARIANCE'].includes(name))
      return fc.constantFrom('', '(ANNUALIZED=TRUE)', '(ANNUALIZED=FALSE)')
    if (name === 'HISTOGRAM') return fc.integer({ min: 1, max: 1000 }).map(bins => `(BINS=${bins})`)
    if (name === 'AUTOCORRELATION') return fc.integer({ min: 1, max: 1000 }).map(lag => `(LAG=${lag})`)
    if (name === 'CORRELATION')
      return fc.constantFrom('', '(METHOD=PEARSON)', '(METHOD=KENDALL)', '(METHOD=SPEARMAN)')
    return fc.constant('')
  }
  const one = fc
    .constantFrom(...calculationNames)
    .chain(name => option(name).map(options => `${name}${options}`))
  test('has the keys that were written, once each', () => {
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(',', ' , '),
        (all, comma) => {
          const keys = [...new Set(all)]
          for (const text of [all.join(comma), all.join(comma).toLowerCase()])
            expect(value(parseCalculations(text)).map(({ key }) => key)).toEqual(keys)
        },
      ),
      runs(50),
    )
  })
})

describe('a time', () => {
  const MICROS_MAX = 253_402_300_799_000_000n
  const times = fc.bigInt({ min: -2_208_988_800_000_000n, max: MICROS_MAX })
  test('is the same in every notation that can express it', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: -14 * 60, max: 14 * 60 }), (micros, offset) => {
        const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n)
        const local = new Date(Number(seconds) * 1000 + offset * 60_000)
        fc.pre(local.getUTCFullYear() >= 1900 && local.getUTCFullYear() <= 9999)
        const fraction = String(micros - seconds * 1_000_000n).padStart(6, '0')
        const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
        const zone = `${offset < 0 ? '-' : '+'}${pad(hours, 2)}:${pad(minutes, 2)}`
        const text = `${local.toISOString().slice(0, 19)}.${fraction}${zone}`
        expect(parseMoment(text)).toEqual({ value: micros })
        expect(parseMoment(text.replace('T', ' ').replace('+', ' '))).toEqual({ value: micros })
        if (micros >= 100_000_000_000_000n && micros % 1000n === 0n)
          expect(parseMoment(String(micros / 1000n))).toEqual({ value: micros })
        expect(parseOlderThan(`${text}/7`)).toEqual({ value: { time: micros, passed: 7 } })
      }),
      runs(100),
    )
  })
})

describe('a range', () => {
  const lengths = fc.record({
    count: fc.integer({ min: 1, max: 9999 }),
    unit: fc.constantFrom('minute', 'hour', 'day', 'week', 'month', 'year'),
  })
  test('is a length that was written, and begins on or before its end', () => {
    fc.assert(
      fc.property(lengths, realDates.map(written), ({ count, unit }, end) => {
        const range = value(parseRange(`${count}${unit.toUpperCase()}`))
        expect(range).toEqual({ kind: 'back', count, unit })
        const window = resolveWindow(range, value(parseRangeEnd(end)), '2024-01-02', date =>
          Date.parse(`${date}T21:00:00Z`),
        )
        if (window.from !== null) expect(window.from <= end).toBe(true)
        else expect(window.fromMs).toBeLessThan(Date.parse(`${end}T21:00:00Z`))
        expect(window.to).toBe(end)
      }),
      runs(50),
    )
  })
})
