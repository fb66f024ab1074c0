import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readHeld } from '../../engine/file-lists.ts'
import { temporaryFolder } from '../../engine/temporary-folder.ts'
import { openWriter } from '../../engine/writer.ts'
import { snapshotAsOf } from '../../lake/point-in-time/as-of.ts'
import { locator } from '../../lake/store/layout.ts'
import { allFiles, type LoadedSnapshot } from '../../lake/store/snapshot.ts'
import { progressOn } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'
import { commandProofs } from './proofs.ts'
import type { Settings } from './settings.ts'

/**
 * Calls `use` with a snapshot as of the end of a day, and with the folder outside the lake that has the files of this
 * state. The folder is removed afterwards; `temporaryFolder` removes it if the process is interrupted.
 */
export async function withSnapshotAsOf<T>(
  settings: Settings,
  snapshot: LoadedSnapshot,
  day: string,
  use: (snapshot: LoadedSnapshot, folder: string) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder('as-of')
  try {
    return await use(await made(settings, snapshot, day, folder), folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function made(
  settings: Settings,
  snapshot: LoadedSnapshot,
  day: string,
  folder: string,
): Promise<LoadedSnapshot> {
  const proofs = commandProofs(settings, snapshot.lake)
  try {
    return await readHeld(proofs, allFiles(snapshot), new AbortController().signal, () => {
      // What another attempt has left.
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
      return makeIn(folder, settings, snapshot, day)
    })
  } finally {
    proofs.close()
  }
}

async function makeIn(
  folder: string,
  settings: Settings,
  snapshot: LoadedSnapshot,
  day: string,
): Promise<LoadedSnapshot> {
  const progress = progressOn(process.stderr)
  const writer = await openWriter({
    directories: [snapshot.lake, folder],
    locate: locator(snapshot.lake),
    memoryBytesMax: settings.memoryMib * 1024 ** 2,
    threads: engineThreads(settings.threads, 1),
  })
  try {
    return await snapshotAsOf(writer, snapshot, day, folder, progress.observe)
  } finally {
    progress.end()
    writer.close()
  }
}
