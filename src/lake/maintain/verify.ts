import { stat } from 'node:fs/promises'
import { files } from '../../engine/bind.ts'
import { firstLine, systemCode } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { staleDays } from '../derive/derive.ts'
import { LEADS_OUT, leadsOut } from '../proof/outside.ts'
import { manifestsOf } from '../publish/base.ts'
import { sha256OfFile } from '../store/content.ts'
import { currentNumber } from '../store/current.ts'
import { type Dataset, datasets } from '../store/datasets.ts'
import { FORMAT } from '../store/format.ts'
import type { Holdings } from '../store/held-days.ts'
import { lakeFolder, pathOf } from '../store/layout.ts'
import {
  type Digest,
  type Digests,
  type Manifest,
  type ManifestFile,
  readServable,
} from '../store/manifest.ts'
import { compareKeys } from '../store/prune.ts'
import { entriesOf, requireRecord, type SnapshotRecord } from '../store/record.ts'
import { boundsOf, digestsOf, readBounds, sumOf } from '../store/sorted-files.ts'
import { asStored } from '../store/stored-columns.ts'
import { strayFiles } from './strays.ts'

/** A defect of one file of the lake. */
export interface Problem {
  /** Relative to the lake. */
  readonly file: string
  readonly problem: string
}

/** The content of one dataset, read from its files. */
export interface VerifiedDataset {
  readonly dataset: string
  readonly rows: number
  /** Equal for equal rows, independent of their order, files and partitions: see `checksumOf`. */
  readonly checksum: string
}

export interface Verification {
  readonly snapshot: number
  /** The number of Parquet files. */
  readonly files: number
  /** By name, without files that have a problem. */
  readonly datasets: readonly VerifiedDataset[]
  readonly problems: readonly Problem[]
  /** Stale days by derived dataset: their inputs or templates have changed since they were computed. */
  readonly stale: ReadonlyMap<string, readonly string[]>
}

/**
 * Reads every file of the current snapshot and compares it with its manifest: bytes, sha256, columns, rows, dates, key
 * ranges and the checksum of each day. Also lists stale derived days. Returns all problems. Rejects with lake_missing,
 * lake_damaged or lake_newer if the snapshot itself cannot be read.
 */
export async function verify(writer: Writer, lake: string, observe: Observe): Promise<Verification> {
  const folder = lakeFolder(lake)
  const record = await requireRecord(folder, await currentNumber(folder))
  const problems: Problem[] = []
  const listed: { name: string; manifest: Manifest }[] = []
  for (const entry of entriesOf(record)) {
    try {
      listed.push({ name: entry.manifest, manifest: await readServable(folder, entry) })
    } catch (thrown) {
      problems.push({ file: entry.manifest, problem: firstLine(thrown) })
    }
  }
  const total = listed.reduce((sum, { manifest }) => sum + manifest.files.length, 0)
  const report = (done: number) => observe({ kind: 'progress', task: 'verify', done, total, unit: 'files' })
  const sums = new Map<string, Digest>()
  let done = 0
  for (const { name, manifest } of listed) {
    const found = new Map<string, Digest>()
    const before = problems.length
    for (const file of manifest.files) {
      report(done++)
      const path = pathOf(folder, file.name)
      const wrong = await bytesProblem(folder, path, file)
      const known = datasets().get(manifest.dataset)
      const read =
        wrong === null && known
          ? await readContent(writer, path, asStored(known, manifest.columns), file)
          : NOTHING
      problems.push(
        ...[...(wrong ? [wrong] : []), ...read.problems].map(problem => ({ file: file.name, problem })),
      )
      for (const [day, digest] of Object.entries(read.days)) {
        found.set(day, sumOf(found.get(day), digest))
        sums.set(manifest.dataset, sumOf(sums.get(manifest.dataset), digest))
      }
    }
    const day = problems.length > before ? undefined : differingDay(manifest, found)
    if (day !== undefined)
      problems.push({ file: name, problem: `its checksum of ${day} does not match the rows` })
  }
  report(total)
  // In format 1, files of earlier snapshots are in the same folders. Without all manifests, files are not known.
  if (record.format === FORMAT && listed.length === entriesOf(record).length) {
    const named = new Set(listed.flatMap(({ manifest }) => manifest.files.map(({ name }) => name)))
    for (const file of await strayFiles(folder, Object.keys(record.datasets), named))
      problems.push({
        file,
        problem:
          'the snapshot does not name it, and other programs would count its rows: move it out of the folder',
      })
  }
  return {
    snapshot: record.number,
    files: total,
    datasets: [...sums].toSorted().map(([dataset, [rows, checksum]]) => ({ dataset, rows, checksum })),
    problems,
    stale: problems.length > 0 ? new Map() : await staleDays(holdingsOf(writer, folder, record)),
  }
}

