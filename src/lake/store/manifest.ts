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
/** How many rows a day has, and their checksum: see `checksumOf`. */
const Digest = Type.Tuple([Count, Type.String({ pattern: '^[0-9a-f]{16}$' })])

const ManifestFile = Type.Object({
  /** Path relative to the lake. */
  name: Type.String(),
  rows: Count,
  bytes: Count,
  sha256: Sha256,
  /** The least and the greatest date in the file. */
  dates: Type.Tuple([Day, Day]),
  /** Bounds of each range column, never narrower than the data; a column whose bounds are unknown is left out. */
  ranges: Type.Record(Type.String(), Type.Tuple([Type.String(), Type.String()])),
})

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  dataset: Type.String(),
  partition: Type.String(),
  /** The dataset's schemaHash when the files were written. */
  schema: Type.String(),
  /** sha256 of each input whose rows came into this partition, sorted. */
  inputs: Type.Array(Sha256),
  /** Each day's digest by date; of a dataset without units one for all, under `all`. Left out of adopted files. */
  days: Type.Optional(Type.Record(Type.String(), Digest)),
  /** Of a derived dataset, what each of its days was computed from; a day that is not here was not computed. */
  derived: Type.Optional(Type.Record(Type.String(), Sha256)),
  /** In the order of the dataset's sort; those of other tools by name. */
  files: Type.Array(ManifestFile),
})

export type Digest = Static<typeof Digest>
export type Digests = Readonly<Record<string, Digest>>

export type ManifestFile = Static<typeof ManifestFile>

/** All that a lake knows about one partition. Immutable: its name is made from its content. */
export type Manifest = Static<typeof Manifest>

const shape = Compile(Manifest)

const nameOf = ({ dataset, partition }: Manifest, text: string) =>
  `${dataset}/${partition}/${contentHash(text)}.json`

/** A manifest's text and its name in the lake: equal manifests have equal names. */
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
  if (nameOf(value, text) !== entry.manifest) throw damaged(path, 'its content is not what its name says')
  if (value.dataset !== entry.dataset || value.partition !== entry.partition)
    throw damaged(path, `it is not the manifest of ${entry.dataset}/${entry.partition}`)
  const stray = value.files.find(file => !isInside(file.name))
  if (stray) throw damaged(path, `it names ${JSON.stringify(stray.name)}, which is no file of the lake`)
  return value
}

/** Reads a manifest whose files this version of tapehouse can serve and merge. */
export async function readServable(lake: string, entry: Entry): Promise<Manifest> {
  const manifest = await readManifest(lake, entry)
  const known = datasets().get(entry.dataset)
  if (known !== undefined && known.schemaHash !== manifest.schema)
    throw new Failure(
      'lake_damaged',
      `${join(lake, entry.manifest)}: its files have other columns than ${entry.dataset} has in this version of tapehouse: import them again into a new lake`,
    )
  return manifest
}
