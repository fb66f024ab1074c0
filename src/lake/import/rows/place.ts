import { readdir, stat } from 'node:fs/promises'
import { Failure, firstLine, systemCode } from '../../../engine/failure.ts'
import { datasets } from '../../store/datasets.ts'
import { CURRENT, SNAPSHOTS, STAGING } from '../../store/layout.ts'

/** The folder of a lake that holds what its imports refused. */
export const REJECTS = 'rejects'

/** What a first import that failed can leave behind; one that was killed, folders of datasets as well. */
const OWN = new Set([REJECTS, STAGING, SNAPSHOTS])

/**
 * Whether `lake` is a lake already; if not, a first import may make it one. Throws Failure `lake_missing` for a
 * file, and for a folder that holds something else: rows must not end up beside a person's files by a slip.
 */
export async function isLake(lake: string): Promise<boolean> {
  const found = await stat(lake).catch(thrown => {
    if (systemCode(thrown) === 'ENOENT') return undefined
    throw new Failure('lake_missing', `cannot look into ${lake}: ${firstLine(thrown)}`, { cause: thrown })
  })
  if (found === undefined) return false
  if (!found.isDirectory()) throw new Failure('lake_missing', `${lake} is a file: name a folder for the lake`)
  const names = await readdir(lake)
  if (names.includes(CURRENT)) return true
  const own = names.includes(STAGING) ? new Set([...OWN, ...datasets().keys()]) : OWN
  const foreign = names.filter(name => !own.has(name)).sort()
  if (foreign.length > 0)
    throw new Failure(
      'lake_missing',
      `${lake} is not a lake and not empty (it holds ${JSON.stringify(foreign[0])}): name an empty or a new folder`,
    )
  return false
}
