/** Columns of calls and puts beside each other, such as `Call Bid` and `Put Bid`, or `CE.bidPrice` and `PE.bidPrice`. */
export interface Sides {
  /** A pattern for `unpivot` with the groups `side` and `field`. */
  readonly unpivot: string
  /** The two sides as the file writes them, and as formats do. */
  readonly words: Readonly<Record<string, string>>
  /** The names of the columns of both sides without the side. */
  readonly fields: readonly string[]
  /** The position of each field's columns, by field. */
  readonly places: ReadonlyMap<string, readonly number[]>
}

const PAIRS: readonly (readonly [call: string, put: string])[] = [
  ['call', 'put'],
  ['calls', 'puts'],
  ['ce', 'pe'],
  ['c', 'p'],
]
const SEPARATORS = [' ', '_', '.', '-']
const FIELDS_MIN = 2

/** The columns of calls and puts of a file; null if it has none. */
export function sidesIn(names: readonly string[]): Sides | null {
  for (const pair of PAIRS)
    for (const separator of SEPARATORS) {
      const parts = names.map(name => partsOf(name, pair, separator))
      const [calls, puts] = pair.map(side =>
        parts.flatMap(part => (part?.side.toLowerCase() === side ? [part] : [])),
      )
      const fields = [...new Set(calls?.map(({ field }) => field))].filter(field =>
        puts?.some(each => each.field === field),
      )
      const [call, put] = [calls?.[0]?.side, puts?.[0]?.side]
      if (fields.length < FIELDS_MIN || call === undefined || put === undefined) continue
      const places = new Map(
        fields.map(field => [field, parts.flatMap((part, at) => (part?.field === field ? [at] : []))]),
      )
      return {
        unpivot: `^(?<side>${call}|${put})${separator.replace('.', '\\.')}(?<field>.+)$`,
        words: { [call]: 'call', [put]: 'put' },
        fields,
        places,
      }
    }
  return null
}

function partsOf(name: string, pair: readonly string[], separator: string) {
  const place = name.indexOf(separator)
  const side = name.slice(0, place)
  return place > 0 && pair.includes(side.toLowerCase()) ? { side, field: name.slice(place + 1) } : null
}
