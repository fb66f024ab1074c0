import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../../engine/failure.ts'

/** The names in a folder; none if there is no such folder. Otherwise rejects as `readdir` does. */
export const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch(thrown => {
    if (systemCode(thrown) === 'ENOENT') return []
    throw thrown
  })

/**
 * The entries below a folder, at any depth, symbolic links among them but nothing behind them. Node's own recursive
 * `readdir` with types follows links to folders from Node 26 on. Rejects as `readdir` does if there is no such folder.
 */
export async function entriesBelow(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const folders = entries.filter(entry => entry.isDirectory())
  const deeper = await Promise.all(folders.map(({ name }) => entriesBelow(join(folder, name))))
  return [...entries, ...deeper.flat()]
}
