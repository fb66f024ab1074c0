import type { Column } from '../../../src/lake/store/datasets.ts'
import { identifier } from '../../../src/lake/store/sorted-files.ts'

/** A change of all values of a column. */
export interface Perturbation {
  readonly name: string
  /** SQL for the changed value; window functions see the whole dataset. */
  readonly sql: string
  /**
   * Whether unequal values stay unequal and in their order, so that sorting and grouping by the column make the same
   * rows in the same order as before.
   */
  readonly keepsOrder: boolean
  /** What a request names instead of a value of the column, so that it follows the change; null if it cannot. */
  readonly followed?: (value: unknown) => unknown
}

const DAY_MS = 86_400_000
const ofText = (changed: (value: string) => string | null) => (value: unknown) =>
  typeof value === 'string' ? changed(value) : null
const ofDate = (days: number) =>
  ofText(date => {
    const start = Date.parse(`${date}T00:00:00Z`)
    return Number.isNaN(start) ? null : new Date(start + days * DAY_MS).toISOString().slice(0, 10)
  })

type Scalar = (value: string) => Omit<Perturbation, 'keepsOrder'>

/**
 * Changes that keep the order of values, by type; each is made of lists' elements, too. 8 is even, so that values which are
 * equal when they are rounded half to even stay equal.
 */
const SHIFTS: Readonly<Record<string, readonly Scalar[]>> = {
  INTEGER: [
    x => ({
      name: 'plus 8',
      sql: `${x} + 8`,
      followed: value => (typeof value === 'number' ? value + 8 : null),
    }),
    x => ({ name: 'plus 1', sql: `${x} + 1` }),
  ],
  BIGINT: [x => ({ name: 'plus 8', sql: `${x} + 8` }), x => ({ name: 'plus 1', sql: `${x} + 1` })],
  DECIMAL: [x => ({ name: 'plus 8', sql: `${x} + 8` }), x => ({ name: 'plus 0.01', sql: `${x} + 0.01` })],
  DOUBLE: [x => ({ name: 'plus 8', sql: `${x} + 8` }), x => ({ name: 'plus 0.01', sql: `${x} + 0.01` })],
  VARCHAR: [x => ({ name: 'prefixed', sql: `'Q' || ${x}`, followed: ofText(value => `Q${value}`) })],
  UUID: [
    x => ({
      name: 'first digit raised',
      sql: `CAST(translate(left(${x}::VARCHAR, 1), '0123456789abcde', '123456789abcdef') || substr(${x}::VARCHAR, 2) AS UUID)`,
      followed: ofText(value =>
        value.replace(/^[0-9a-e]/, digit => (Number.parseInt(digit, 16) + 1).toString(16)),
      ),
    }),
  ],
  DATE: [
    x => ({ name: '7 days later', sql: `${x} + 7`, followed: ofDate(7) }),
    x => ({ name: '371 days later', sql: `${x} + 371`, followed: ofDate(371) }),
    x => ({ name: '371 days earlier', sql: `${x} - 371`, followed: ofDate(-371) }),
  ],
  TIMESTAMP: [
    x => ({ name: '1 second later', sql: `${x} + INTERVAL 1 SECOND` }),
    x => ({ name: '7 days later', sql: `${x} + INTERVAL 7 DAY` }),
    x => ({ name: '371 days earlier', sql: `${x} - INTERVAL 371 DAY` }),
  ],
  BOOLEAN: [x => ({ name: 'flipped', sql: `NOT ${x}` })],
}

/** Changes of a whole column, by type, which do not keep its order. */
const REARRANGED: Readonly<Record<string, readonly Scalar[]>> = {
  NUMBER: [x => ({ name: 'mirrored', sql: `max(${x}) OVER () + min(${x}) OVER () - ${x}` })],
  DATE: [x => ({ name: 'mirrored', sql: `min(${x}) OVER () + CAST(max(${x}) OVER () - ${x} AS INTEGER)` })],
  TIME: [x => ({ name: 'mirrored', sql: `min(${x}) OVER () + (max(${x}) OVER () - ${x})` })],
  TEXT: [
    x => ({
      name: 'cycled',
      sql: `list_distinct(list(${x}) OVER ()).list_sort()[1 + dense_rank() OVER (ORDER BY ${x}) % count(DISTINCT ${x}) OVER ()]`,
    }),
  ],
  LIST: [
    x => ({ name: 'reversed', sql: `list_reverse(${x})` }),
    x => ({ name: 'without the first', sql: `${x}[2:]` }),
  ],
}

const KINDS: Readonly<Record<string, string>> = {
  INTEGER: 'NUMBER',
  BIGINT: 'NUMBER',
  DECIMAL: 'NUMBER',
  DOUBLE: 'NUMBER',
  DATE: 'DATE',
  TIMESTAMP: 'TIME',
  VARCHAR: 'TEXT',
  UUID: 'TEXT',
}

/** A value for NULLs, by type. */
const FILLERS: Readonly<Record<string, string>> = {
  VARCHAR: `'Q'`,
  UUID: `'77777777-7777-4777-8777-777777777777'`,
  DATE: `'2024-01-05'`,
  TIMESTAMP: `'2024-01-05 15:00:00'`,
  BOOLEAN: 'true',
}

/** The changes of one column, those that keep the order of its values first. */
export function perturbationsOf({ name, type, nullable }: Column): Perturbation[] {
  const value = identifier(name)
  const [base = ''] = type.split(/[([]/)
  const isList = type.endsWith('[]')
  const shifts = (SHIFTS[base] ?? []).map(shift => {
    if (!isList) return shift(value)
    const { name: how, sql } = shift('element')
    return { name: `elements ${how}`, sql: `list_transform(${value}, lambda element: ${sql})` }
  })
  const rearranged = (REARRANGED[isList ? 'LIST' : (KINDS[base] ?? '')] ?? []).map(change => change(value))
  const blanks = nullable
    ? [
        { name: 'blank', sql: 'NULL' },
        { name: 'filled', sql: `coalesce(${value}, ${isList ? '[]' : (FILLERS[base] ?? '7')})` },
      ]
    : []
  const typed = (keepsOrder: boolean) => (each: Omit<Perturbation, 'keepsOrder'>) => ({
    ...each,
    sql: `CAST(${each.sql} AS ${type})`,
    keepsOrder,
  })
  return [...shifts.map(typed(true)), ...[...rearranged, ...blanks].map(typed(false))]
}
