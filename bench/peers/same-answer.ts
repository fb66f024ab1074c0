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

const DECIMAL = /^-?\d+(\.\d+)?$/
const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/

/**
 * Numbers are the same to a billionth, decimals as text, times however they are written. A database without booleans,
 * decimals, lists or UUIDs has 0 and 1, numbers, the text of a list, or the bytes of a UUID in hexadecimal. An
 * answer may leave nulls out.
 */
function isSame(ours: unknown, theirs: unknown): boolean {
  if (ours === null) return theirs === null || theirs === undefined
  if (typeof ours === 'boolean') return theirs === ours || theirs === Number(ours)
  if (Array.isArray(ours)) {
    const list = typeof theirs === 'string' ? JSON.parse(theirs) : theirs
    return JSON.stringify(ours) === JSON.stringify(list)
  }
  if (typeof ours === 'number')
    return typeof theirs === 'number' && Math.abs(ours - theirs) <= TOLERANCE * Math.max(1, Math.abs(ours))
  const text = String(ours)
  if (typeof theirs === 'number') return DECIMAL.test(text) && isSame(Number(text), theirs)
  return (
    typeof theirs === 'string' &&
    (instant(text) === instant(theirs) || text.replace(UUID, '$1$2$3$4$5') === theirs)
  )
}

/** A time in one spelling; any other text as it is. */
function instant(text: string): string {
  const [, day, time, fraction = ''] = TIME.exec(text) ?? []
  return day === undefined ? text : `${day} ${time}.${fraction.replace(/0+$/, '')}`
}
