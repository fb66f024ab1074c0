import { absent, choice } from './kinds.ts'

/** What rows are sorted by: an identifier of ours in the template, never a client's text. */
export interface Order {
  readonly column: string
  readonly descending: boolean
}

/** Sort names that clients use, each with the template's column that it means. */
export type SortNames = Readonly<Record<string, string>>

type Direction = 'asc' | 'desc'

/** `order` and `order_direction`: nulls sort last either way, ties by the record's natural key. */
export function ordering(names: SortNames, standard: string) {
  const direction = choice<Direction>({ description: 'Which way `order` sorts.', example: 'asc' }, [
    'asc',
    'desc',
  ])
  const order = choice(
    { description: 'What records are sorted by; nulls come last.', example: standard },
    Object.keys(names),
  )
  return { order: absent(order, standard), order_direction: absent(direction, 'desc') }
}

export const orderOf = (names: SortNames, asked: { order: string; order_direction: string }): Order => ({
  column: names[asked.order] ?? asked.order,
  descending: asked.order_direction === 'desc',
})

const MARKED = /\/\* order \*\/ \w+ (?:ASC|DESC)\b/g

/** A template whose sort key, marked by a comment `order`, is another. Throws if none or several are marked. */
export function ordered(sql: string, { column, descending }: Order): string {
  if (sql.match(MARKED)?.length !== 1 || !/^\w+$/.test(column)) throw new Error(`cannot sort by ${column}`)
  return sql.replace(MARKED, `/* order */ ${column} ${descending ? 'DESC' : 'ASC'}`)
}
