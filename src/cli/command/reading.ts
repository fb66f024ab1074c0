import { type Engine, openEngine } from '../../engine/engine.ts'
import { dataset } from '../../lake/store/datasets.ts'
import { locator } from '../../lake/store/layout.ts'
import { engineThreads } from '../terminal/threads.ts'
import { commandProofs } from './proofs.ts'
import type { Settings } from './settings.ts'

const MEBIBYTE = 1024 ** 2

/**
 * Runs a function with an engine for one query at a time on a lake and the files in `directories`, and closes it
 * afterwards. Damaged files are not read.
 */
export async function withEngine<T>(
  settings: Settings,
  lake: string,
  work: (engine: Engine) => Promise<T>,
  directories: readonly string[] = [],
): Promise<T> {
  const proofs = commandProofs(settings, lake)
  const engine = await openEngine(
    {
      lake,
      guard: proofs,
      directories,
      locate: locator(lake),
      threads: engineThreads(settings.threads, 1),
      memoryBytesMax: settings.memoryMib * MEBIBYTE,
      temporaryBytesMax: settings.temporaryMib * MEBIBYTE,
      leasesMax: 1,
      queueMax: 1,
      schemaOf: dataset,
    },
    () => {},
  )
  try {
    return await work(engine)
  } finally {
    await engine.close()
    proofs.close()
  }
}
