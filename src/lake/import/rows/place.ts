import { readdir, stat } from 'node:fs/promises'
import { Failure, firstLine, systemCode } from '../../../engine/failure.ts'
import { datasets } from '../../store/datasets.ts'
import {
  CURRENT,
  IMPORTS,
  MANIFESTS,
  PUBLISHING,
  SNAPSHOTS,
  STAGING,
  SUPERSEDED,
  UNDO,
} from '../../store/layout.ts'

/** The folder of a lake with the rejects files of its imports. */
export const REJECTS = 'rejects'

/** Leftovers of a failed first import. A killed one also leaves the folders of datasets. */
const OWN = new Set([REJECTS, STAGING, PUBLISHING, SNAPSHOTS, MANIFESTS, SUPERSEDED, IMPORTS, UNDO])

/**
 * Whether `lake` is a lake. If not, a first import may create it. Throws Failure `lake_missing` for a file, and for a
 * folder with other content, so that a wrong path does not mix a lake with the user's files.
 */
export async function isLake(lake: string): Promise<boolean> {
  const found = await stat(lake).catch(thrown => {
    if (systemCode(thrown) === 'ENOENT') return undefined
    throw new Failure('lake_missing', `cannot read ${lake}: ${firstLine(thrown)}`, { cause: thrown })
  })
  if (found === undefined) return false
  if (!found.isDirectory())
    throw new Failure('lake_missing', `${lake} is a file: specify a folder for the lake`)
  const names = await readdir(lake)
  if (names.includes(CURRENT)) return true
  const own = names.includes(STAGING) ? new Set([...OWN, ...datasets().keys()]) : OWN
  const foreign = names.filter(name => !own.has(name)).sort()
  if (foreign.length > 0)
    throw new Failure(
      'lake_missing',
      `${lake} is not a lake and not empty (it holds ${JSON.stringify(foreign[0])}): specify an empty or a new folder`,
    )
  return false
}
