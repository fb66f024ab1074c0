import { resources } from '../../engine/resources.ts'
import { type Dataset, parseSchema } from './schema.ts'

export type { Column, Dataset, Unit } from './schema.ts'

const FOLDER = 'sql/schema'

let known: ReadonlyMap<string, Dataset> | undefined

/** Every dataset that has a schema file, by name; read once. Throws an Error that names file and line. */
export function datasets(): ReadonlyMap<string, Dataset> {
  known ??= new Map(
    resources
      .list(FOLDER)
      .filter(name => name.endsWith('.sql'))
      .map(name => parseSchema(`${FOLDER}/${name}`, resources.read(`${FOLDER}/${name}`)))
      .map(dataset => [dataset.name, dataset]),
  )
  return known
}

/** The dataset of that name. Throws an Error if there is none: names are from the program, never from a user. */
export function dataset(name: string): Dataset {
  const found = datasets().get(name)
  if (found === undefined) throw new Error(`unknown dataset "${name}": ${FOLDER} has no such schema`)
  return found
}
