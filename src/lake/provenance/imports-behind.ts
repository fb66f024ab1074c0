import { windowOf } from '../derive/fingerprint.ts'
import { importHistory } from '../land/history.ts'
import { manifestsOf } from '../publish/base.ts'
import { dataset } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'
import type { Manifest } from '../store/manifest.ts'
import { overlaps, type Span } from '../store/partition.ts'
import type { SnapshotRecord } from '../store/record.ts'
import type { LakeFile } from '../store/snapshot.ts'

/** A file that was imported. */
export interface ImportedFile {
  /** The hash in `inputs` of manifests. */
  readonly input: string
  /** Null if the lake has no record of it: earlier versions wrote none. */
  readonly file: {
    /** Its name without folders. */
    readonly name: string
    readonly bytes: number
    readonly sha256: string
    /** The import format, such as `option-trades`. */
    readonly format: string
    /** When it was imported: ISO 8601, UTC. */
    readonly time: string
  } | null
}

/**
 * The imported files with rows in the partitions of `files` (by dataset), and in those that these were derived from.
 * Earlier days of a derived dataset that it is computed from itself are not followed. By time of import. Throws
 * lake_damaged or lake_newer.
 */
export async function importsBehind(
  lake: string,
  record: SnapshotRecord,
  files: ReadonlyMap<string, readonly Pick<LakeFile, 'dates'>[]>,
): Promise<ImportedFile[]> {
  const loaded = new Map<string, readonly Manifest[]>()
  const manifests = async (name: string) => {
    const known = loaded.get(name) ?? (await manifestsOf(lake, record, dataset(name)))
    loaded.set(name, known)
    return known
  }
  const inputs = new Set<string>()
  const visited = new Set<string>()

  async function follow(name: string, span: Span): Promise<void> {
    const visit = `${name} ${span.from} ${span.to}`
    if (visited.has(visit)) return
    visited.add(visit)
    const own = (await manifests(name)).filter(each => spansOf(each).some(days => overlaps(days, span)))
    for (const input of own.flatMap(each => each.inputs)) inputs.add(input)
    for (const { dataset: input, reach } of derivations().get(name)?.reads ?? []) {
      if (input.name === name) continue
      const days = { days: daysOf(await manifests(input.name)) }
      await follow(input.name, {
        from: windowOf(reach, days, span.from, false).from,
        to: windowOf(reach, days, span.to, false).to,
      })
    }
  }

  for (const [name, list] of files)
    for (const { dates } of list) await follow(name, { from: dates[0], to: dates[1] })
  const past = await importHistory(lake, record)
  const known = new Map(
    past.flatMap(({ record: { time, import_format: format, files: imported } }) =>
      imported.map(
        ({ input, name, bytes, sha256 }) => [input, { name, bytes, sha256, format, time }] as const,
      ),
    ),
  )
  return [...inputs]
    .map(input => ({ input, file: known.get(input) ?? null }))
    .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
}

const orderOf = ({ input, file }: ImportedFile) => `${file?.time ?? ''} ${file?.name ?? ''} ${input}`

const spansOf = ({ files }: Manifest): Span[] => files.map(({ dates: [from, to] }) => ({ from, to }))

/** The days of partitions, ascending; where they are not recorded, the first and last days of files. */
const daysOf = (manifests: readonly Manifest[]) =>
  [
    ...new Set(manifests.flatMap(each => (each.days ? Object.keys(each.days) : spansOf(each).flatMap(ends)))),
  ].toSorted()

const ends = ({ from, to }: Span) => [from, to]
