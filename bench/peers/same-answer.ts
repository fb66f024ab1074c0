type Row = Readonly<Record<string, unknown>>

/** How two answers differ, in one line; null if they have the same rows in the same order. */
export function differenceOf(ours: readonly Row[], theirs: readonly Row[]): string | null {
  if (ours.length !== theirs.length) return `${theirs.length} rows instead of ${ours.length}`
  for (const [index, row] of ours.entries()) {
    const other = theirs[index] ?? {}
    for (const [name, value] of Object.entries(row))
      if (!isSame(value, other[name]))
        return `row ${index}: ${name} is ${JSON.stringify(other[name])} instead of ${JSON.stringify(value)}`
  }
  return null
}

const TOLERANCE = 1e-9
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00(?::00)?)?$/

/**
 * Numbers are the same to a billionth, decimals as text, times however they are written. A database without booleans or
 * lists has 0 and 1, or the text of a list.
 */
function isSame(ours: unknown, theirs: unknown): boolean {
  if (ours === null) return theirs === null
  if (typeof ours === 'boolean') return theirs === ours || theirs === Number(ours)
  if (Array.isArray(ours)) {
    const list = typeof theirs === 'string' ? JSON.parse(theirs) : theirs
    return JSON.stringify(ours) === JSON.stringify(list)
  }
  if (typeof ours === 'number')
    return typeof theirs === 'number' && Math.abs(ours - theirs) <= TOLERANCE * Math.max(1, Math.abs(ours))
  return typeof theirs === 'string' && instant(String(ours)) === instant(theirs)
}

/** A time in one spelling; any other text as it is. */
function instant(text: string): string {
  const [, day, time, fraction = ''] = TIME.exec(text) ?? []
  return day === undefined ? text : `${day} ${time}.${fraction.replace(/0+$/, '')}`
}
