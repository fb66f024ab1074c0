import { resolve } from 'node:path'
import type { Observe } from '../../engine/observation.ts'
import { openWriter, type Writer } from '../../engine/writer.ts'
import { progressOn } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'
import { SETTINGS, type Settings } from './settings.ts'

/** Runs work on a lake's folder with a writer and progress on the terminal, and puts both away whatever happens. */
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

/** Commands that write sort whole days: unless told otherwise they may use more than a worker does. */
const WRITER_MIB = 2560

/** Memory in bytes that the engine of a command that writes may use: `unsetMib` where the settings leave it open. */
export const writerMemory = ({ memoryMib }: Settings, unsetMib = WRITER_MIB): number =>
  (memoryMib === SETTINGS.memoryMib.default ? unsetMib : memoryMib) * 1024 ** 2
