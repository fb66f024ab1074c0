import { existsSync } from 'node:fs'
import { Failure } from '../../engine/failure.ts'
import { derivations } from '../store/derivation.ts'
import { pathOf } from '../store/layout.ts'
import { type Manifest, readServable } from '../store/manifest.ts'
import type { Entry } from '../store/record.ts'

/**
 * A partition's manifest. Null for a derived partition that is lost or has the columns of another version, because it
 * can be computed again. Throws lake_damaged or lake_newer for any other partition.
 */
export async function readHeld(lake: string, entry: Entry): Promise<Manifest | null> {
  if (!derivations().has(entry.dataset)) return readServable(lake, entry)
  try {
    const manifest = await readServable(lake, entry)
    if (manifest.files.every(({ name }) => existsSync(pathOf(lake, name)))) return manifest
  } catch (thrown) {
    if (!(thrown instanceof Failure && (thrown.code === 'lake_damaged' || thrown.code === 'lake_older')))
      throw thrown
  }
  return null
}
