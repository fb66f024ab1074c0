import { dates, files } from '../../engine/bind.ts'
import type { ParquetFile } from '../../engine/file-lists.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Dataset, datasets } from '../store/datasets.ts'
import { digestText, isUndivided, UNDIVIDED } from '../store/held-days.ts'
import { lakeFolder, pathOf } from '../store/layout.ts'
import { type Digests, type Manifest, readServable } from '../store/manifest.ts'
import { compareKeys } from '../store/prune.ts'
import { type Entry, entriesOf } from '../store/record.ts'
import { columnList, digestsOf, digestsTogether, identifier, identifiers } from '../store/sorted-files.ts'
import { asStored } from '../store/stored-columns.ts'
import { storedFiles } from '../store/stored-files.ts'
import { wholeRecord } from './whole.ts'

/** The rows of one day of a dataset that differ between two snapshots. */
export interface DayDifference {
  readonly dataset: string
  /** `YYYY-MM-DD`; `all` for a dataset without partitions. */
  readonly day: string
  /** Rows whose key only the second snapshot has. */
  readonly added: number
  /** Rows whose key only the first snapshot has. */
  readonly removed: number
  /** Rows that both have by their key, with different values. */
  readonly changed: number
}

/** Days are compared together up to this many rows. */
const ROWS_AT_ONCE = 1_000_000

/**
 * The differences between the rows of two snapshots, by dataset and day. Reads only the files of days that both have
 * with different digests. Rejects with not_found, lake_damaged or lake_newer if a snapshot is not whole.
 */
export async function diffSnapshots(
  writer: Writer,
  lake: string,
  [one, other]: readonly [number, number],
  observe: Observe,
): Promise<DayDifference[]> {
  const folder = lakeFolder(lake)
  const [before, after] = [await entriesIn(folder, one), await entriesIn(folder, other)]
  const onlyIn = (entries: readonly Entry[], others: readonly Entry[]) => {
    const shared = new Set(others.map(({ manifest }) => manifest))
    return entries.filter(({ manifest }) => !shared.has(manifest))
  }
  const [gone, fresh] = [onlyIn(before, after), onlyIn(after, before)]
  const names = [...new Set([...gone, ...fresh].map(({ dataset }) => dataset))].toSorted(compareKeys)
  const found: DayDifference[] = []
  for (const name of names) {
    const dataset = datasets().get(name)
    if (dataset === undefined) {
      observe({ kind: 'notice', message: `${name} differs, and this version does not know the dataset` })
      continue
    }
    const side = async (entries: readonly Entry[]) => {
      const manifests: Manifest[] = []
      for (const entry of entries.filter(each => each.dataset === name))
        manifests.push(await readServable(folder, entry))
      return sideOf(writer, folder, dataset, manifests)
    }
    found.push(...(await diffDataset(writer, dataset, await side(gone), await side(fresh))))
  }
  return found
}

const entriesIn = async (lake: string, number: number) => entriesOf((await wholeRecord(lake, number)).record)

/** The files of one snapshot that the other one does not have, and the digests of their days. */
interface Side {
  readonly days: Digests
  readonly files: (days: readonly string[]) => ParquetFile[]
}

async function sideOf(
  writer: Writer,
  lake: string,
  dataset: Dataset,
  manifests: readonly Manifest[],
): Promise<Side> {
  const parts: Digests[] = []
  for (const { columns, days, files: own } of manifests)
    parts.push(
      days ??
        (await digestsOf(
          writer,
          asStored(dataset, columns),
          'read_parquet($files, hive_partitioning = false)',
          { files: files(own.map(({ name }) => pathOf(lake, name))) },
        )),
    )
  return {
    days: digestsTogether(parts),
    files: days =>
      storedFiles(
        dataset,
        manifests.map(manifest => ({
          ...manifest,
          files: manifest.files.filter(
            ({ dates: [from, to] }) => isUndivided(dataset) || days.some(day => from <= day && day <= to),
          ),
        })),
        ({ name }) => pathOf(lake, name),
      ),
  }
}

