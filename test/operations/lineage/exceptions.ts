import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Lineage } from './lineage.ts'

const reason = Type.String({ minLength: 10 })
const byColumn = Type.Record(Type.String({ pattern: String.raw`^\w+\.\w+$` }), reason)

const ExceptionsFile = Type.Object(
  {
    selects: Type.Optional(byColumn),
    joins: Type.Optional(
      Type.Record(Type.String(), Type.Object({ rowsOf: Type.Array(Type.String()), because: reason })),
    ),
    unproven: Type.Optional(Type.Record(Type.String(), reason)),
  },
  { additionalProperties: false },
)

/** What the table of fields cannot say of an operation, from `test/golden/<id>/lineage.json`. */
export type Exceptions = Type.Static<typeof ExceptionsFile>

/** The exceptions of an operation; none where it has no such file. Throws an Error that names a malformed file. */
export function exceptionsOf(id: string): Exceptions {
  const path = fileURLToPath(new URL(`../../golden/${id}/lineage.json`, import.meta.url))
  if (!existsSync(path)) return {}
  const file: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!Value.Check(ExceptionsFile, file))
    throw new Error(
      `test/golden/${id}/lineage.json: ${JSON.stringify(Value.Errors(ExceptionsFile, file)[0])}`,
    )
  return file
}

/** Columns that decide which rows an answer is made of. */
export const selectingColumns = ({ selects, joins }: Exceptions): string[] => [
  ...Object.keys(selects ?? {}),
  ...Object.keys(joins ?? {}),
]

/** Whether a column may move a field that does not list it, because it decides which rows the field is from. */
export function isSelected(
  { selects, joins }: Exceptions,
  { fields }: Lineage,
  path: string,
  reference: string,
): boolean {
  if (selects?.[reference] !== undefined) return true
  const joined = joins?.[reference]?.rowsOf ?? []
  return (fields.get(path) ?? []).some(column => joined.some(name => column.startsWith(`${name}.`)))
}
