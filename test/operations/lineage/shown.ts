import { isDeepStrictEqual } from 'node:util'
import { type Lineage, pathOf } from './lineage.ts'

/** The values of each field of an answer, in the order of its records. */
export type Shown = ReadonlyMap<string, readonly unknown[]>

type Holder = Record<string, unknown> | null | undefined

/** Takes an answer apart by the parts of its operation's table. */
export function shownOf(body: unknown, { parts, fields }: Lineage): Shown {
  return new Map(
    parts.flatMap(({ at, fields: own }) => {
      const holders = holdersAt(body, at)
      return own
        .map(({ name }) => [pathOf(at, name), holders.map(holder => holder?.[name])] as const)
        .filter(([path]) => fields.has(path))
    }),
  )
}

/** The objects at a path; one that is null stays, so that what follows it keeps its place. */
function holdersAt(body: unknown, at: string): Holder[] {
  let holders = [body as Holder]
  for (const step of at === '' ? [] : at.split('.')) {
    const name = step.replace('[]', '')
    holders = holders.flatMap(holder => {
      const value = holder?.[name]
      return step.endsWith('[]') ? ((value ?? []) as Holder[]) : [value as Holder]
    })
  }
  return holders
}

/** The fields that differ between two answers of one request. */
export function movedFields(before: Shown, after: Shown): Set<string> {
  return new Set(
    [...before].filter(([path, values]) => !isDeepStrictEqual(values, after.get(path))).map(([path]) => path),
  )
}

/** The records of an answer as text: of fields that have equally many values, those at each place. */
export function recordsOf(shown: Shown): string[] {
  const columns = [...shown.values()]
  return [...new Set(columns.map(values => values.length))].flatMap(length => {
    const alike = columns.filter(values => values.length === length)
    return Array.from({ length }, (_, place) => JSON.stringify(alike.map(values => values[place])))
  })
}

/** Whether all fields of two answers have equally many values. */
export const hasAsManyRecords = (before: Shown, after: Shown) =>
  [...before].every(([path, values]) => values.length === after.get(path)?.length)
