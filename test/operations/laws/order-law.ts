import type { Base } from './bases.ts'
import { type Compared, compare, sortedBy } from './compared.ts'
import type { Row } from './lakes.ts'
import { asked, broken, type Law, outcomeOf, same } from './law.ts'
import { valuesOf } from './parameter-kinds.ts'
import type { Whole } from './whole.ts'

/** The fields by which records with equal values are sorted, `-` for descending: the natural key of the record. */
const NATURAL_KEYS: Readonly<Record<string, string>> = {
  'screener-option-contracts': 'option_symbol',
  'institution-holdings': '-date ticker security_type put_call',
  institutions: 'cik',
}

export const orderLaw: Law = {
  name: 'order',
  what: 'ascending is descending reversed but for ties and nulls, by the values shown; ties are in the order of the natural key',
  subjects: operation => ('order' in operation.parameters ? valuesOf(operation, 'order') : []),
  check: async (base, order) => {
    const changes = { order: [order] }
    const [up, down] = [
      await asked(base, { ...changes, order_direction: 'asc' }),
      await asked(base, { ...changes, order_direction: 'desc' }),
    ]
    for (const sorted of [up, down])
      if (!same(sorted.texts.toSorted(), base.whole.texts.toSorted()))
        throw broken('a sort keeps all records', base, changes, sorted.texts, base.whole.texts)
    const value = sortedBy(base.operation, order, base.lake.derived)
    if (value === null) {
      if (!isReversed(up, down, base))
        throw broken('asc is desc reversed', base, changes, up.texts, down.texts)
      return outcomeOf(1, up.texts.length)
    }
    for (const [answer, descending] of [
      [up, false],
      [down, true],
    ] as const) {
      const wanted = sorted(answer.rows, value, descending, keyOf(base))
      if (!same(answer.texts, wanted))
        throw broken(
          `sorted ${descending ? 'down' : 'up'} by the value shown`,
          base,
          changes,
          answer.texts,
          wanted,
        )
    }
    const values = new Set(up.rows.map(row => String(value(row))))
    return outcomeOf(1, values.size)
  },
}

type Comparison = (one: Row, other: Row) => number

const nullsLast =
  (value: Compared, direction: number): Comparison =>
  (one, other) => {
    const left = value(one)
    const right = value(other)
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return compare(left, right) * direction
  }

/** The order of records with equal values. */
function keyOf({ operation }: Base): Comparison {
  const key = NATURAL_KEYS[operation.id]
  if (key === undefined)
    throw new Error(`${operation.id}: name its natural key in test/operations/laws/order-law.ts`)
  const fields = key.split(' ').map(name => {
    const field = name.replace('-', '')
    const text = (row: Row) => (row[field] === null ? null : Buffer.from(String(row[field])))
    return nullsLast(text, name.startsWith('-') ? -1 : 1)
  })
  return (one, other) => fields.map(field => field(one, other)).find(sign => sign !== 0) ?? 0
}

function sorted(rows: readonly Row[], value: Compared, descending: boolean, key: Comparison): string[] {
  const byValue = nullsLast(value, descending ? -1 : 1)
  return rows.toSorted((one, other) => byValue(one, other) || key(one, other)).map(row => JSON.stringify(row))
}

/**
 * Whether groups of ties explain the difference between two orders: the groups in one order are those of the other in
 * reverse, each in the order of the natural key, but for a group of nulls at the end of both.
 */
function isReversed(up: Whole, down: Whole, base: Base): boolean {
  const key = keyOf(base)
  const inKeyOrder = (rows: readonly Row[]) =>
    rows.every((row, at) => at === 0 || key(rows[at - 1] as Row, row) < 0)
  for (let nulls = 0; nulls <= up.texts.length; nulls += 1) {
    const end = up.texts.length - nulls
    if (!same(up.texts.slice(end), down.texts.slice(end))) return false
    let [from, until] = [0, end]
    while (from < end) {
      const start = down.texts.indexOf(up.texts[from] ?? '')
      const size = until - start
      const isGroup =
        size > 0 &&
        same(up.texts.slice(from, from + size), down.texts.slice(start, until)) &&
        inKeyOrder(up.rows.slice(from, from + size))
      if (!isGroup) break
      from += size
      until = start
    }
    if (from >= end) return true
  }
  return false
}
