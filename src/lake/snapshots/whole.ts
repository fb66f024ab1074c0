import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import { damaged } from '../store/format.ts'
import { pathOf, snapshotName } from '../store/layout.ts'
import { type Manifest, readServable } from '../store/manifest.ts'
import { entriesOf, readRecord, type SnapshotRecord } from '../store/record.ts'

/** A snapshot with the manifests of its datasets, all of whose files exist. */
export interface WholeSnapshot {
  readonly record: SnapshotRecord
  readonly manifests: readonly Manifest[]
}

/**
 * Reads a snapshot's record and manifests, and checks that its files exist. Rejects with not_found if there is no such
 * snapshot, and with lake_damaged that names the missing file.
 */
export async function wholeRecord(lake: string, number: number): Promise<WholeSnapshot> {
  const record = await readRecord(lake, number)
  if (record === null)
    throw new Failure(
      'not_found',
      `${lake} has no snapshot ${number}: "tapehouse snapshots" lists those that it has`,
    )
  const manifests: Manifest[] = []
  for (const entry of entriesOf(record)) {
    const manifest = await readServable(lake, entry)
    const missing = manifest.files.find(({ name }) => !existsSync(pathOf(lake, name)))
    if (missing !== undefined)
      throw damaged(join(lake, snapshotName(number)), `its file ${missing.name} does not exist`)
    manifests.push(manifest)
  }
  return { record, manifests }
}
