/** Times are bigints: microseconds since 1970 in UTC. */

const HOUR_MICROS = 3_600_000_000n
const DAY_MICROS = 24n * HOUR_MICROS

/** `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`, with `digits` digits, or else with 0, 3 or 6, the fewest that lose nothing. */
export function timeText(micros: bigint, digits?: 0 | 3 | 6): string {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, 19)
  const fraction = String(rest).padStart(6, '0')
  const shown = digits ?? (rest === 0n ? 0 : fraction.endsWith('000') ? 3 : 6)
  return `${seconds}${shown === 0 ? '' : `.${fraction.slice(0, shown)}`}Z`
}

/** The UTC day of a time. */
export const dayOf = (micros: bigint): string => timeText(micros).slice(0, 10)

/** The first microsecond of a UTC day. */
export const startOf = (day: string): bigint => BigInt(Date.parse(day)) * 1000n

/** The first microsecond after a UTC day. */
export const endOf = (day: string): bigint => startOf(day) + DAY_MICROS

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/**
 * A bound of a request: a number of 1e11 and more is milliseconds, a smaller one seconds; a date or a time without zone is
 * UTC; a space before an offset is a `+` that a URL lost.
 */
export function timeOf(bound: string): bigint {
  if (/^\d+$/.test(bound)) return BigInt(bound) * (BigInt(bound) >= 100_000_000_000n ? 1000n : 1_000_000n)
  const [, day = '', minute = '00:00', second = '00', fraction = '', zone = 'Z'] =
    ISO.exec(bound.replace(/ (\d\d:?\d\d)$/, '+$1')) ?? []
  if (day === '') throw new Error(`${bound} is not a time`)
  const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()
  return BigInt(Date.parse(`${day}T${minute}:${second}${offset}`)) * 1000n + BigInt(fraction.padEnd(6, '0'))
}

const NEW_YORK = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
})

/** The date and the wall clock of New York, `YYYY-MM-DD` and `HH:MM:SS.ffffff`. */
export function newYork(micros: bigint): { readonly date: string; readonly time: string } {
  const [date = '', time = ''] = NEW_YORK.format(Number(micros / 1000n)).split(', ')
  return { date, time: `${time}.${timeText(micros, 6).slice(20, 26)}` }
}

/** The end of a date in New York. */
export function endOfNewYork(date: string): bigint {
  const end = endOf(date) + 4n * HOUR_MICROS
  return newYork(end).time.startsWith('00:') ? end : end + HOUR_MICROS
}
