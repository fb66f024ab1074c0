import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { files } from '../engine/bind.ts'
import { firstLine } from '../engine/failure.ts'
import type { Observe } from '../engine/observation.ts'
import type { Writer } from '../engine/writer.ts'
import { sha256OfFile } from './content.ts'
import { currentNumber } from './current.ts'
import { type Dataset, datasets } from './datasets.ts'
import { lakeFolder } from './layout.ts'
import { type ManifestFile, readServable } from './manifest.ts'
import { compareKeys } from './prune.ts'
import { entriesOf, requireRecord } from './record.ts'
import { boundsOf, readBounds } from './sorted-files.ts'

/** One thing that is wrong with one file of the lake. */
export interface Problem {
  /** Relative to the lake. */
  readonly file: string
  readonly problem: string
}

export interface Verification {
  readonly snapshot: number
  /** Parquet files that were read. */
  readonly files: number
  readonly problems: readonly Problem[]
}

/**
 * Reads every file of the current snapshot again and compares it with what its manifest says: bytes, sha256, columns,
 * rows, dates and key ranges. Returns all that is wrong. Rejects with lake_missing, lake_damaged or lake_newer where
 * the snapshot itself cannot be read.
 */
export async function verify(writer: Writer, lake: string, observe: Observe): Promise<Verification> {
  const folder = lakeFolder(lake)
  const record = await requireRecord(folder, await currentNumber(folder))
  const problems: Problem[] = []
  const listed: { dataset: string; file: ManifestFile }[] = []
  for (const entry of entriesOf(record)) {
    try {
      const manifest = await readServable(folder, entry)
      listed.push(...manifest.files.map(file => ({ dataset: entry.dataset, file })))
    } catch (thrown) {
      problems.push({ file: entry.manifest, problem: firstLine(thrown) })
    }
  }
  for (const [done, { dataset, file }] of listed.entries()) {
    observe({ kind: 'progress', task: 'verify', done, total: listed.length, unit: 'files' })
    const found = await bytesProblem(join(folder, file.name), file)
    const known = datasets().get(dataset)
    const all = found !== null ? [found] : known ? await contentProblems(writer, folder, known, file) : []
    problems.push(...all.map(problem => ({ file: file.name, problem })))
  }
  observe({ kind: 'progress', task: 'verify', done: listed.length, total: listed.length, unit: 'files' })
  return { snapshot: record.number, files: listed.length, problems }
}

async function bytesProblem(path: string, { bytes, sha256 }: ManifestFile): Promise<string | null> {
  try {
    const { size } = await stat(path)
    if (size !== bytes) return `it has ${size} bytes and should have ${bytes}`
    const found = await sha256OfFile(path)
    return found === sha256 ? null : `its sha256 is ${found} and should be ${sha256}`
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ENOENT'
      ? 'it does not exist'
      : `it cannot be read: ${firstLine(thrown)}`
  }
}

/** What is wrong with a file whose bytes are right: then its manifest was wrong from the start. */
async function contentProblems(
  writer: Writer,
  lake: string,
  dataset: Dataset,
  file: ManifestFile,
): Promise<string[]> {
  const bindings = { file: files([join(lake, file.name)]) }
  try {
    const source = 'read_parquet($file, hive_partitioning = false)'
    const described = await writer.rows(`DESCRIBE FROM ${source}`, bindings)
    const columns = described.map(row => `${row.column_name} ${row.column_type}`).toSorted()
    const wanted = dataset.columns.map(({ name, type }) => `${name} ${type}`).toSorted()
    if (columns.join() !== wanted.join())
      return [`its columns are ${columns.join(', ')} and should be ${wanted.join(', ')}`]
    const [row = {}] = await writer.rows(
      `SELECT count(*) AS row_count, ${boundsOf(dataset)} FROM ${source}`,
      bindings,
    )
    const { dates, ranges } = readBounds(dataset, row)
    const outside = Object.entries(file.ranges).filter(([column, [least, greatest]]) => {
      const [from, to] = ranges[column] ?? ['', '']
      return compareKeys(from, least) < 0 || compareKeys(to, greatest) > 0
    })
    return [
      ...(Number(row.row_count) === file.rows
        ? []
        : [`it has ${row.row_count} rows and should have ${file.rows}`]),
      ...(dates.join() === file.dates.join()
        ? []
        : [`its dates are ${dates.join(' to ')} and should be ${file.dates.join(' to ')}`]),
      ...outside.map(
        ([column, range]) =>
          `its ${column} is ${ranges[column]?.join(' to ')} and should be within ${range.join(' to ')}`,
      ),
    ]
  } catch (thrown) {
    return [`it cannot be read as Parquet: ${firstLine(thrown)}`]
  }
}
