import { resolve } from 'node:path'
import type { Observe } from '../../engine/observation.ts'
import { openWriter, type Writer } from '../../engine/writer.ts'
import { locator } from '../../lake/store/layout.ts'
import { progressOn } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'
import { SETTINGS, type Settings } from './settings.ts'

/** Runs a function with a writer for a lake and with progress on the terminal, and closes both afterwards. */
export async function withWriter<T>(
  settings: Settings,
  folder: string,
  work: (writer: Writer, lake: string, observe: Observe) => Promise<T>,
  { threads = engineThreads(settings.threads, 1), memoryMib = WRITER_MIB } = {},
): Promise<T> {
  const lake = resolve(folder)
  const progress = progressOn(process.stderr)
  const writer = await openWriter({
    directories: [lake],
    locate: locator(lake),
    memoryBytesMax: writerMemory(settings, memoryMib),
    threads,
  })
  try {
    return await work(writer, lake, progress.observe)
  } finally {
    progress.end()
    writer.close()
  }
}

/** Default for commands that write: they sort whole days, which takes more memory than a worker needs. */
const WRITER_MIB = 2560

/** Memory of a command that writes, in bytes: the setting or, if it has its default, `defaultMib`. */
export const writerMemory = ({ memoryMib }: Settings, defaultMib = WRITER_MIB): number =>
  (memoryMib === SETTINGS.memoryMib.default ? defaultMib : memoryMib) * 1024 ** 2
