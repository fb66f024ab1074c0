import type { Wire } from './wire.ts'

/** The most bytes of a time: `2024-05-06T07:08:09.123456Z`. */
export const TIME_BYTES_MAX = 27

const [ZERO, DASH, COLON, POINT, TEE, ZED] = [0x30, 0x2d, 0x3a, 0x2e, 0x54, 0x5a]

/** Fractional digits of a second: the fewest of 0, 3 and 6 that lose nothing, always 3, or always 6. */
export type SecondDigits = 'fewest' | 'millis' | 'micros'

const DAY_SECONDS = 86_400
const MICROS = 1_000_000
/** Days from 0001-01-01 and 9999-12-31 to 1970-01-01: the years that ISO 8601 writes with four digits. */
const [FIRST_DAY, LAST_DAY] = [-719_162, 2_932_896]
/** High words of the integers that a double holds exactly: microseconds from the years 1684 to 2255. */
const EXACT_HIGH_WORD = 2 ** 21

function writeDigits(wire: Wire, value: number, digits: number): void {
  let rest = value
  for (let place = digits - 1; place >= 0; place -= 1) {
    const next = (rest / 10) | 0
    wire.bytes[wire.at + place] = ZERO + rest - next * 10
    rest = next
  }
  wire.at += digits
}

const writeMark = (wire: Wire, byte: number) => {
  wire.bytes[wire.at++] = byte
}

/**
 * Writes a day, which is a number of days since 1970-01-01, as `2024-05-06`. The caller reserves TIME_BYTES_MAX. Returns
 * false, and writes nothing, for a year below 1 or above 9999, or infinity.
 */
export function writeDay(wire: Wire, day: number): boolean {
  if (day < FIRST_DAY || day > LAST_DAY) return false
  // Howard Hinnant, "Low-level date algorithms", civil_from_days: years begin in March.
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const yearOfEra = Math.trunc(
    (ofEra - Math.trunc(ofEra / 1460) + Math.trunc(ofEra / 36_524) - Math.trunc(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100))
  const shiftedMonth = Math.trunc((5 * ofYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  writeDigits(wire, yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4)
  writeMark(wire, DASH)
  writeDigits(wire, month, 2)
  writeMark(wire, DASH)
  writeDigits(wire, ofYear - Math.trunc((153 * shiftedMonth + 2) / 5) + 1, 2)
  return true
}

/**
 * Writes an instant, in microseconds since 1970-01-01 UTC as its low and high word, as `2024-05-06T07:08:09.123Z`. The
 * caller reserves TIME_BYTES_MAX. Returns false, and writes nothing, for an instant before 1685 or after 2254, or infinity.
 */
export function writeInstant(wire: Wire, low: number, high: number, digits: SecondDigits): boolean {
  if (high >= EXACT_HIGH_WORD || high < -EXACT_HIGH_WORD) return false
  const total = high * 2 ** 32 + (low >>> 0)
  const seconds = Math.floor(total / MICROS)
  const micros = total - seconds * MICROS
  const day = Math.floor(seconds / DAY_SECONDS)
  const ofDay = seconds - day * DAY_SECONDS
  if (!writeDay(wire, day)) return false
  writeMark(wire, TEE)
  writeDigits(wire, Math.trunc(ofDay / 3600), 2)
  writeMark(wire, COLON)
  writeDigits(wire, Math.trunc(ofDay / 60) % 60, 2)
  writeMark(wire, COLON)
  writeDigits(wire, ofDay % 60, 2)
  const shown = fractionDigits(micros, digits)
  if (shown > 0) {
    writeMark(wire, POINT)
    writeDigits(wire, shown === 3 ? Math.trunc(micros / 1000) : micros, shown)
  }
  writeMark(wire, ZED)
  return true
}

function fractionDigits(micros: number, digits: SecondDigits): 0 | 3 | 6 {
  if (digits === 'millis') return 3
  if (digits === 'micros') return 6
  if (micros === 0) return 0
  return micros % 1000 === 0 ? 3 : 6
}
