import { isDateFormat, isPercentFormat } from 'numfmt'

/** How the number of a cell is written as text. */
export type NumberKind = 'number' | 'percent' | 'date'

/** Kinds of the formats that workbooks use without defining them (ECMA-376, part 1, 18.8.30). */
const BUILT_IN: readonly (readonly [from: number, to: number, kind: NumberKind])[] = [
  [9, 10, 'percent'],
  [14, 22, 'date'],
  [27, 36, 'date'],
  [45, 47, 'date'],
  [50, 58, 'date'],
]

/** The kind of a number format: a pattern of the workbook, or a built-in one. */
export function kindOfFormat(id: number, pattern: string | undefined): NumberKind {
  if (pattern === undefined) return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number'
  // A duration is a number of days.
  if (/\[[hms]+\]/i.test(pattern)) return 'number'
  if (isDateFormat(pattern)) return 'date'
  return isPercentFormat(pattern) ? 'percent' : 'number'
}

const DAY_MS = 86_400_000
/** Days from the epochs of workbooks to 1970. */
const EPOCH_1900 = 25_569
const EPOCH_1904 = 24_107
/** The last day of the year 9999. */
const SERIAL_MAX = 2_958_466

/**
 * The text of a cell with a number, as a CSV file has it: 0.1, 7.25%, 2024-01-31, 2024-01-31 14:30:00, 14:30:00. Numbers
 * have their shortest decimal form without an exponent.
 */
export function textOfNumber(written: string, kind: NumberKind, is1904: boolean): string {
  const value = Number(written)
  if (!Number.isFinite(value) || written.trim() === '') return written
  if (kind === 'percent') return `${plain(value, 2)}%`
  return (kind === 'date' ? timeOf(value, is1904) : undefined) ?? plain(value, 0)
}

/** A number in decimal notation, times a power of ten. */
function plain(value: number, places: number): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  const digits = whole + fraction
  const point = whole.length + Number(exponent) + places
  const shown =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : `${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point)}`
  const text = shown.replace(/^0+(?=\d)/, '').replace(/\.?0*$/, match => (shown.includes('.') ? '' : match))
  return text === '0' ? '0' : `${sign}${text}`
}

function timeOf(serial: number, is1904: boolean): string | undefined {
  if (serial < 0 || serial >= SERIAL_MAX) return
  if (serial < 1) return clockOf(Math.round(serial * DAY_MS))
  // In workbooks, 1900 is a leap year: the days before March have numbers that are one less.
  const leap = !is1904 && serial < 60 ? 1 : 0
  const ms = Math.round((serial + leap - (is1904 ? EPOCH_1904 : EPOCH_1900)) * DAY_MS)
  const date = new Date(Math.floor(ms / DAY_MS) * DAY_MS).toISOString().slice(0, 10)
  const inDay = ((ms % DAY_MS) + DAY_MS) % DAY_MS
  return inDay === 0 ? date : `${date} ${clockOf(inDay)}`
}

const clockOf = (ms: number) =>
  new Date(ms)
    .toISOString()
    .slice(11, -1)
    .replace(/\.000$/, '')
