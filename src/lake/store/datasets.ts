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

/** The dataset of that name, which must exist: names come from the program, not from a person. */
export function dataset(name: string): Dataset {
  const found = datasets().get(name)
  if (found === undefined) throw new Error(`there is no dataset "${name}" in ${FOLDER}`)
  return found
}
