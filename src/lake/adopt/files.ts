import { join } from 'node:path'
import { Failure, systemCode } from '../../engine/failure.ts'
import { isOwnFile } from '../store/content.ts'
import { datasets } from '../store/datasets.ts'
import { entriesBelow } from '../store/entries-below.ts'
import { isInside, MANIFESTS, MARKER, SUPERSEDED } from '../store/layout.ts'

/** A Parquet file that another tool wrote. */
export interface ForeignFile {
  /** Relative to the folder. */
  readonly name: string
  readonly dataset: string
}

export interface ForeignFiles {
  readonly files: readonly ForeignFile[]
  /** Parquet files outside the folders of datasets, and those that tapehouse wrote. */
  readonly ignored: readonly string[]
}

const OWN_FOLDER = new RegExp(`^(${MANIFESTS}|${SUPERSEDED})(/|$)`)

/**
 * The Parquet files below `folder`: `<dataset>/…/*.parquet`, or with `only`, any path. Skips names that start with a
 * dot or an underscore, which other tools use for bookkeeping (`_SUCCESS`, `_temporary`).
 */
export async function findForeign(folder: string, only: string | undefined): Promise<ForeignFiles> {
  const entries = await entriesBelow(folder).catch(thrown => {
    const message = `${folder} cannot be read as a folder (${systemCode(thrown)})`
    throw new Failure('input_refused', message, { cause: thrown })
  })
  const datasetOf = (name: string) => only ?? name.split('/', 1)[0] ?? ''
  const visible = entries
    .map(entry => ({ entry, name: join(entry.parentPath, entry.name).slice(folder.length + 1) }))
    // What an adoption that died has left.
    .filter(({ entry, name }) => !MARKER.test(entry.name) && !OWN_FOLDER.test(name))
    .filter(({ name }) => !/(^|\/)[._]/.test(name))
  for (const { entry, name } of visible) {
    if (!datasets().has(datasetOf(name))) continue
    if (entry.isSymbolicLink())
      throw new Failure(
        'input_refused',
        `${name} is a symbolic link: only files inside the folder can be adopted, so copy it`,
      )
    if (entry.isFile() && name.endsWith('.parquet') && !isInside(name))
      throw new Failure('input_refused', `${name} contains one of * ? [, which names must not: rename it`)
  }
  const files = visible
    .filter(({ entry, name }) => entry.isFile() && name.endsWith('.parquet'))
    .map(({ name }) => ({ name, dataset: datasetOf(name) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const adoptable: ForeignFile[] = []
  const ignored: string[] = []
  for (const file of files) {
    // Only a snapshot says which of tapehouse's own files are current: here they were copied from a lake.
    const fits = datasets().has(file.dataset) && !(await isOwnFile(join(folder, file.name)))
    if (fits) adoptable.push(file)
    else ignored.push(file.name)
  }
  return { files: adoptable, ignored }
}
