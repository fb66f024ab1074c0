import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

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
