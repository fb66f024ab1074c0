import { type Bindings, date, instant } from '../../engine/bind.ts'
import type { Draft } from '../land/draft.ts'
import type { Dataset } from '../store/datasets.ts'
import { nameOf } from '../store/layout.ts'
import type { Manifest, ManifestFile } from '../store/manifest.ts'
import { columnList, digestsOf, type Written, writeSorted } from '../store/sorted-files.ts'
import { columnsNow, isOlder } from '../store/stored-columns.ts'
import { storedFiles } from '../store/stored-files.ts'
import { cutoffOf } from './cutoff.ts'

/** How many of a file's rows were known. */
type Share = 'all' | 'some' | 'none'

/**
 * Removes from a draft the rows of a dataset that were not known by the end of `day`. Partitions and files whose rows
 * were all known stay as they are; of the others, the known rows are copied into the draft.
 */
export async function keepKnown(draft: Draft, dataset: Dataset, day: string): Promise<void> {
  const manifests = await draft.manifests(dataset)
  const shareOf = await sharesOf(draft, dataset, manifests, day)
  const gone: string[] = []
  for (const manifest of manifests) {
    const shares = manifest.files.map(shareOf)
    if (shares.every(share => share === 'none')) gone.push(manifest.partition)
    else if (shares.some(share => share !== 'all')) await rewrite(draft, dataset, manifest, shareOf, day)
  }
  if (gone.length > 0) await draft.drop(dataset, gone)
}

/** Whether the date that partitions a dataset is also the day on which its rows became known. */
export const isKnownByDate = ({ known, partition }: Dataset) => known.sql === partition.column

/** The share of each file: from its recorded dates where the rule is the date itself, otherwise by reading the files. */
async function sharesOf(
  draft: Draft,
  dataset: Dataset,
  manifests: readonly Manifest[],
  day: string,
): Promise<(file: ManifestFile) => Share> {
  if (isKnownByDate(dataset))
    return ({ dates: [first, last] }) => (last <= day ? 'all' : first > day ? 'none' : 'some')
  const stored = storedFiles(dataset, manifests, draft.path)
  if (stored.length === 0) return () => 'none'
  const rows = await draft.writer.rows(
    `SELECT filename, count(*)::DOUBLE AS row_count, count(*) FILTER (WHERE ${isKnown(dataset)})::DOUBLE AS known_count
     FROM read_parquet($files, hive_partitioning = false, filename = true)
     GROUP BY filename`,
    { ...boundsOf(day), files: await draft.writer.bindFiles(dataset, stored) },
  )
  // A publish may move a file while it is read.
  const keyOf = (path: string) => nameOf(draft.base.lake, path) ?? path
  const shares = new Map(
    rows.map(({ filename, row_count, known_count }): [string, Share] => [
      keyOf(String(filename)),
      known_count === 0 ? 'none' : known_count === row_count ? 'all' : 'some',
    ]),
  )
  return file => {
    if (file.rows === 0) return 'all'
    const share = shares.get(keyOf(draft.path(file)))
    if (share === undefined) throw new Error(`${file.name} was not read`)
    return share
  }
}

/** Puts a partition without its unknown rows into the draft. */
async function rewrite(
  draft: Draft,
  dataset: Dataset,
  manifest: Manifest,
  shareOf: (file: ManifestFile) => Share,
  day: string,
): Promise<void> {
  const { writer, base } = draft
  // The files of a partition have the same columns: older ones are copied too.
  const older = isOlder(dataset, manifest.columns)
  const isCopied = (file: ManifestFile) => shareOf(file) === 'some' || (older && shareOf(file) === 'all')
  const copied = [{ ...manifest, files: manifest.files.filter(isCopied) }]
  const written = await writeSorted(
    writer,
    base.staging,
    dataset,
    manifest.partition,
    `SELECT ${columnList(dataset)} FROM read_parquet($files, hive_partitioning = false) WHERE ${isKnown(dataset)}`,
    {
      ...boundsOf(day),
      files: await writer.bindFiles(dataset, storedFiles(dataset, copied, draft.path)),
    },
  )
  const { days, derived, ...rest } = manifest
  const kept = manifest.files.filter(file => shareOf(file) === 'all' && !isCopied(file))
  const now = {
    ...rest,
    columns: columnsNow(dataset),
    files: [...kept, ...written.staged.map(({ file }) => file)],
  }
  await draft.put(dataset, {
    manifest: {
      ...now,
      ...(days
        ? { days: isKnownByDate(dataset) ? until(days, day) : await digestsIn(draft, dataset, now, written) }
        : {}),
      ...(derived ? { derived: until(derived, day) } : {}),
    },
    staged: written.staged,
    absorbs: [],
  })
}

/** The digests of a partition's days, some of whose files are not in the draft yet. */
async function digestsIn({ writer, path }: Draft, dataset: Dataset, manifest: Manifest, { staged }: Written) {
  const written = new Map(staged.map(each => [each.file.name, each.path]))
  const stored = storedFiles(dataset, [manifest], file => written.get(file.name) ?? path(file))
  return digestsOf(writer, dataset, 'read_parquet($files, hive_partitioning = false)', {
    files: await writer.bindFiles(dataset, stored),
  })
}

const until = <T>(byDay: Readonly<Record<string, T>>, last: string): Record<string, T> =>
  Object.fromEntries(Object.entries(byDay).filter(([day]) => day <= last))

/** SQL: whether a row was known; NULL, which excludes it, where that is unknown. */
const isKnown = ({ known: { sql } }: Dataset) =>
  `CASE typeof(${sql}) WHEN 'DATE' THEN (${sql})::DATE <= $day ELSE (${sql})::TIMESTAMP <= $cutoff END`

const boundsOf = (day: string): Bindings => ({ day: date(day), cutoff: instant(cutoffOf(day)) })
