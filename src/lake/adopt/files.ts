import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import { isOwnFile } from '../store/content.ts'
import { datasets } from '../store/datasets.ts'
import { isInside } from '../store/layout.ts'

/** A Parquet file that another tool wrote. */
export interface ForeignFile {
  /** Relative to the folder. */
  readonly name: string
  readonly dataset: string
}

export interface ForeignFiles {
  readonly files: readonly ForeignFile[]
  /** Parquet files outside the folders of known datasets, and those that tapehouse wrote. */
  readonly ignored: readonly string[]
}

/**
 * The Parquet files below `folder`: `<dataset>/…/*.parquet`, or wherever they stand if all are of one dataset. Names
 * that begin with a dot or an underscore are bookkeeping of other tools (`_SUCCESS`, `_temporary`) and passed over.
 */
export async function findForeign(folder: string, only: string | undefined): Promise<ForeignFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(thrown => {
    const code = (thrown as NodeJS.ErrnoException).code
    throw new Failure('input_refused', `${folder} cannot be read as a folder (${code})`, { cause: thrown })
  })
  const datasetOf = (name: string) => only ?? name.split('/', 1)[0] ?? ''
  const visible = entries
    .map(entry => ({ entry, name: join(entry.parentPath, entry.name).slice(folder.length + 1) }))
    .filter(({ name }) => !/(^|\/)[._]/.test(name))
  for (const { entry, name } of visible) {
    if (!datasets().has(datasetOf(name))) continue
    if (entry.isSymbolicLink())
      throw new Failure(
        'input_refused',
        `${name} is a symbolic link: only what is inside the folder can be adopted`,
      )
    if (entry.isFile() && name.endsWith('.parquet') && !isInside(name))
      throw new Failure('input_refused', `${name}: rename it, a name must not contain any of * ? [`)
  }
  const files = visible
    .filter(({ entry, name }) => entry.isFile() && name.endsWith('.parquet'))
    .map(({ name }) => ({ name, dataset: datasetOf(name) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const adoptable: ForeignFile[] = []
  const ignored: string[] = []
  for (const file of files) {
    // Of tapehouse's own files only a snapshot tells which hold current rows; here they are what an adoption that
    // died has left behind.
    const fits = datasets().has(file.dataset) && !(await isOwnFile(join(folder, file.name)))
    if (fits) adoptable.push(file)
    else ignored.push(file.name)
  }
  return { files: adoptable, ignored }
}
