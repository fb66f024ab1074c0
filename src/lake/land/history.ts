import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { SNAPSHOTS } from '../store/layout.ts'
import { readRecord, type SnapshotRecord } from '../store/record.ts'
import { type ImportRecord, readEvents, type UndoRecord } from './import-record.ts'

/** An import of a lake. */
export interface PastImport {
  /** The name of its record. */
  readonly name: string
  readonly record: ImportRecord
  /** The snapshot that it made; null if an earlier version made it and the snapshot is gone. */
  readonly number: number | null
  /** The snapshot of its undo; null if it was not undone. */
  readonly undoneBy: number | null
}

/**
 * The imports of a lake up to a snapshot, the oldest first. Leaves out the records of imports that were not published.
 * Throws lake_damaged or lake_newer.
 */
export async function importHistory(lake: string, record: SnapshotRecord | null): Promise<PastImport[]> {
  const events = await readEvents(lake)
  const undone = new Map<number, number>()
  const recorded: PastImport[] = []
  for (let name = record?.history ?? null; name !== null; ) {
    const event = events.get(name)
    if (event === undefined) break
    if ('undoes' in event) undone.set(event.undoes, event.snapshot)
    else if (event.landed !== undefined) recorded.push(pastImport(name, event, event.landed.snapshot, undone))
    name = previousOf(event)
  }
  return [...(await earlierImports(lake, events, undone)), ...recorded.toReversed()]
}

const pastImport = (
  name: string,
  record: ImportRecord,
  number: number | null,
  undone: ReadonlyMap<number, number>,
): PastImport => ({ name, record, number, undoneBy: undone.get(number ?? 0) ?? null })

const previousOf = (event: ImportRecord | UndoRecord) =>
  'undoes' in event ? event.previous : (event.landed?.previous ?? null)

/** The imports of earlier versions, whose records do not state their snapshots. */
async function earlierImports(
  lake: string,
  events: ReadonlyMap<string, ImportRecord | UndoRecord>,
  undone: ReadonlyMap<number, number>,
): Promise<PastImport[]> {
  const earlier = [...events].flatMap(([name, event]) =>
    'undoes' in event || event.landed !== undefined ? [] : [{ name, event }],
  )
  if (earlier.length === 0) return []
  const numbers = await snapshotsByImport(lake)
  return earlier
    .map(({ name, event }) => pastImport(name, event, numbers.get(name) ?? null, undone))
    .toSorted((one, other) => (one.record.time < other.record.time ? -1 : 1))
}

/** The numbers of the snapshots that imports made, by the names of their records. */
async function snapshotsByImport(lake: string): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (const file of await readdir(join(lake, SNAPSHOTS))) {
    const number = /^([1-9]\d*)\.json$/.exec(file)?.[1]
    const record = number === undefined ? null : await readRecord(lake, Number(number))
    if (record?.imports !== undefined) numbers.set(record.imports, record.number)
  }
  return numbers
}
