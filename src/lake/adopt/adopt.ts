import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Derived, derive } from '../derive/derive.ts'
import { type Draft, withDraft } from '../land/draft.ts'
import type { Change } from '../publish/publish.ts'
import { readCurrent } from '../store/current.ts'
import { dataset, datasets } from '../store/datasets.ts'
import { FORMAT } from '../store/format.ts'
import { lakeFolder } from '../store/layout.ts'
import { columnsNow } from '../store/stored-columns.ts'
import { type Adopted, adoptFile } from './file.ts'
import { findForeign } from './files.ts'

export interface AdoptOptions {
  /** The dataset of all Parquet files. Default: the first folder of each file's path is the name of its dataset. */
  readonly dataset?: string
}

export interface Adoption {
  readonly snapshot: number
  /** Files that the lake now serves in place, relative to the folder. */
  readonly adopted: readonly string[]
  /** Files whose content was rewritten to new files. The originals are moved to `superseded`, and not served. */
  readonly rewritten: readonly string[]
  /** Files without rows, of an unknown dataset, or written by tapehouse. */
  readonly ignored: readonly string[]
  readonly rows: number
  /** Computed days of derived datasets. */
  readonly derived: readonly Derived[]
}

/**
 * Turns a folder of Parquet files that other tools wrote into a lake, in place: checks their columns, reads their dates
 * and key ranges, computes the derived datasets, and writes the first snapshot. A file is rewritten if its types differ
 * but convert without loss, or if a column is only in the name of a folder; the original is then moved to the folder
 * `superseded`. No other file is moved. Files are not checked for duplicate keys: both rows are served until one is
 * imported again.
 *
 * Rejects with input_refused (already a lake, no file of a dataset, wrong columns, values that do not convert), usage
 * (unknown dataset), lake_conflict or lake_write; nothing is published then.
 */
export async function adopt(
  writer: Writer,
  folder: string,
  options: AdoptOptions,
  observe: Observe,
): Promise<Adoption> {
  const lake = lakeFolder(folder)
  if (options.dataset !== undefined && !datasets().has(options.dataset))
    throw new Failure('usage', `unknown dataset "${options.dataset}": use one of ${knownNames()}`)
  if ((await readCurrent(lake)) !== null) throw lakeAlready(lake)
  const found = await findForeign(lake, options.dataset)
  if (found.files.length === 0)
    throw new Failure(
      'input_refused',
      `${lake} has no Parquet files <dataset>/…/*.parquet with a dataset of ${knownNames()}: rename its folders, or name the dataset of all files`,
    )

  return withDraft(writer, lake, observe, async draft => {
    if (draft.base.number > 0) throw lakeAlready(lake)
    const taken: Adopted[] = []
    const outcome = { adopted: [] as string[], rewritten: [] as string[], ignored: [...found.ignored] }
    for (const [done, foreign] of found.files.entries()) {
      observe({ kind: 'progress', task: 'adopt', done, total: found.files.length, unit: 'files' })
      const file = await adoptFile(writer, draft.base, foreign)
      const list =
        file === null ? outcome.ignored : file.staged.length > 0 ? outcome.rewritten : outcome.adopted
      list.push(foreign.name)
      if (file !== null) taken.push(file)
    }
    if (taken.length === 0) throw new Failure('input_refused', `${lake}: its Parquet files have no rows`)
    const total = found.files.length
    observe({ kind: 'progress', task: 'adopt', done: total, total, unit: 'files' })
    const rows = taken.flatMap(({ files }) => files).reduce((sum, file) => sum + file.rows, 0)
    for (const change of changesOf(taken)) await draft.put(dataset(change.manifest.dataset), change)
    const derived = await derive(draft)
    // Other programs that read the folder of a dataset would count these rows as well. Derived days take the place of
    // adopted ones, and are merged with the others of their partition.
    const names = await namedIn(draft, taken)
    const merged = outcome.adopted.filter(name => !names.has(name))
    const ignored = found.ignored.filter(name => datasets().has(folderOf(name)))
    draft.retire([...outcome.rewritten, ...merged, ...ignored])
    return { snapshot: await draft.publish({ made_by: 'adopt', generated: null }), ...outcome, rows, derived }
  })
}

/** The files that a draft has of the datasets of adopted files. */
async function namedIn(draft: Draft, taken: readonly Adopted[]): Promise<ReadonlySet<string>> {
  const names = [...new Set(taken.map(each => each.dataset))]
  const manifests = await Promise.all(names.map(name => draft.manifests(dataset(name))))
  return new Set(manifests.flat().flatMap(({ files }) => files.map(({ name }) => name)))
}

const folderOf = (name: string) => name.split('/', 1)[0] ?? ''

const knownNames = () => [...datasets().keys()].join(', ')

const lakeAlready = (lake: string) =>
  new Failure('input_refused', `${lake} is already a lake: add to it with "tapehouse import"`)

/** The partitions of the adopted files. */
function changesOf(taken: readonly Adopted[]): Change[] {
  const places = new Map(taken.map(each => [`${each.dataset}/${each.partition}`, each]))
  return [...places.values()].map(({ dataset: name, partition }) => {
    const own = taken.filter(each => each.dataset === name && each.partition === partition)
    return {
      manifest: {
        format: FORMAT,
        dataset: name,
        partition,
        columns: columnsNow(dataset(name)),
        inputs: [...new Set(own.map(({ input }) => input))].toSorted(),
        files: own.flatMap(({ files }) => files),
      },
      staged: own.flatMap(({ staged }) => staged),
      absorbs: [],
    }
  })
}
