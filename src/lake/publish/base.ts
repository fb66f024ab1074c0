import { Failure } from '../../engine/failure.ts'
import { currentNumber, prepareCurrent, readCurrent } from '../store/current.ts'
import type { Dataset } from '../store/datasets.ts'
import { FORMAT } from '../store/format.ts'
import { type Manifest, readServable } from '../store/manifest.ts'
import { entriesOf, readRecord, requireRecord, type SnapshotRecord } from '../store/record.ts'
import { completeMoves } from './moves.ts'
import { isRunning } from './owner.ts'

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

/**
 * The snapshot to build on. If a publish died after it wrote its snapshot and before CURRENT named it, this completes
 * it first: all files that the snapshot names are on the disk. It also moves the files that a dead publish left behind.
 * Rejects with lake_conflict while that writer still runs, and with lake_older, unless the caller reads former formats.
 */
export async function openBase(
  lake: string,
  staging: string,
  { readsFormer = false }: { readonly readsFormer?: boolean } = {},
): Promise<Base> {
  let number = (await readCurrent(lake)) ?? 0
  let record = number === 0 ? null : await requireRecord(lake, number)
  for (;;) {
    const unfinished = await readRecord(lake, number + 1)
    if (unfinished === null) break
    if (mayStillRun(unfinished)) throw conflict(number + 1)
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
