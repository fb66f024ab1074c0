import { resolve } from 'node:path'
import type { Observe } from '../../engine/observation.ts'
import { openWriter, type Writer } from '../../engine/writer.ts'
import { provePublished } from '../../lake/proof/published.ts'
import { readCurrent } from '../../lake/store/current.ts'
import { locator } from '../../lake/store/layout.ts'
import { progressOn } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'
import { commandProofs } from './proofs.ts'
import type { Settings } from './settings.ts'

/** Runs a function with a writer for a lake and with progress on the terminal, and closes both afterwards. */
export async function withWriter<T>(
  settings: Settings,
  folder: string,
  work: (writer: Writer, lake: string, observe: Observe) => Promise<T>,
  { threads = engineThreads(settings.threads, 1), memoryMib = settings.memoryMib } = {},
): Promise<T> {
  const lake = resolve(folder)
  const before = await readCurrent(lake).catch(() => null)
  const proofs = commandProofs(settings, lake)
  const progress = progressOn(process.stderr)
  const writer = await openWriter({
    directories: [lake],
    guard: proofs,
    locate: locator(lake),
    memoryBytesMax: memoryMib * 1024 ** 2,
    threads,
  })
  try {
    const result = await work(writer, lake, progress.observe)
    // What is published stays published.
    await provePublished(proofs, lake, before).catch(() => {})
    return result
  } finally {
    progress.end()
    writer.close()
    proofs.close()
  }
}

/** Defaults of commands that write: they sort whole days, which takes more memory than a worker needs. */
export const writerDefaults = (): Partial<Settings> => ({ memoryMib: 2560 })
