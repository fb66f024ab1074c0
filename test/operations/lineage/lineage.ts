import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Field, Part } from '../../../src/operations/fields/notation.ts'

/** Columns by name, each as `dataset.column`. */
export type Columns = ReadonlyMap<string, readonly string[]>

/** The columns that an operation's table of fields lists. */
export interface Lineage {
  readonly parts: readonly Part[]
  /** By path within the answer, e.g. `data[].volume`. Objects and arrays that have fields of their own are excluded. */
  readonly fields: Columns
  /** Paths of the fields that repeat what the request says. */
  readonly echoed: ReadonlySet<string>
  /** By the name of a parameter, filter or sort. A stem means its `min_` and `max_`. */
  readonly parameters: Columns
  /** Those of `parameters` that have an entry of their own, not only a field of their name. */
  readonly looksAt: Columns
}

export const pathOf = (at: string, name: string) => (at === '' ? name : `${at}.${name}`)

/** `volume` of `min_volume`, `tags` of `tags[]` and `tags[0]`. */
export const stemOf = (parameter: string) => parameter.replace(/^(min|max)_/, '').replace(/\[\d*\]$/, '')

/** The lineage that an operation documents. */
export function lineageOf({ fields: { parts, parameters } }: Operation): Lineage {
  const all = parts.flatMap(({ at, fields }) =>
    fields.map(field => ({ path: pathOf(at, field.name), name: field.name, field })),
  )
  const looksAt = parameters.map(field => [stemOf(field.name), columnsOf(field)] as const)
  // A parameter without an entry of its own compares with the field of its name.
  const compared = all.map(({ name, field }) => [name, columnsOf(field)] as const)
  const shown = all.filter(({ field }) => field.from !== 'nested')
  return {
    parts,
    fields: new Map(shown.map(({ path, field }) => [path, columnsOf(field)])),
    echoed: new Set(all.filter(({ field }) => field.from === 'request').map(({ path }) => path)),
    parameters: new Map([...compared, ...looksAt]),
    looksAt: new Map(looksAt),
  }
}

const columnsOf = ({ from }: Field) => (typeof from === 'string' ? [] : from)

/** The paths of the fields that list one of the columns. */
export function listedBy({ fields }: Lineage, references: readonly string[]): Set<string> {
  const lists = ([, from]: readonly [string, readonly string[]]) => references.some(own => from.includes(own))
  return new Set([...fields].filter(lists).map(([path]) => path))
}
