import { type Place, scanJson } from './scan.ts'

/** Where rows are in a document: keys, and `*` for each element of an array. */
export type RowPlace = readonly string[]

/** Paths of the members of an object, such as `ticker` and `meta.name`. */
export type Members = ReadonlySet<string>

/** Objects that are looked at, from the outside. Rows are not deeper in an answer of an API. */
const ROW_DEPTH_MAX = 4
const MEMBER_DEPTH_MAX = 3
/** The most members of a document that are remembered. */
const MEMBERS_MAX = 20_000
const VALUE_BYTES_MAX = 256 << 20

/** Whether a value at `place` is a row. */
export const isRowAt = (rows: RowPlace, place: Place) =>
  rows.length === place.length &&
  rows.every((key, depth) => (typeof place[depth] === 'number' ? key === '*' : key === place[depth]))

/** Whether rows are inside of a value at `place`. */
export const leadsToRows = (rows: RowPlace, place: Place) =>
  rows.length > place.length && isRowAt(rows.slice(0, place.length), place)

/** A place of objects that can be rows, with the members of its first one. */
export interface Candidate {
  readonly rows: RowPlace
  readonly members: Members
}

/** The places of the objects of a JSON text, from the outside. Throws an Error if it is not JSON. */
export function placesIn(text: string): Candidate[] {
  const scan = placesScanner()
  scan.push(Buffer.from(text))
  return scan.places()
}

/** The members of an object, as JSON text. Throws an Error if it is not JSON. */
export const membersOf = (text: string): Members => placesIn(text)[0]?.members ?? new Set()

/**
 * The places of the objects of a document, from the outside. Only the first element of each array counts. Reads the
 * whole document, or of an array only its beginning.
 */
export async function rowPlaces(bytes: AsyncIterable<Buffer>): Promise<Candidate[]> {
  const scan = placesScanner()
  for await (const chunk of bytes) {
    scan.push(chunk)
    if (scan.isComplete()) break
  }
  return scan.places()
}

function placesScanner() {
  const found = new Map<string, Set<string>>()
  let count = 0
  let isComplete = false

  /** Adds the place of a value to the members of each object around it. */
  function add(place: Place): void {
    for (let depth = place.length - 1; depth >= 0 && depth >= place.length - MEMBER_DEPTH_MAX; depth -= 1) {
      const path = place.slice(depth)
      if (path.some(each => typeof each === 'number')) return
      const owner = JSON.stringify(place.slice(0, depth).map(each => (typeof each === 'number' ? '*' : each)))
      const members = found.get(owner)
      if (members === undefined) continue
      members.add(path.join('.'))
      count += 1
    }
  }
  const scanner = scanJson(
    {
      choose(place, shape) {
        if (place.some(each => typeof each === 'number' && each > 0)) {
          if (place.length === 1) isComplete = true
          return 'skip'
        }
        if (count < MEMBERS_MAX) add(place)
        if (shape === 'scalar' || place.length >= ROW_DEPTH_MAX + MEMBER_DEPTH_MAX) return 'skip'
        if (shape === 'object' && place.length <= ROW_DEPTH_MAX) {
          const key = JSON.stringify(place.map(each => (typeof each === 'number' ? '*' : each)))
          if (!found.has(key)) found.set(key, new Set())
        }
        return 'search'
      },
    },
    VALUE_BYTES_MAX,
  )
  const places = () =>
    [...found]
      .map(([key, members]) => ({ rows: JSON.parse(key) as RowPlace, members }))
      .toSorted((a, b) => a.rows.length - b.rows.length)
  return { push: scanner.push, places, isComplete: () => isComplete }
}
