import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '../../engine/bind.ts'
import { completed } from '../../engine/computed-columns.ts'
import { Failure, firstLine } from '../../engine/failure.ts'
import type { Writer } from '../../engine/writer.ts'
import type { Base } from '../publish/base.ts'
import { sha256OfFile } from '../store/content.ts'
import { type Column, type Dataset, dataset as datasetOf } from '../store/datasets.ts'
import { syncFile } from '../store/durable.ts'
import type { ManifestFile } from '../store/manifest.ts'
import { CATCH_ALL, partitionOf } from '../store/partition.ts'
import { writeSorted } from '../store/sorted-files.ts'
import type { StagedFile } from '../store/written-file.ts'
import { type ColumnSource, converted, isCanonical, losses, matchColumns } from './columns.ts'
import type { ForeignFile } from './files.ts'
import { type Bounds, footerBounds, scannedBounds } from './footer.ts'

/** The files of one adopted file: itself, or the files that it was rewritten to. */
export interface Adopted {
  readonly dataset: string
  readonly partition: string
  readonly files: readonly ManifestFile[]
  readonly staged: readonly StagedFile[]
  /** sha256 of the original file. */
  readonly input: string
}

/**
 * Adopts one foreign file: in place if it has the dataset's column names and types, rewritten if its values convert to
 * them without loss, or if columns that are computed from the others are not in it. Null if it has no rows. Rejects with input_refused with file, column, expected and found.
 */
export async function adoptFile(
  writer: Writer,
  base: Base,
  { name, dataset: datasetName }: ForeignFile,
): Promise<Adopted | null> {
  const dataset = datasetOf(datasetName)
  const path = join(base.lake, name)
  const bindings = { file: files([path]) }
  try {
    const described = await writer.rows(`DESCRIBE FROM ${SOURCE}`, bindings)
    const found = described.map(row => ({ name: String(row.column_name), type: String(row.column_type) }))
    const isLacking = ({ name }: Column) =>
      dataset.computed?.names.includes(name) === true && !found.some(each => each.name.toLowerCase() === name)
    const computed = dataset.columns.some(isLacking) ? dataset.computed : null
    const columns = dataset.columns.filter(column => !isLacking(column))
    const sources = matchColumns({ ...dataset, columns }, name, found)
    const canonical = isCanonical(sources) && computed === null
    if (!canonical) await refuseLosses(writer, name, sources, path)
    const stored = `SELECT ${converted(sources)} FROM ${SOURCE}`
    const rows = computed === null ? stored : completed(computed, `(${stored})`)
    const bounds =
      (canonical ? await footerBounds(writer, dataset, path) : null) ??
      (await scannedBounds(writer, dataset, rows, bindings))
    if (bounds.rows === 0) return null
    refuseUnplaceable(name, bounds)

    const partition = partitionAround(dataset, bounds.dates)
    const input = await sha256OfFile(path)
    if (!canonical) {
      const { staged } = await writeSorted(writer, base.staging, dataset, partition, rows, bindings)
      return { dataset: dataset.name, partition, files: staged.map(({ file }) => file), staged, input }
    }
    // The tool that wrote the file may not have synced it.
    await syncFile(path)
    const { dates, ranges } = bounds
    const { size } = await stat(path)
    const file = { name, rows: bounds.rows, bytes: size, sha256: input, dates, ranges }
    return { dataset: dataset.name, partition, files: [file], staged: [], input }
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    throw new Failure('input_refused', `${name} cannot be read as Parquet: ${firstLine(thrown)}`, {
      cause: thrown,
    })
  }
}

const SOURCE = 'read_parquet($file, hive_partitioning = false)'

/** Rejects with input_refused if the dataset's types cannot hold all values. */
async function refuseLosses(
  writer: Writer,
  name: string,
  sources: readonly ColumnSource[],
  path: string,
): Promise<void> {
  const counts = losses(sources)
  if (counts.length === 0) return
  const [lost = {}] = await writer.rows(`SELECT ${counts.join(', ')} FROM ${SOURCE}`, { file: files([path]) })
  const wrong = sources.find(({ column }) => (lost[column.name] ?? '0') !== '0')
  if (wrong !== undefined)
    throw new Failure(
      'input_refused',
      `${name}: column ${wrong.column.name}: expected ${wrong.column.type}, found ${wrong.type} with ${lost[wrong.column.name]} values that do not convert without loss`,
    )
}

/** Throws input_refused for rows without a required value, or with a date that the name of a partition cannot hold. */
function refuseUnplaceable(name: string, { blank, dates }: Bounds): void {
  if (blank !== null)
    throw new Failure('input_refused', `${name}: column ${blank}: expected a value in every row, found NULL`)
  const strange = dates.find(date => !/^\d{4}-\d{2}-\d{2}$/.test(date))
  if (strange !== undefined)
    throw new Failure('input_refused', `${name}: expected dates with four-digit years, found ${strange}`)
}

/** The partition of the finest unit that covers all dates, otherwise the catch-all. */
function partitionAround(
  { partition: { units } }: Dataset,
  [first, last]: readonly [string, string],
): string {
  const unit = units.find(each => partitionOf(each, first) === partitionOf(each, last))
  return unit === undefined ? CATCH_ALL : partitionOf(unit, first)
}
