import { dates } from '../../engine/bind.ts'
import { FIRST_DAY, LAST_DAY } from '../../market/day.ts'
import type { Draft } from '../land/draft.ts'
import { landDates } from '../land/land.ts'
import { carriedOver } from '../publish/carry.ts'
import type { Dataset } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'
import { type HeldDays, heldDays, isUndivided } from '../store/held-days.ts'
import type { Manifest } from '../store/manifest.ts'
import { compareKeys } from '../store/prune.ts'
import { columnList, digestsOf, identifier } from '../store/sorted-files.ts'

/** The partitions of one dataset that an import changed. */
export interface ChangedPartitions {
  readonly dataset: Dataset
  /** As they were before it, and after it. */
  readonly before: readonly Manifest[]
  readonly after: readonly Manifest[]
  /** The hashes of its files in `inputs` of manifests. */
  readonly inputs: ReadonlySet<string>
}

/**
 * Gives the days of a draft that an import changed the rows that they had before it. Returns the days that something
 * else has changed since, ascending: if there are any, it restores nothing. Days that have their former rows already
 * stay as they are. Of a derived dataset it restores days that were not computed.
 */
export async function restoreDays(draft: Draft, changed: ChangedPartitions): Promise<string[]> {
  const { dataset, before, after } = changed
  const side = (manifests: readonly Manifest[]) =>
    heldDays({ writer: draft.writer, path: draft.path, manifests: async () => manifests }, dataset)
  const had = await side(before)
  if (derivations().has(dataset.name)) {
    const computed = new Set(before.flatMap(({ derived }) => Object.keys(derived ?? {})))
    const adopted = had.days.filter(day => !computed.has(day))
    if (adopted.length > 0) await putRows(draft, changed, had, adopted)
    return []
  }
  const has = await side(after)
  const now = await heldDays(draft, dataset)
  const left = [...new Set([...had.days, ...has.days])]
    .filter(day => had.digest(day) !== has.digest(day) && now.digest(day) !== had.digest(day))
    .toSorted(compareKeys)
  const others = left.filter(day => now.digest(day) !== has.digest(day))
  if (others.length > 0 || left.length === 0) return others
  if (!isUndivided(dataset)) await putRows(draft, changed, had, left)
  else if (before.length === 0) await draft.drop(dataset)
  else for (const manifest of before) await draft.put(dataset, await carriedOver(draft.base, manifest))
  return []
}

/** Replaces the rows of days by those that they had. */
async function putRows(
  draft: Draft,
  { dataset, before, inputs: undone }: ChangedPartitions,
  had: HeldDays,
  days: readonly string[],
): Promise<void> {
  const { writer } = draft
  const day = identifier(dataset.partition.column)
  await writer.run(
    `CREATE OR REPLACE TEMP TABLE incoming AS
     SELECT ${columnList(dataset)} FROM read_parquet($files, hive_partitioning = false)
     WHERE ${day} IN (SELECT unnest($days))`,
    { files: await writer.bindFiles(dataset, had.files(FIRST_DAY, LAST_DAY)), days: dates(days) },
  )
  const digests = await digestsOf(writer, dataset, 'incoming')
  const restored = new Set(days)
  await landDates(draft, dataset, new Map(days.map(each => [each, digests[each]?.[0] ?? 0])), {
    digests,
    keeps: () => `${day} NOT IN (SELECT unnest($dates))`,
    provenance(former, own) {
      const isBefore = ({ files }: Manifest) =>
        files.some(({ dates: [from, to] }) => own.some(each => from <= each && each <= to))
      const stay = former.flatMap(({ inputs }) => inputs).filter(input => !undone.has(input))
      const back = before.filter(isBefore).flatMap(({ inputs }) => inputs)
      const derived = former
        .flatMap(each => Object.entries(each.derived ?? {}))
        .filter(([each]) => !restored.has(each))
      return {
        inputs: [...new Set([...stay, ...back])].toSorted(),
        ...(derived.length > 0 ? { derived: Object.fromEntries(derived) } : {}),
      }
    },
  })
  await writer.run('DROP TABLE incoming')
}
