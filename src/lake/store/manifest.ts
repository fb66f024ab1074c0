import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Failure } from '../../engine/failure.ts'
import { contentHash } from './content.ts'
import { datasets } from './datasets.ts'
import { damaged, FORMAT, parseFormatted } from './format.ts'
import { isInside } from './layout.ts'
import type { Entry } from './record.ts'

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

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  dataset: Type.String(),
  partition: Type.String(),
  /** The dataset's schemaHash when the files were written. */
  schema: Type.String(),
  /** sha256 of each input with rows in this partition, sorted. */
  inputs: Type.Array(Sha256),
  /** Digest by day; a dataset without units has one digest, under `all`. Missing for adopted files. */
  days: Type.Optional(Type.Record(Type.String(), Digest)),
  /** For a derived dataset, the fingerprint of each computed day. */
  derived: Type.Optional(Type.Record(Type.String(), Sha256)),
  /** In the dataset's sort order; adopted files by name. */
  files: Type.Array(ManifestFile),
})

export type Digest = Static<typeof Digest>
export type Digests = Readonly<Record<string, Digest>>

export type ManifestFile = Static<typeof ManifestFile>

/** The metadata of one partition. Immutable: its name is the hash of its content. */
export type Manifest = Static<typeof Manifest>

const shape = Compile(Manifest)

const nameOf = ({ dataset, partition }: Manifest, text: string) =>
  `${dataset}/${partition}/${contentHash(text)}.json`

/** A manifest's text and its name in the lake. Equal manifests have equal names. */
export function formatManifest(manifest: Manifest): { name: string; text: string } {
  const text = `${JSON.stringify(manifest)}\n`
  return { name: nameOf(manifest, text), text }
}

/** Reads the manifest that a snapshot names for a partition. Throws lake_damaged or lake_newer. */
export async function readManifest(lake: string, entry: Entry): Promise<Manifest> {
  const path = join(lake, entry.manifest)
  const text = await readFile(path, 'utf8').catch(thrown => {
    throw damaged(path, 'it cannot be read', thrown)
  })
  const value = parseFormatted(path, text)
  if (!shape.Check(value)) throw damaged(path, 'it is not a manifest')
  if (nameOf(value, text) !== entry.manifest)
    throw damaged(path, 'its content does not match the hash in its name')
  if (value.dataset !== entry.dataset || value.partition !== entry.partition)
    throw damaged(path, `it is not the manifest of ${entry.dataset}/${entry.partition}`)
  const stray = value.files.find(file => !isInside(file.name))
  if (stray) throw damaged(path, `it names ${JSON.stringify(stray.name)}, which is not a file of the lake`)
  return value
}

/** Reads a manifest, and checks that its files have the columns of this version. Throws lake_damaged or lake_newer. */
export async function readServable(lake: string, entry: Entry): Promise<Manifest> {
  const manifest = await readManifest(lake, entry)
  const known = datasets().get(entry.dataset)
  if (known !== undefined && known.schemaHash !== manifest.schema)
    throw new Failure(
      'lake_damaged',
      `${join(lake, entry.manifest)}: its files do not have the columns of ${entry.dataset} in this version of tapehouse: import the data again into a new lake`,
    )
  return manifest
}
