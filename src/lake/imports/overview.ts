import { importHistory, type PastImport } from '../land/history.ts'
import { currentNumber } from '../store/current.ts'
import { lakeFolder } from '../store/layout.ts'
import { readManifest } from '../store/manifest.ts'
import { entriesOf, requireRecord } from '../store/record.ts'

export interface ImportsOverview {
  /** The oldest first. */
  readonly imports: readonly PastImport[]
  /** The number of input files of the lake's partitions that no record names: earlier versions wrote none. */
  readonly unrecorded: number
}

/** The imports of a lake. Rejects with lake_missing, lake_damaged or lake_newer. */
export async function importsOverview(lake: string): Promise<ImportsOverview> {
  const folder = lakeFolder(lake)
  const record = await requireRecord(folder, await currentNumber(folder))
  const imports = await importHistory(folder, record)
  const recorded = new Set(imports.flatMap(past => past.record.files.map(({ input }) => input)))
  const unrecorded = new Set<string>()
  for (const entry of entriesOf(record))
    for (const input of (await readManifest(folder, entry)).inputs)
      if (!recorded.has(input)) unrecorded.add(input)
  return { imports, unrecorded: unrecorded.size }
}
