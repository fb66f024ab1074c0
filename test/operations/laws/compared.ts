import { Decimal } from 'decimal.js'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Field } from '../../../src/operations/fields/notation.ts'
import { Exact } from './exact.ts'
import { formulaOf } from './formulas.ts'
import type { Row } from './lakes.ts'
import { stemOf } from './parameter-kinds.ts'

/** A value in the order of its kind: numbers by value, times to the microsecond, texts by their bytes. */
export type Value = Decimal | Buffer | readonly number[]

/** The value of a record that a filter or a sort compares; null if it is null. */
export type Compared = (row: Row) => Value | null

/** The fields of the records of an operation. */
export const recordFields = ({ fields }: Operation): readonly Field[] =>
  fields.parts.find(({ at }) => /^data(\.data)?(\[\])?$/.test(at))?.fields ?? []

/**
 * The field of the record that a parameter compares: the one of its column, where the operation says that it compares
 * a column, else the one of its name. Null if there is none.
 */
export function fieldOf(operation: Operation, name: string): Field | null {
  const stem = stemOf(name)
  const documented = operation.fields.parameters.find(
    each => each.name === name || each.name === stem || each.name === `min_${stem}`,
  )
  const fields = recordFields(operation)
  if (documented === undefined) return fields.find(field => field.name === stem) ?? null
  const [column, ...others] = documented.from
  if (others.length > 0 || !SAME.has(documented.rule)) return null
  return fields.find(({ from }) => from[0] === column && from.length === 1) ?? null
}

/** Rules of parameters that compare the column as it is. */
const SAME: ReadonlySet<string | null> = new Set([null, 'one of the values'])

/** What a bound compares, by the fields of the record; null where they do not show it. */
export function comparedBy(operation: Operation, stem: string, derived: boolean): Compared | null {
  const formula = formulaOf(operation.id, stem)
  if (formula !== undefined) return formula.derived && !derived ? null : row => orderable(formula.of(row))
  const field = fieldOf(operation, stem)
  return field && (row => shownValue(row[field.name], field.type))
}

/** What a sort compares: the field of its name, where the parameter of that name is a filter of its own. */
export function sortedBy(operation: Operation, order: string, derived: boolean): Compared | null {
  const field = recordFields(operation).find(({ name }) => name === order)
  return field !== undefined && order in operation.parameters
    ? row => shownValue(row[field.name], field.type)
    : comparedBy(operation, order, derived)
}

const NUMBERS: readonly string[] = ['integer', 'number', 'string(dec)']

function shownValue(shown: unknown, type: Field['type']): Value | null {
  if (shown === null || shown === undefined) return null
  if (NUMBERS.includes(type)) return new Exact(String(shown))
  if (Array.isArray(shown)) return shown.map(Number)
  return Buffer.from(type.startsWith('ts') ? microsecondText(String(shown)) : String(shown))
}

const orderable = (value: Decimal | string | null): Value | null =>
  typeof value === 'string' ? Buffer.from(value) : value

/** A time with 6 digits of a second, so that texts are in the order of the times. */
export const microsecondText = (shown: string): string => {
  const [second = '', digits = ''] = shown.replace('Z', '').split('.')
  return `${second}.${digits.padEnd(6, '0')}Z`
}

export function compare(one: Value, other: Value): number {
  if (Buffer.isBuffer(one) && Buffer.isBuffer(other)) return Buffer.compare(one, other)
  if (Decimal.isDecimal(one) && Decimal.isDecimal(other)) return one.comparedTo(other)
  if (Array.isArray(one) && Array.isArray(other)) return compareLists(one, other)
  throw new Error(`${String(one)} and ${String(other)} are not of one kind`)
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  if (at === -1) return one.length - other.length
  const [left, right] = [one[at] ?? 0, other[at]]
  return right === undefined ? 1 : left - right
}
