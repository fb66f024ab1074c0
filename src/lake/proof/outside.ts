import { realpathSync } from 'node:fs'
import { sep } from 'node:path'

/** What is wrong with a file that `leadsOut`. */
export const LEADS_OUT =
  'it is reached by a symbolic link to outside the lake, where the engine does not read: move it into the lake'

/**
 * Whether the path of a file of the lake leads out of it by a symbolic link, of the file or of a folder. Both paths are absolute, and
 * the lake itself may be a link. False if the file does not exist.
 */
export function leadsOut(lake: string, path: string): boolean {
  try {
    return (
      path.startsWith(lake + sep) && !realpathSync.native(path).startsWith(realpathSync.native(lake) + sep)
    )
  } catch {
    return false
  }
}
