import { files } from '../../engine/bind.ts'
import type { Writer } from '../../engine/writer.ts'
import type { Dataset } from './datasets.ts'
import type { Digest, Manifest, ManifestFile } from './manifest.ts'
import { CATCH_ALL } from './partition.ts'
import { compareKeys } from './prune.ts'
import { digestsOf } from './sorted-files.ts'

/** Where partitions and their files are found: a draft, or a snapshot. */
export interface Holdings {
  readonly writer: Writer
  manifests(dataset: Dataset): Promise<readonly Manifest[]>
  path(file: ManifestFile): string
}

/** The days of one dataset that are held, and what tells their content apart. */
export interface HeldDays {
  readonly dataset: Dataset
  /** Ascending, each with at least one row; of a dataset without units only `all`, and none where it is empty. */
  readonly days: readonly string[]
  /** A day's digest as one text; of a day that is not held the empty text. */
  digest(day: string): string
  /** Paths of the files that may hold rows of the days from one to another, both included. */
  paths(from: string, to: string): string[]
}

/** Reads what is held of a dataset. Files whose digests are not known (adopted ones) are read for them. */
export async function heldDays(holdings: Holdings, dataset: Dataset): Promise<HeldDays> {
  const manifests = await holdings.manifests(dataset)
  const digests = new Map<string, string>()
  for (const manifest of manifests) {
    const days = manifest.days ?? (await readDigests(holdings, dataset, manifest))
    for (const [day, digest] of Object.entries(days))
      digests.set(day, `${digests.get(day) ?? ''}${digestText(digest)}`)
  }
  return {
    dataset,
    days: [...digests.keys()].toSorted(compareKeys),
    digest: day => digests.get(day) ?? '',
    paths: (from, to) =>
      manifests
        .flatMap(manifest => manifest.files)
        .filter(({ dates }: ManifestFile) => dates[0] <= to && dates[1] >= from)
        .map(holdings.path),
  }
}

/** A day's digest as `HeldDays.digest` has it. */
export const digestText = (digest: Digest | undefined) => (digest ? `${digest[0]} ${digest[1]};` : '')

const readDigests = async (holdings: Holdings, dataset: Dataset, manifest: Manifest) =>
  digestsOf(holdings.writer, dataset, 'read_parquet($files, hive_partitioning = false)', {
    files: files(manifest.files.map(holdings.path)),
  })

/** Whether a dataset's digests are one for all of its rows. */
export const isUndivided = ({ partition }: Dataset) => partition.units.length === 0

/** The key of the only digest of an undivided dataset. */
export const UNDIVIDED = CATCH_ALL
