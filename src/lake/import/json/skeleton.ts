import type { Place } from './scan.ts'
import { scanJson } from './scan.ts'

/** Elements of an array, and members of an object, that are kept. */
const ELEMENTS_MAX = 50
const MEMBERS_MAX = 2000
const VALUE_BYTES_MAX = 256 << 20

type Container = unknown[] | Record<string, unknown>

/**
 * A document without most elements of its arrays, and without members after many others: enough to see what it is. Throws
 * an Error with a reason if the text is not one JSON document.
 */
export async function skeletonOf(bytes: AsyncIterable<Buffer>): Promise<unknown> {
  let document: unknown
  /** The open objects and arrays around the current value, by depth. */
  const open: Container[] = []
  const counts: number[] = []

  function add(place: Place, value: unknown): void {
    const depth = place.length
    if (depth === 0) {
      if (document !== undefined) throw new Error('it has several documents')
      document = value
    } else {
      const around = open[depth - 1]
      if (Array.isArray(around)) around.push(value)
      else if (around) Object.defineProperty(around, String(place[depth - 1]), { value, enumerable: true })
    }
    if (typeof value === 'object' && value !== null) {
      open[depth] = value as Container
      counts[depth] = 0
    }
  }
  const scanner = scanJson(
    {
      choose(place, shape) {
        const around = place.length - 1
        const count = counts[around] ?? 0
        if (place.length > 0) {
          if (count >= (Array.isArray(open[around]) ? ELEMENTS_MAX : MEMBERS_MAX)) return 'skip'
          counts[around] = count + 1
        }
        if (shape === 'scalar') return 'take'
        add(place, shape === 'array' ? [] : {})
        return 'search'
      },
      take: (text, place) => add(place, JSON.parse(text)),
    },
    VALUE_BYTES_MAX,
  )
  for await (const chunk of bytes) scanner.push(chunk)
  scanner.end()
  return document
}
