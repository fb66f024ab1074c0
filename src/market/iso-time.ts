import { isValidDate } from './day.ts'

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+ -]\d{2}:?\d{2})?)?$/

/**
 * Parses an ISO 8601 date (its midnight) or date-time to microseconds since 1970-01-01 UTC. Without an offset it is
 * UTC. A space before the offset is read as `+`, which URL decoding turns into a space. Digits beyond microseconds are
 * truncated. Null for other text.
 */
export function isoMicros(text: string): bigint | null {
  const [matched, on = '', hours = '00', minutes = '00', seconds = '00', fraction = '', zone = 'Z'] =
    DATE_TIME.exec(text) ?? []
  if (matched === undefined || !isValidDate(on)) return null
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const offset = offsetMinutes(zone)
  if (offset === null) return null
  const wall = BigInt(Date.parse(`${on}T${hours}:${minutes}:${seconds}Z`)) * 1000n
  return wall + BigInt(fraction.padEnd(6, '0').slice(0, 6)) - BigInt(offset) * 60_000_000n
}

/** Minutes east of UTC; null for an invalid offset. */
function offsetMinutes(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  if (hours > 23 || minutes > 59) return null
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

/** A time in microseconds since 1970-01-01 UTC as ISO 8601 in UTC, with six fractional digits unless they are 0. */
export function isoOfMicros(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19)
  return `${seconds}${fraction === 0n ? '' : `.${String(fraction).padStart(6, '0')}`}Z`
}
