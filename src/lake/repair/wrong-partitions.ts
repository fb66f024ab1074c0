import { type Derivation, derivations, findDerivation, inputsOf } from '../store/derivation.ts'
import { type Manifest, type ManifestFile, readManifest } from '../store/manifest.ts'
import { type Entry, entriesOf, type SnapshotRecord } from '../store/record.ts'

/** A partition with a damaged file or manifest. */
export interface WrongPartition {
  readonly entry: Entry
  /** Null if it cannot be read. */
  readonly manifest: Manifest | null
  /** The files with a problem; all of them if the manifest does not match its rows. */
  readonly files: readonly ManifestFile[]
}

/** The partitions of a snapshot that have one of these names, which are those of files and of manifests. */
export async function wrongPartitions(
  lake: string,
  record: SnapshotRecord,
  names: ReadonlySet<string>,
): Promise<WrongPartition[]> {
  const found: WrongPartition[] = []
  for (const entry of entriesOf(record)) {
    const manifest = await readManifest(lake, entry).catch(() => null)
    const files = (manifest?.files ?? []).filter(({ name }) => names.has(name) || names.has(entry.manifest))
    if (manifest === null || files.length > 0) found.push({ entry, manifest, files })
  }
  return found
}

/**
 * Of wrong partitions, those that can be derived again: all of their days are computed, and nothing that they are derived from
 * is wrong, unless it can be derived again too.
 */
export function makeAnew(wrong: readonly WrongPartition[]): WrongPartition[] {
  const own = wrong.filter(isComputed)
  const lost = new Set(wrong.filter(each => !own.includes(each)).map(({ entry }) => entry.dataset))
  return own.filter(({ entry }) => !dependsOn(derivations().get(entry.dataset), lost))
}

/** Days that were imported or adopted cannot be computed. Without a manifest, they are not known. */
export const isComputed = ({ entry, manifest }: WrongPartition) =>
  findDerivation(entry.dataset) !== undefined &&
  (manifest === null || Object.keys(manifest.days ?? { '': 0 }).every(day => day in (manifest.derived ?? {})))

function dependsOn(derivation: Derivation | undefined, lost: ReadonlySet<string>): boolean {
  if (derivation === undefined) return false
  const inputs = inputsOf(derivation).filter(({ name }) => name !== derivation.dataset.name)
  return (
    lost.has(derivation.dataset.name) ||
    inputs.some(({ name }) => lost.has(name) || dependsOn(derivations().get(name), lost))
  )
}
