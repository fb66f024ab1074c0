import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import { temporaryRoot } from '../../engine/temporary-folder.ts'
import type { Settings } from '../command/settings.ts'

/** Permissions of users that are neither the owner nor in the group, and the bit of folders such as /tmp: see chmod(1). */
const OTHERS = { read: 0o004, write: 0o002 }
const STICKY = 0o1000

/**
 * What the permissions of files let others do to a server, one line each. Throws `start_refused` if this user can write in
 * the lake and must not be able to.
 */
export function permissionsOf({ lake, tokens, requireReadOnly }: Settings): readonly string[] {
  const folder = resolve(lake)
  const isWritable = canWriteIn(folder)
  if (isWritable && requireReadOnly)
    throw new Failure(
      'start_refused',
      `this user can write in the lake ${folder}, which --require-read-only forbids: mount it read-only, or serve as another user than the one that imports`,
    )
  return [
    ...(isWritable
      ? [
          `this user can write in the lake ${folder}: only the engine keeps the server from it (mount it read-only, or serve as another user)`,
        ]
      : []),
    ...openToOthers('the lake', folder, ({ mode }) => mode & OTHERS.write, 'o-w'),
    ...openToOthers('the folder of the lake', dirname(folder), isReplaceable, 'o-w'),
    ...openToOthers('the tokens file', resolve(tokens), ({ mode }) => mode & OTHERS.write, 'o-w'),
    ...openToOthers('the folder of the tokens file', dirname(resolve(tokens)), isReplaceable, 'o-w'),
    ...openToOthers('the tokens file', resolve(tokens), ({ mode }) => mode & OTHERS.read, 'o-r'),
    ...temporaryOfOthers(temporaryRoot()),
  ]
}

/** In a folder that is sticky, others cannot rename what they do not own. */
const isReplaceable = ({ mode }: Stats) => mode & OTHERS.write && !(mode & STICKY)

function openToOthers(
  what: string,
  path: string,
  isOpen: (stats: Stats) => unknown,
  correction: string,
): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  // Windows has no such permissions.
  if (stats === undefined || process.getuid === undefined || !isOpen(stats)) return []
  const verb = correction === 'o-r' ? 'read' : 'written'
  return [`${what}, ${path}, can be ${verb} by all users: chmod ${correction} ${path}`]
}

function temporaryOfOthers(folder: string): readonly string[] {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid
  const own = process.getuid?.()
  return owner === undefined || own === undefined || owner === own || owner === 0
    ? []
    : [
        `the temporary folder ${folder} belongs to another user (${owner}): name one of your own with --temp-dir`,
      ]
}

/** Whether a file can be made in a folder. It is removed at once. */
function canWriteIn(folder: string): boolean {
  const path = join(folder, `.tapehouse-${randomBytes(6).toString('hex')}`)
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    return false
  }
  rmSync(path, { force: true })
  return true
}
