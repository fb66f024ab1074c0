import type { ComputedColumns } from '../../engine/computed-columns.ts'
import { type Dataset, parseSchema } from './schema.ts'
import { sqlFiles } from './sql-files.ts'
import { sqlHeader } from './sql-header.ts'

export type { Column, Dataset, Unit } from './schema.ts'

const FOLDER = 'sql/schema'

const computed = sqlFiles('sql/columns', parseComputed)
const files = sqlFiles(FOLDER, (file, sql, name) => parseSchema(file, sql, computed.find(name) ?? null))
let known: ReadonlyMap<string, Dataset> | undefined

/** Every dataset that has a schema file, by name; read once. Throws an Error that names file and line. */
export function datasets(): ReadonlyMap<string, Dataset> {
  known ??= new Map([...files.names()].map(name => [name, dataset(name)]))
  return known
}

/** The dataset of that name. Throws an Error if there is none: names are from the program, never from a user. */
export function dataset(name: string): Dataset {
  const found = findDataset(name)
  if (found === undefined) throw new Error(`unknown dataset "${name}": ${FOLDER} has no such schema`)
  return found
}

/** The dataset of that name; undefined if there is none. */
export const findDataset = (name: string): Dataset | undefined => files.find(name)

/** Parses lines `-- computes: column, column`, then one SELECT of the relation `rows`. */
function parseComputed(file: string, sql: string): ComputedColumns {
  const { values, wrong } = sqlHeader(file, sql)
  const names = values('computes').flatMap(line => line.split(', '))
  if (names.length === 0) throw wrong('expected a line "-- computes: …" with the names of columns')
  return { names, sql: sql.replace(/^--.*\n/gm, '') }
}
