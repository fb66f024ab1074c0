import { Value } from 'typebox/value'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Part } from '../../operations/fields/notation.ts'
import { RECORD_FIELDS } from '../../operations/fields/record-fields.ts'

/** What can be said of an answer without knowing what it should be. */
export interface Findings {
  readonly rows: number
  /** Why it cannot be right; empty where nothing is wrong. */
  readonly problems: readonly string[]
  /** Fields that are null in every row: what the lake does not know. */
  readonly blank: readonly string[]
}

/** Fields that may be null in all rows, by operation, each with the reason. */
export const MAY_BE_NULL: Readonly<Record<string, Readonly<Record<string, string>>>> = {}

/** Looks at a JSON answer: whether it fits its schema and has a row, and which fields have no value in any row. */
export function examine(operation: Operation, body: unknown): Findings {
  const parts = RECORD_FIELDS.find(({ id }) => id === operation.id)?.parts ?? []
  const rows = rowsOf(body, parts)
  if (rows === 0) return { rows, problems: ['the answer is empty'], blank: [] }
  const [unfit] = Value.Errors(operation.response, body)
  const reasons = MAY_BE_NULL[operation.id] ?? {}
  return {
    rows,
    problems: unfit ? [`does not fit its schema: ${JSON.stringify(unfit)}`] : [],
    blank: parts.flatMap(part => blankFields(body, part)).filter(name => !(name in reasons)),
  }
}

/** Records of a list, wherever the envelope keeps it; an answer that is one object is one row, or none if it is null. */
function rowsOf(body: unknown, parts: readonly Part[]): number {
  const list = ['data[]', 'data.data[]'].find(at => parts.some(part => part.at === at))
  if (list !== undefined) return objectsAt(body, list).length
  // The window of analytics tells that it found nothing by two parts that are null.
  return objectsAt(body, 'data').some(data => Object.values(data).some(value => value !== null)) ? 1 : 0
}

/** Fields that have no value in any of the objects that they stand in, by their path; none where there is no object. */
function blankFields(body: unknown, { at, fields }: Part): string[] {
  const objects = objectsAt(body, at)
  if (objects.length === 0) return []
  const within = at.replace(/^data(\.data)?(\[\])?\.?/, '')
  return fields
    .filter(({ name }) => objects.every(object => (object[name] ?? null) === null))
    .map(({ name }) => (within === '' ? name : `${within}.${name}`))
}

/** The objects at a path such as `data.bids[]`, over all rows; what is null on the way is left out. */
function objectsAt(body: unknown, at: string): Record<string, unknown>[] {
  let found: unknown[] = [body]
  for (const step of at === '' ? [] : at.split('.')) {
    const inner = found.map(value => (value as Record<string, unknown>)[step.replace('[]', '')])
    found = (step.endsWith('[]') ? inner.flat() : inner).filter(
      value => value !== null && value !== undefined,
    )
  }
  return found as Record<string, unknown>[]
}
