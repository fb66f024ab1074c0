/** Made when it is first needed, since that takes several milliseconds. */
let wallClock: Intl.DateTimeFormat | undefined

const newWallClock = () =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })

/** New York's local time at an instant, to the minute, as the epoch milliseconds of the same wall clock in UTC. */
function shownAt(epochMs: number): number {
  wallClock ??= newWallClock()
  const parts = Object.fromEntries(
    wallClock.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]),
  )
  return Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day, parts.hour, parts.minute)
}

/**
 * The instant, in epoch milliseconds, at `minutes` past midnight local time in New York on `date` (YYYY-MM-DD). Times
 * in the hour that daylight saving time skips, when no market is open, are read as an hour later.
 */
export function newYorkInstant(date: string, minutes: number): number {
  const wanted = Date.parse(date) + minutes * 60_000
  // Two steps: the offset at the first guess may be that before or after a change of clocks.
  const guess = wanted - (shownAt(wanted) - wanted)
  return guess - (shownAt(guess) - wanted)
}
