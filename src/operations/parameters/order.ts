import { absent, choice } from './kinds.ts'

/** What rows are sorted by: a column of the template, never a client's text. */
export interface Order {
  readonly column: string
  readonly descending: boolean
}

/** Sort names for clients, each with its column of the template. */
export type SortNames = Readonly<Record<string, string>>

type Direction = 'asc' | 'desc'

/** `order` and `order_direction`: nulls sort last in both directions, ties by the natural key of the record. */
export function ordering(names: SortNames, standard: string) {
  const direction = choice<Direction>({ description: 'Direction of `order`.', example: 'asc' }, [
    'asc',
    'desc',
  ])
  const order = choice(
    { description: 'Field to sort by; nulls are last.', example: standard },
    Object.keys(names),
  )
  return { order: absent(order, standard), order_direction: absent(direction, 'desc') }
}

export const orderOf = (names: SortNames, values: { order: string; order_direction: string }): Order => ({
  column: names[values.order] ?? values.order,
  descending: values.order_direction === 'desc',
})

const MARKED = /\/\* order \*\/ \w+ (?:ASC|DESC)\b/g

/** Replaces the template's sort key, which a comment `order` marks. Throws if none or several are marked. */
export function ordered(sql: string, { column, descending }: Order): string {
  if (sql.match(MARKED)?.length !== 1 || !/^\w+$/.test(column)) throw new Error(`cannot sort by ${column}`)
  return sql.replace(MARKED, `/* order */ ${column} ${descending ? 'DESC' : 'ASC'}`)
}
