import { Value } from 'typebox/value'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Part } from '../../operations/fields/notation.ts'

/** What is known of an answer without knowing what it should be. */
export interface Findings {
  readonly rows: number
  /** Why it cannot be correct; empty where nothing is wrong. */
  readonly problems: readonly string[]
  /** Fields that are null in every row, because the lake lacks their data. */
  readonly blank: readonly string[]
}

/** Examines a JSON answer: whether it fits its schema and has a row, and which fields have no value in any row. */
export function examine(operation: Operation, body: unknown): Findings {
  const { parts } = operation.fields
  const rows = rowsOf(body, parts)
  if (rows === 0) return { rows, problems: ['the answer is empty'], blank: [] }
  const [unfit] = Value.Errors(operation.response, body)
  return {
    rows,
    problems: unfit ? [`does not fit its schema: ${JSON.stringify(unfit)}`] : [],
    blank: parts.flatMap(part => blankFields(body, part)),
  }
}

/** Records of a list, wherever it is in the envelope; an answer of one object is one row, or none if it is null. */
function rowsOf(body: unknown, parts: readonly Part[]): number {
  const list = ['data[]', 'data.data[]'].find(at => parts.some(part => part.at === at))
  if (list !== undefined) return objectsAt(body, list).length
  // An analytics window without data has two parts that are null.
  return objectsAt(body, 'data').some(data => Object.values(data).some(value => value !== null)) ? 1 : 0
}

/** The paths of fields that have no value in any object of their part; none if there is no object. */
function blankFields(body: unknown, { at, fields }: Part): string[] {
  const objects = objectsAt(body, at)
  if (objects.length === 0) return []
  const within = at.replace(/^data(\.data)?(\[\])?\.?/, '')
  return fields
    .filter(({ name }) => objects.every(object => (object[name] ?? null) === null))
    .map(({ name }) => (within === '' ? name : `${within}.${name}`))
}

/** The objects at a path such as `data.bids[]`, over all rows, without those under a null. */
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
