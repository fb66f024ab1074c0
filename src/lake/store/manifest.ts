import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Failure } from '../../engine/failure.ts'
import { contentHash } from './content.ts'
import { type Dataset, findDataset } from './datasets.ts'
import { findDerivation } from './derivation.ts'
import { damaged, FORMAT, FORMER_FORMAT, parseFormatted } from './format.ts'
import { isInside, MANIFESTS, pathOf } from './layout.ts'
import { fromFormer } from './partition.ts'
import type { Entry } from './record.ts'
import { columnsNow, isCurrent, isOlder, misfitOf, type StoredColumns } from './stored-columns.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })
const Count = Type.Integer({ minimum: 0 })
/** The number of rows of a day, and their checksum: see `checksumOf`. */
const Digest = Type.Tuple([Count, Type.String({ pattern: '^[0-9a-f]{16}$' })])

const ManifestFile = Type.Object({
  /** Path relative to the lake. */
  name: Type.String(),
  rows: Count,
  bytes: Count,
  sha256: Sha256,
  /** The least and the greatest date in the file. */
  dates: Type.Tuple([Day, Day]),
  /** Bounds of each range column, never narrower than the data. Columns with unknown bounds are missing. */
  ranges: Type.Record(Type.String(), Type.Tuple([Type.String(), Type.String()])),
})

/** What the manifests of both formats state. */
const shared = {
  dataset: Type.String(),
  partition: Type.String(),
  /** sha256 of each input with rows in this partition, sorted. */
  inputs: Type.Array(Sha256),
  /** Digest by day; a dataset without units has one digest, under `all`. Missing for adopted files. */
  days: Type.Optional(Type.Record(Type.String(), Digest)),
  /** For a derived dataset, the fingerprint of each computed day. */
  derived: Type.Optional(Type.Record(Type.String(), Sha256)),
  /** In the dataset's sort order; adopted files by name. */
  files: Type.Array(ManifestFile),
}

export const ManifestShape = Type.Object({
  format: Type.Literal(FORMAT),
  /** The columns of the files: types by name. Empty if they are not known, which only format 1 permits. */
  columns: Type.Record(Type.String(), Type.String()),
  ...shared,
})

const FormerManifest = Type.Object({
  format: Type.Literal(FORMER_FORMAT),
  /** The dataset's schemaHash when the files were written. */
  schema: Type.String(),
  ...shared,
})

export type Digest = Static<typeof Digest>
export type Digests = Readonly<Record<string, Digest>>

export type ManifestFile = Static<typeof ManifestFile>

/** The metadata of one partition. Immutable: its name is the hash of its content. */
export type Manifest = Static<typeof ManifestShape>

const shape = Compile(ManifestShape)
const formerShape = Compile(FormerManifest)

const nameOf = (
  { format, dataset, partition }: Manifest | Static<typeof FormerManifest>,
  text: string,
): string => {
  const name = `${dataset}/${partition}/${contentHash(text)}.json`
  return format === FORMAT ? `${MANIFESTS}/${name}` : name
}

/** A manifest's text and its name in the lake. Equal manifests have equal names. */
export function formatManifest(manifest: Manifest): { name: string; text: string } {
  const text = `${JSON.stringify(manifest)}\n`
  return { name: nameOf(manifest, text), text }
}

/** Reads the manifest that a snapshot names for a partition. Throws lake_damaged or lake_newer. */
export async function readManifest(lake: string, entry: Entry): Promise<Manifest> {
  const path = pathOf(lake, entry.manifest)
  const text = await readFile(path, 'utf8').catch(thrown => {
    throw damaged(path, 'it cannot be read', thrown)
  })
  return manifestIn(path, text, entry)
}

/** The same, at once: for a process that does nothing else meanwhile, a tenth of the time. */
function readManifestSync(lake: string, entry: Entry): Manifest {
  const path = pathOf(lake, entry.manifest)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (thrown) {
    throw damaged(path, 'it cannot be read', thrown)
  }
  return manifestIn(path, text, entry)
}

/** The manifest that a file contains. Throws lake_damaged or lake_newer. */
function manifestIn(path: string, text: string, entry: Entry): Manifest {
  const value = parseFormatted(path, text)
  if (!shape.Check(value) && !formerShape.Check(value)) throw damaged(path, 'it is not a manifest')
  if (nameOf(value, text) !== entry.manifest)
    throw damaged(path, 'its content does not match the hash in its name')
  const manifest = value.format === FORMAT ? value : fromFormerFormat(value)
  if (manifest.dataset !== entry.dataset || manifest.partition !== entry.partition)
    throw damaged(path, `it is not the manifest of ${entry.dataset}/${entry.partition}`)
  const stray = manifest.files.find(file => !isInside(file.name))
  if (stray) throw damaged(path, `it names ${JSON.stringify(stray.name)}, which is not a file of the lake`)
  return manifest
}

/** A manifest of format 1 as one of the present format. */
function fromFormerFormat({ schema, partition, ...rest }: Static<typeof FormerManifest>): Manifest {
  const columns = findDataset(rest.dataset)?.versions.get(schema) ?? []
  return { ...rest, format: FORMAT, partition: fromFormer(partition), columns: columnsNow({ columns }) }
}

/**
 * Reads a manifest, and checks that its files can be read as those of this version: with NULL in nullable columns that
 * they lack, and without loss where a type is another one. A derived dataset must have exactly the columns of this
 * version, but for those that are computed from others when its files are read. Throws lake_damaged, lake_older or lake_newer.
 */
export async function readServable(lake: string, entry: Entry): Promise<Manifest> {
  return servable(lake, entry, await readManifest(lake, entry))
}

/** The same, at once. */
export const readServableSync = (lake: string, entry: Entry): Manifest =>
  servable(lake, entry, readManifestSync(lake, entry))

function servable(lake: string, entry: Entry, manifest: Manifest): Manifest {
  const known = findDataset(entry.dataset)
  if (known === undefined || isCurrent(known, manifest.columns)) return manifest
  const place = `${join(lake, entry.manifest)}: the files of ${entry.dataset}`
  if (findDerivation(entry.dataset) !== undefined) {
    if (
      isOlder(withoutComputed(known, manifest.columns), manifest.columns) ||
      misfitOf(known, manifest.columns) !== null
    )
      throw new Failure(
        'lake_older',
        `${place} were computed by another version of tapehouse, with other columns: run "tapehouse upgrade-lake"`,
      )
    return manifest
  }
  const misfit = isUnknown(manifest.columns)
    ? 'columns that no version had'
    : misfitOf(known, manifest.columns)
  if (misfit !== null)
    throw new Failure(
      'lake_damaged',
      `${place} have ${misfit}: read them with the version that wrote them, or import the data again into a new lake`,
    )
  return manifest
}

/** The dataset without the computed columns that its files lack. */
const withoutComputed = (dataset: Dataset, stored: StoredColumns): Dataset => ({
  ...dataset,
  columns: dataset.columns.filter(({ name }) => name in stored || !dataset.computed?.names.includes(name)),
})

const isUnknown = (columns: StoredColumns) => Object.keys(columns).length === 0
