import { files } from '../../engine/bind.ts'
import type { ParquetFile } from '../../engine/file-lists.ts'
import type { Writer } from '../../engine/writer.ts'
import type { Dataset } from './datasets.ts'
import type { Digest, Digests, Manifest, ManifestFile } from './manifest.ts'
import { CATCH_ALL } from './partition.ts'
import { compareKeys } from './prune.ts'
import { digestsOf } from './sorted-files.ts'
import { asStored } from './stored-columns.ts'
import { storedFiles } from './stored-files.ts'

/** A source of partitions and their files: a draft or a snapshot. */
export interface Holdings {
  readonly writer: Writer
  manifests(dataset: Dataset): Promise<readonly Manifest[]>
  path(file: ManifestFile): string
}

/** The days that the lake holds of one dataset, and their digests. */
export interface HeldDays {
  readonly dataset: Dataset
  /** Ascending, each with at least one row. A dataset without units has only `all`, or none if it is empty. */
  readonly days: readonly string[]
  /** A day's digest as text; empty for a day that the lake does not hold. */
  digest(day: string): string
  /** The number of a day's rows; 0 for a day that the lake does not hold. */
  rows(day: string): number
  /** The files that may hold rows of the days from `from` to `to`, inclusive. */
  files(from: string, to: string): ParquetFile[]
}

/** The days that the lake holds of a dataset. Reads files without recorded digests (adopted ones) to compute them. */
export async function heldDays(holdings: Holdings, dataset: Dataset): Promise<HeldDays> {
  const manifests = await holdings.manifests(dataset)
  const digests = new Map<string, string>()
  const rows = new Map<string, number>()
  for (const manifest of manifests) {
    const days = manifest.days ?? (await readDigests(holdings, dataset, manifest))
    for (const [day, digest] of Object.entries(days)) {
      digests.set(day, `${digests.get(day) ?? ''}${digestText(digest)}`)
      rows.set(day, (rows.get(day) ?? 0) + digest[0])
    }
  }
  return {
    dataset,
    days: [...digests.keys()].toSorted(compareKeys),
    digest: day => digests.get(day) ?? '',
    rows: day => rows.get(day) ?? 0,
    files: (from, to) =>
      storedFiles(
        dataset,
        manifests.map(manifest => ({
          ...manifest,
          files: manifest.files.filter(({ dates }) => dates[0] <= to && dates[1] >= from),
        })),
        holdings.path,
      ),
  }
}

/** The held days after `days` have got these digests. */
export function withDigests(held: HeldDays, days: readonly string[], digests: Digests): HeldDays {
  const replaced = new Set(days)
  const now = [...held.days.filter(day => !replaced.has(day)), ...Object.keys(digests)].toSorted(compareKeys)
  return {
    ...held,
    days: now,
    digest: day => (replaced.has(day) ? digestText(digests[day]) : held.digest(day)),
    rows: day => (replaced.has(day) ? (digests[day]?.[0] ?? 0) : held.rows(day)),
  }
}

/** A day's digest in the form of `HeldDays.digest`. */
export const digestText = (digest: Digest | undefined) => (digest ? `${digest[0]} ${digest[1]};` : '')

const readDigests = async (holdings: Holdings, dataset: Dataset, manifest: Manifest) =>
  digestsOf(
    holdings.writer,
    asStored(dataset, manifest.columns),
    'read_parquet($files, hive_partitioning = false)',
    { files: files(manifest.files.map(holdings.path)) },
  )

/** Whether a dataset has a single digest for all rows. */
export const isUndivided = ({ partition }: Dataset) => partition.units.length === 0

/** The key of the single digest of an undivided dataset. */
export const UNDIVIDED = CATCH_ALL