/** The first day whose digest in the manifest differs from that of its files. */
function differingDay({ days }: Manifest, found: ReadonlyMap<string, Digest>): string | undefined {
  if (days === undefined) return undefined
  return [...new Set([...Object.keys(days), ...found.keys()])].find(
    day => days[day]?.join() !== found.get(day)?.join(),
  )
}

/** The snapshot as a source of partitions for `staleDays`. */
const holdingsOf = (writer: Writer, lake: string, record: SnapshotRecord): Holdings => ({
  writer,
  manifests: dataset => manifestsOf(lake, record, dataset),
  path: ({ name }) => pathOf(lake, name),
})

async function bytesProblem(
  folder: string,
  path: string,
  { bytes, sha256 }: ManifestFile,
): Promise<string | null> {
  try {
    if (leadsOut(folder, path)) return LEADS_OUT
    const { size } = await stat(path)
    if (size !== bytes) return `it has ${size} bytes and should have ${bytes}`
    const found = await sha256OfFile(path)
    return found === sha256 ? null : `its sha256 is ${found} and should be ${sha256}`
  } catch (thrown) {
    return systemCode(thrown) === 'ENOENT' ? 'it does not exist' : `it cannot be read: ${firstLine(thrown)}`
  }
}

interface Content {
  readonly problems: readonly string[]
  readonly days: Digests
}

const NOTHING: Content = { problems: [], days: {} }
const only = (problem: string): Content => ({ problems: [problem], days: {} })

/**
 * Compares the content of a file with its manifest entry. Its hash is right, so any difference was there from the
 * start.
 */
async function readContent(
  writer: Writer,
  path: string,
  dataset: Dataset,
  file: ManifestFile,
): Promise<Content> {
  const bindings = { file: files([path]) }
  try {
    const source = 'read_parquet($file, hive_partitioning = false)'
    const described = await writer.rows(`DESCRIBE FROM ${source}`, bindings)
    const columns = described.map(row => `${row.column_name} ${row.column_type}`).toSorted()
    const wanted = dataset.columns.map(({ name, type }) => `${name} ${type}`).toSorted()
    if (columns.join() !== wanted.join())
      return only(`its columns are ${columns.join(', ')} and should be ${wanted.join(', ')}`)
    const days = await digestsOf(writer, dataset, source, bindings)
    const rows = Object.values(days).reduce((sum, [count]) => sum + count, 0)
    const [row = {}] = await writer.rows(`SELECT ${boundsOf(dataset)} FROM ${source}`, bindings)
    const { dates, ranges } = readBounds(dataset, row)
    const outside = Object.entries(file.ranges).filter(([column, [least, greatest]]) => {
      const [from, to] = ranges[column] ?? ['', '']
      return compareKeys(from, least) < 0 || compareKeys(to, greatest) > 0
    })
    const problems = [
      ...(rows === file.rows ? [] : [`it has ${rows} rows and should have ${file.rows}`]),
      ...(dates.join() === file.dates.join()
        ? []
        : [`its dates are ${dates.join(' to ')} and should be ${file.dates.join(' to ')}`]),
      ...outside.map(
        ([column, range]) =>
          `its ${column} is ${ranges[column]?.join(' to ')} and should be within ${range.join(' to ')}`,
      ),
    ]
    return problems.length > 0 ? { problems, days: {} } : { problems, days }
  } catch (thrown) {
    return only(`it cannot be read as Parquet: ${firstLine(thrown)}`)
  }
}