async function diffDataset(
  writer: Writer,
  dataset: Dataset,
  before: Side,
  after: Side,
): Promise<DayDifference[]> {
  const days = [...new Set([...Object.keys(before.days), ...Object.keys(after.days)])].toSorted(compareKeys)
  const found: DayDifference[] = []
  const both: string[] = []
  for (const day of days) {
    const [had, has] = [before.days[day], after.days[day]]
    if (digestText(had) === digestText(has)) continue
    if (had !== undefined && has !== undefined) both.push(day)
    else found.push({ dataset: dataset.name, day, added: has?.[0] ?? 0, removed: had?.[0] ?? 0, changed: 0 })
  }
  const rowsOf = (day: string) => (before.days[day]?.[0] ?? 0) + (after.days[day]?.[0] ?? 0)
  for (const batch of batchesOf(both, rowsOf))
    found.push(...(await compareDays(writer, dataset, batch, before, after)))
  return found.toSorted((one, other) => compareKeys(one.day, other.day))
}

/** Consecutive days with up to ROWS_AT_ONCE rows together, or one day. */
function batchesOf(days: readonly string[], rowsOf: (day: string) => number): string[][] {
  const batches: string[][] = []
  let rowsLeft = 0
  for (const day of days) {
    const batch = batches.at(-1)
    if (batch !== undefined && rowsOf(day) <= rowsLeft) batch.push(day)
    else {
      batches.push([day])
      rowsLeft = ROWS_AT_ONCE
    }
    rowsLeft -= rowsOf(day)
  }
  return batches
}

/** Compares the rows of some days by key. Adopted files can have several rows of a key; they are compared together. */
async function compareDays(
  writer: Writer,
  dataset: Dataset,
  days: readonly string[],
  before: Side,
  after: Side,
): Promise<DayDifference[]> {
  const column = identifier(dataset.partition.column)
  const day = isUndivided(dataset) ? `'${UNDIVIDED}'` : `${column}::VARCHAR`
  const where = isUndivided(dataset) ? '' : `WHERE ${column} IN (SELECT unnest($days))`
  const side = (number: number, paths: string) =>
    `SELECT ${number} AS diff_side, ${day} AS diff_day, ${identifiers(dataset.key)},
       hash(${columnList(dataset)}) AS diff_hash
     FROM read_parquet(${paths}, hive_partitioning = false) ${where}`
  const rows = await writer.rows(
    `WITH keys AS (
       SELECT diff_day,
         count(*) FILTER (diff_side = 0) AS had,
         count(*) FILTER (diff_side = 1) AS has,
         sum(diff_hash::HUGEINT) FILTER (diff_side = 0) AS had_hash,
         sum(diff_hash::HUGEINT) FILTER (diff_side = 1) AS has_hash
       FROM (${side(0, '$before')} UNION ALL ${side(1, '$after')})
       GROUP BY diff_day, ${identifiers(dataset.key)}
     )
     SELECT diff_day AS day,
       coalesce(sum(has) FILTER (had = 0), 0)::DOUBLE AS added,
       coalesce(sum(had) FILTER (has = 0), 0)::DOUBLE AS removed,
       count(*) FILTER (had > 0 AND has > 0 AND had_hash <> has_hash)::DOUBLE AS changed
     FROM keys GROUP BY diff_day ORDER BY diff_day`,
    {
      before: await writer.bindFiles(dataset, before.files(days)),
      after: await writer.bindFiles(dataset, after.files(days)),
      ...(isUndivided(dataset) ? {} : { days: dates(days) }),
    },
  )
  return rows.map(row => ({
    dataset: dataset.name,
    day: String(row.day),
    added: Number(row.added),
    removed: Number(row.removed),
    changed: Number(row.changed),
  }))
}
