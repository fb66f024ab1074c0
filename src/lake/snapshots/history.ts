import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { currentNumber } from '../store/current.ts'
import { lakeFolder, SNAPSHOTS } from '../store/layout.ts'
import { readRecord, type SnapshotRecord } from '../store/record.ts'
import { type Kept, keptSnapshots } from './kept.ts'

/** A snapshot that the lake still has. */
export interface PastSnapshot {
  readonly record: SnapshotRecord
  readonly isCurrent: boolean
  /** The names by which it is kept. */
  readonly keptAs: readonly string[]
}

export interface History {
  /** Ascending. */
  readonly snapshots: readonly PastSnapshot[]
  /** Names of snapshots that do not exist. */
  readonly lost: readonly Kept[]
}

/** The snapshots of a lake up to the current one. Rejects with lake_missing, lake_damaged or lake_newer. */
export async function snapshotHistory(lake: string): Promise<History> {
  const folder = lakeFolder(lake)
  const current = await currentNumber(folder)
  const kept = await keptSnapshots(folder)
  const snapshots: PastSnapshot[] = []
  for (const number of await snapshotNumbers(folder)) {
    // A later one is not yet published; one that a vacuum has just deleted is gone.
    const record = number > current ? null : await readRecord(folder, number)
    if (record === null) continue
    const keptAs = kept.filter(({ snapshot }) => snapshot === number).map(({ name }) => name)
    snapshots.push({ record, isCurrent: number === current, keptAs })
  }
  const known = new Set(snapshots.map(({ record }) => record.number))
  return { snapshots, lost: kept.filter(({ snapshot }) => !known.has(snapshot)) }
}

/** The numbers of all snapshots on the disk, ascending. */
export async function snapshotNumbers(lake: string): Promise<number[]> {
  const names = await readdir(join(lake, SNAPSHOTS))
  return names
    .flatMap(name => /^([1-9]\d*)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((one, other) => one - other)
}
