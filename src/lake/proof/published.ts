import { join } from 'node:path'
import { readCurrent } from '../store/current.ts'
import { type Manifest, readManifest } from '../store/manifest.ts'
import type { LakeFile } from '../store/prune.ts'
import { entriesOf, readRecord } from '../store/record.ts'
import type { Proofs } from './proofs.ts'

/**
 * Proves what was published since snapshot `before` (null: all), so that a server on this machine does not read it again when
 * it is first needed: the files are in memory now.
 */
export async function provePublished(
  proofs: Pick<Proofs, 'check'>,
  lake: string,
  before: number | null,
): Promise<void> {
  const number = await readCurrent(lake)
  const record = number === null || number === before ? null : await readRecord(lake, number)
  if (record === null) return
  const former = before === null ? null : await readRecord(lake, before)
  const known = new Set(former === null ? [] : entriesOf(former).map(({ manifest }) => manifest))
  for (const entry of entriesOf(record))
    if (!known.has(entry.manifest)) await proofs.check([filesOf(lake, await readManifest(lake, entry))])
}

const filesOf = (lake: string, { dataset, files }: Manifest): LakeFile[] =>
  files.map(file => ({ ...file, dataset, path: join(lake, file.name) }))
