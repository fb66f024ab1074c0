import { currentNumber } from '../../lake/store/current.ts'
import { lakeFolder } from '../../lake/store/layout.ts'
import type { Settings } from './settings.ts'

/** The number of the snapshot that `--snapshot` names; undefined for the current one. */
export async function selectedSnapshot({ lake, snapshot }: Settings): Promise<number | undefined> {
  if (snapshot === null) return undefined
  const folder = lakeFolder(lake)
  await currentNumber(folder)
  const { wholeSnapshot } = await import('../../lake/snapshots/named.ts')
  return wholeSnapshot(folder, snapshot)
}
