const wallClock = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})

/** What New York's clocks show at an instant, as if it were UTC, to the minute, in epoch milliseconds. */
function shownAt(epochMs: number): number {
  const parts = Object.fromEntries(
    wallClock.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]),
  )
  return Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day, parts.hour, parts.minute)
}

/**
 * The instant, in epoch milliseconds, at which New York's clocks show `minutes` past midnight of `date`
 * (YYYY-MM-DD). The hour that a spring night skips does not matter to markets and is taken as an hour later.
 */
export function newYorkInstant(date: string, minutes: number): number {
  const wanted = Date.parse(date) + minutes * 60_000
  // Two steps: the offset at the first guess may be that of the other side of a change of clocks.
  const guess = wanted - (shownAt(wanted) - wanted)
  return guess - (shownAt(guess) - wanted)
}
