import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Base } from '../publish/base.ts'
import { contentHash } from '../store/content.ts'
import { derivations } from '../store/derivation.ts'
import { createFile, renameFile, syncFolder } from '../store/durable.ts'
import { FORMAT } from '../store/format.ts'
import { IMPORTS, UNDO } from '../store/layout.ts'
import { formatManifest, type Manifest } from '../store/manifest.ts'
import type { Making, SnapshotRecord } from '../store/record.ts'
import type { Holding } from './carry.ts'
import type { Extent, ImportRecord, UndoRecord } from './import-record.ts'
import type { Replaced } from './replaced.ts'

/** An import that is about to be published. */
export interface Imported {
  readonly record: Omit<ImportRecord, 'format' | 'time' | 'landed'>
  readonly rows: number
  readonly rejected: number
  /** By dataset: the extent of the rows, and the number of rows that later rows of the same import replaced. */
  readonly datasets: ReadonlyMap<string, { readonly extent: Extent | null; readonly repeated: number }>
}

/** What a publish does to the history of imports. */
export type Event = { readonly imported: Imported } | { readonly undoes: number }

/** The number of imports that can be undone: vacuum keeps what they have replaced. */
export const UNDOABLE_IMPORTS = 20

/** The members of a snapshot's record that an event sets. */
type Members = Pick<SnapshotRecord, 'imports' | 'history' | 'undoable'>

/**
 * Writes the records of an import, before the snapshot that names them. If the import then fails, they stay and nothing
 * names them.
 */
export async function recordImport(
  base: Base,
  holdings: ReadonlyMap<string, Holding>,
  changes: NonNullable<SnapshotRecord['changes']>,
  { generated, closed }: Pick<Making, 'generated' | 'closed'>,
  { record, rows, rejected, datasets }: Imported,
): Promise<Members> {
  const undo = await writeNamed(base, UNDO, { format: FORMAT, ...replacedBy(base, holdings) })
  const former = base.record?.closed ?? null
  const mark = base.record?.generated
  const event: ImportRecord = {
    format: FORMAT,
    time: new Date().toISOString(),
    ...record,
    landed: {
      snapshot: base.number + 1,
      previous: base.record?.history ?? null,
      rows,
      rejected,
      datasets: Object.fromEntries(
        [...datasets].map(([name, more]) => {
          const { added, replaced } = changes[name] ?? { added: 0, replaced: 0 }
          return [name, { added, replaced, ...more }]
        }),
      ),
      undo,
      ...(closed && closed > (former ?? '') ? { closed: { before: former, after: closed } } : {}),
      ...(generated === null && mark !== undefined ? { generated: mark } : {}),
    },
  }
  const name = await writeNamed(base, IMPORTS, event)
  const undoable = [...(base.record?.undoable ?? []), undo].slice(-UNDOABLE_IMPORTS)
  return { imports: name, history: name, undoable }
}

/** Writes the record of an undo, before the snapshot that names it. */
export async function recordUndo(base: Base, undoes: number, undoable: readonly string[]): Promise<Members> {
  const event: UndoRecord = {
    format: FORMAT,
    time: new Date().toISOString(),
    undoes,
    snapshot: base.number + 1,
    previous: base.record?.history ?? null,
  }
  return { history: await writeNamed(base, IMPORTS, event), undoable: [...undoable] }
}

/**
 * The manifests that a draft replaces, and those in their place. Of derived datasets only partitions with rows that
 * were not computed: the others are derived again.
 */
function replacedBy({ record }: Base, holdings: ReadonlyMap<string, Holding>): Replaced {
  const before: Record<string, Record<string, string>> = {}
  const after: Record<string, Record<string, string>> = {}
  for (const [dataset, { former, now }] of holdings) {
    const isDerived = derivations().has(dataset)
    const names = record?.datasets[dataset]?.partitions ?? {}
    const gone = [...former].flatMap(([partition, manifest]) => {
      const isGone = manifest !== null && now.get(partition) !== manifest
      return isGone && !(isDerived && isComputed(manifest)) ? [[partition, names[partition] ?? '']] : []
    })
    if (gone.length > 0) before[dataset] = Object.fromEntries(gone)
    const fresh = [...now].filter(([partition, manifest]) => former.get(partition) !== manifest)
    if (!isDerived && fresh.length > 0)
      after[dataset] = Object.fromEntries(
        fresh.map(([partition, manifest]) => [partition, formatManifest(manifest).name]),
      )
  }
  return { before, after }
}

/** Whether all rows of a derived partition were computed. */
const isComputed = ({ days, derived = {} }: Manifest) =>
  days !== undefined && Object.keys(days).every(day => derived[day] !== undefined)

/** Writes a record under its content name, durably. Returns the name. */
async function writeNamed({ lake, staging }: Base, folder: string, record: object): Promise<string> {
  const text = `${JSON.stringify(record)}\n`
  const file = `${contentHash(text)}.json`
  const target = join(lake, folder, file)
  if (existsSync(target)) return `${folder}/${file}`
  const temporary = join(staging, `${folder}.${file}`)
  await createFile(temporary, text)
  await renameFile(temporary, target)
  await syncFolder(join(lake, folder))
  return `${folder}/${file}`
}
