import { lastName, type Row, rowOf } from '../layout/json-table.ts'
import { type Layout, listed } from '../layout/layout.ts'
import { stepsOf, valuesAt } from '../layout/path.ts'
import type { Looked } from './documents.ts'
import { exact } from './exact.ts'
import { scanLines } from './objects.ts'
import { type Place, type Scanner, scanJson } from './scan.ts'

/** The longest row. */
const ROW_BYTES_MAX = 1 << 20

/** Receives the rows of a layout; in place of one that cannot be read, the reason. `text` is the row as JSON. */
export type TakeRow = (row: Row | string, number: number, text: string) => void

/** Splits a JSON file into the rows of a layout without `*` and the shape `columns`, with the memory of one row. */
export function layoutRows(layout: Layout, { document, isLines }: Looked, take: TakeRow): Scanner {
  if (isLines)
    return scanLines((text, line, fault) => take(fault ?? rowIn(layout, text, null, '$'), line, text))
  const isKeyed = layout.file.shape === 'keyed'
  const paths = listed(layout.file.rows ?? '$')
    .filter(path => valuesAt(document, path).some(({ value }) => Array.isArray(value) !== isKeyed))
    .map(path => ({ last: lastName(path), steps: [...(stepsOf(path) ?? []), '*'] }))
  const pathOf = (place: Place) =>
    paths.find(({ steps }) => steps.length === place.length && startsAs(steps, place))
  const leads = (place: Place) =>
    paths.some(({ steps }) => steps.length > place.length && startsAs(steps, place))
  let number = 0
  return scanJson(
    {
      choose(place, shape) {
        if (pathOf(place) !== undefined) return 'take'
        return shape !== 'scalar' && leads(place) ? 'search' : 'skip'
      },
      take(text, place, fault) {
        number += 1
        const last = pathOf(place)?.last ?? null
        const key = isKeyed ? String(place.at(-1)) : null
        take(fault ?? rowIn(layout, text, key, last), number, text)
      },
    },
    ROW_BYTES_MAX,
  )
}

const startsAs = (steps: readonly (string | number)[], place: Place) =>
  place.every((each, depth) => steps[depth] === '*' || steps[depth] === each)

/** The row of one JSON value, or the reason why it is none. */
function rowIn(layout: Layout, text: string, key: string | null, last: string | null): Row | string {
  let value: unknown
  try {
    value = JSON.parse(exact(text))
  } catch {
    return 'not JSON'
  }
  const row = rowOf(value, layout)
  if (row !== null) return new Map([['key', key], ['rows', last], ...row])
  return layout.file.shape === 'arrays' ? 'not a JSON array' : 'not a JSON object'
}
