import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { damaged, FORMAT, FORMER_FORMAT, parseFormatted, readText } from './format.ts'
import { isInside, snapshotName } from './layout.ts'
import { fromFormer, isPartition } from './partition.ts'

const Count = Type.Integer({ minimum: 0 })

/** Rows that differ from the snapshot before: with a new key, in place of rows with the same key, and deleted. */
const RowChanges = Type.Object({ added: Count, replaced: Count, removed: Count })

const SnapshotRecord = Type.Object({
  /** Partitions of format 1 are read under their present names: `2024-01-03` for `date=2024-01-03`. */
  format: Type.Union([Type.Literal(FORMAT), Type.Literal(FORMER_FORMAT)]),
  number: Type.Integer({ minimum: 1 }),
  /** The snapshot that this one was built on; null for the first. */
  parent: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** ISO 8601, UTC. */
  created_at: Type.String(),
  writer: Type.Object({
    version: Type.String(),
    host: Type.String(),
    pid: Type.Integer(),
    start: Type.Optional(Type.Integer()),
  }),
  /** The generator and its options, if the lake holds only generated data. */
  generated: Type.Optional(Type.String()),
  /** The command that made it, such as `import option-trades`. Earlier versions did not record it. */
  made_by: Type.Optional(Type.String()),
  /** The command that deleted rows of it, if it was kept by a name. */
  rewritten_by: Type.Optional(Type.String()),
  /** By dataset, without those whose rows did not change. Earlier versions did not record it. */
  changes: Type.Optional(Type.Record(Type.String(), RowChanges)),
  /** The name of the file that lists the input files, if an import made it. */
  imports: Type.Optional(Type.String()),
  /** The name of the record of the newest import or undo; each record names the one before it. */
  history: Type.Optional(Type.String()),
  /** The names of the files that list what the newest imports replaced, the oldest first: vacuum keeps it. */
  undoable: Type.Optional(Type.Array(Type.String())),
  /** Every trading day up to this one is closed, `YYYY-MM-DD`, whatever its number of rows. */
  closed: Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })),
  datasets: Type.Record(
    Type.String(),
    Type.Object({
      /** The manifest's name, by partition. */
      partitions: Type.Record(Type.String(), Type.String()),
    }),
  ),
})

/** The content of `snapshots/<n>.json`: the manifests of a snapshot. */
export type SnapshotRecord = Static<typeof SnapshotRecord>

export type RowChanges = Static<typeof RowChanges>

/**
 * How a snapshot was made. `generated` is null for imported data. Default: as in the snapshot before, as for `history`
 * and `undoable`. Days up to `closed` are closed, and so are those that the snapshot before closed, unless they are
 * open again: up to `reopened`, if that is not undefined.
 */
export type Making = Pick<SnapshotRecord, 'made_by' | 'changes' | 'imports' | 'history' | 'undoable'> & {
  readonly generated?: string | null
  readonly closed?: string | null
  readonly reopened?: string | null
}

const shape = Compile(SnapshotRecord)

/** One partition of one dataset, and the name of its manifest. */
export interface Entry {
  readonly dataset: string
  readonly partition: string
  readonly manifest: string
}

/** The partitions of a record, by dataset and partition; of these datasets only. Default: of all. */
export function entriesOf(
  { datasets }: SnapshotRecord,
  names: readonly string[] = Object.keys(datasets),
): Entry[] {
  return names
    .flatMap(dataset =>
      Object.entries(datasets[dataset]?.partitions ?? {}).map(([partition, manifest]) => ({
        dataset,
        partition,
        manifest,
      })),
    )
    .toSorted((one, other) => (one.manifest < other.manifest ? -1 : 1))
}

/** Reads snapshot `number`; null if it does not exist. Throws lake_damaged or lake_newer. */
export async function readRecord(lake: string, number: number): Promise<SnapshotRecord | null> {
  const path = join(lake, snapshotName(number))
  const text = await readText(path)
  if (text === null) return null
  const value = parseFormatted(path, text)
  if (!shape.Check(value) || value.number !== number) throw damaged(path, `it is not snapshot ${number}`)
  const record = value.format === FORMAT ? value : withPresentNames(value)
  const stray = entriesOf(record).find(each => !isPartition(each.partition) || !isInside(each.manifest))
  if (stray) throw damaged(path, `it names ${JSON.stringify(stray.manifest)} for ${stray.partition}`)
  return record
}

const withPresentNames = (record: SnapshotRecord): SnapshotRecord => ({
  ...record,
  datasets: Object.fromEntries(
    Object.entries(record.datasets).map(([dataset, { partitions }]) => [
      dataset,
      {
        partitions: Object.fromEntries(
          Object.entries(partitions).map(([name, manifest]) => [fromFormer(name), manifest]),
        ),
      },
    ]),
  ),
})

/** Reads snapshot `number`, which must exist. Throws lake_damaged or lake_newer. */
export async function requireRecord(lake: string, number: number): Promise<SnapshotRecord> {
  const record = await readRecord(lake, number)
  if (record === null) throw damaged(join(lake, snapshotName(number)), 'it does not exist')
  return record
}
