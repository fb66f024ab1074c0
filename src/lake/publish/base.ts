import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../engine/failure.ts'
import { isRunning } from '../../engine/owner.ts'
import { currentNumber, prepareCurrent, readCurrent } from '../store/current.ts'
import type { Dataset } from '../store/datasets.ts'
import { FORMAT } from '../store/format.ts'
import { type Manifest, readServable } from '../store/manifest.ts'
import { entriesOf, readRecord, requireRecord, type SnapshotRecord } from '../store/record.ts'
import { completeMoves } from './moves.ts'

/** The snapshot that a writer builds on. */
export interface Base {
  readonly lake: string
  /** The writer's own folder for unpublished files. */
  readonly staging: string
  /** Number of the current snapshot; 0 if the folder holds no lake yet. */
  readonly number: number
  readonly record: SnapshotRecord | null
}

/** A writer on another host is assumed to run for this long after it wrote a snapshot. */
const OTHER_HOST_MS = 60_000

/** Another writer is waited for this long between its snapshot and its CURRENT, which lie two writes to the disk apart. */
const PATIENCE_MS = 10_000
const LOOK_EVERY_MS = 50

/** A writer publishes again at most so many times on the snapshots of other writers. */
const REPEATS = 8

interface BaseOptions {
  /** Default: PATIENCE_MS. */
  readonly patienceMs?: number
  /** Whether the snapshot may be of an earlier format, all of which the writer replaces. Default: false. */
  readonly readsFormer?: boolean
}

export interface RebaseOptions extends BaseOptions {
  /** Default: REPEATS. */
  readonly repeats?: number
}

/**
 * Runs `work`, which publishes, on the current snapshot. If another writer published first, runs it again on that
 * snapshot. Rejects with lake_conflict after too many repeats.
 */
export async function onNewestBase<T>(
  lake: string,
  staging: string,
  work: (base: Base) => Promise<T>,
  { repeats = REPEATS, ...options }: RebaseOptions = {},
): Promise<T> {
  for (let left = repeats; ; left -= 1) {
    const base = await openBase(lake, staging, options)
    try {
      return await work(base)
    } catch (thrown) {
      if (left === 0 || !(thrown instanceof Failure && thrown.code === 'lake_conflict')) throw thrown
    }
  }
}

/**
 * The snapshot to build on. If a publish died after it wrote its snapshot and before CURRENT named it, this completes
 * it first: all files that the snapshot names are on the disk. It also moves the files that a dead publish left behind.
 * While that writer runs, waits for it, and rejects with lake_conflict after `patienceMs`. Rejects with lake_older,
 * unless the caller reads former formats.
 */
export async function openBase(
  lake: string,
  staging: string,
  { patienceMs = PATIENCE_MS, readsFormer = false }: BaseOptions = {},
): Promise<Base> {
  const until = performance.now() + patienceMs
  let number = (await readCurrent(lake)) ?? 0
  let record = number === 0 ? null : await requireRecord(lake, number)
  for (;;) {
    const unfinished = await readRecord(lake, number + 1)
    if (unfinished === null) break
    if (mayStillRun(unfinished)) {
      if (performance.now() >= until) throw conflict(number + 1)
      await sleep(LOOK_EVERY_MS)
      const current = (await readCurrent(lake)) ?? 0
      if (current === number) continue
      number = current
      record = await requireRecord(lake, number)
      continue
    }
    number += 1
    record = unfinished
    const point = await prepareCurrent(lake, staging, number)
    await point()
  }
  if (record !== null && !readsFormer) assertPresentFormat(lake, record)
  await completeMoves(lake)
  return { lake, staging, number, record }
}

/** Throws lake_older for a lake of an earlier format, which can only be read: before a command takes long. */
export async function assertWritable(lake: string): Promise<void> {
  assertPresentFormat(lake, await requireRecord(lake, await currentNumber(lake)))
}

function assertPresentFormat(lake: string, { format }: SnapshotRecord): void {
  if (format !== FORMAT)
    throw new Failure(
      'lake_older',
      `an earlier tapehouse wrote ${lake} (format ${format}, this one writes ${FORMAT}): run "tapehouse upgrade-lake" first`,
    )
}

function mayStillRun({ writer, created_at }: SnapshotRecord): boolean {
  const running = isRunning(writer)
  return running === 'elsewhere' ? Date.now() - Date.parse(created_at) < OTHER_HOST_MS : running
}

/** The manifests of a dataset in the snapshot that a writer builds on. Throws lake_damaged or lake_newer. */
export async function manifestsOf(
  lake: string,
  record: SnapshotRecord | null,
  dataset: Dataset,
): Promise<Manifest[]> {
  const entries = record === null ? [] : entriesOf(record).filter(entry => entry.dataset === dataset.name)
  const manifests: Manifest[] = []
  for (const entry of entries) manifests.push(await readServable(lake, entry))
  return manifests
}

/** Another writer published snapshot `number` first. */
export function conflict(number: number): Failure {
  return new Failure(
    'lake_conflict',
    `another command published snapshot ${number} in the meantime, so this one published nothing: run it again`,
  )
}
