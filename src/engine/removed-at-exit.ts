import { rmdirSync, rmSync } from 'node:fs'

/** Each folder, with the one around it if that is removed too once it is empty. */
const folders = new Map<string, string | null>()

/**
 * Has a folder removed when the process exits, for example after Ctrl-C, and `around`, which it is in, unless that holds
 * something else. Returns a function that takes this back, for the caller that has removed the folder itself. A process
 * that is killed leaves both.
 */
export function removedAtExit(folder: string, around: string | null = null): () => void {
  if (folders.size === 0) process.once('exit', removeAll)
  folders.set(folder, around)
  return () => {
    folders.delete(folder)
    if (folders.size === 0) process.off('exit', removeAll)
  }
}

function removeAll(): void {
  for (const [folder, around] of folders) {
    try {
      rmSync(folder, { recursive: true, force: true })
      if (around !== null) rmdirSync(around)
    } catch {
      // It is not empty, or the next command that writes removes it.
    }
  }
}
