import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Failure, firstLine } from '../../engine/failure.ts'
import { failpoint } from './failpoint.ts'

/**
 * The primitives that a publish is made of. Each passes a failpoint before and after, and ends in a Failure that a
 * person can act on. What a folder names is on the disk only once the folder itself has been synced.
 */
export async function primitive<T>(name: string, path: string, act: () => Promise<T>): Promise<T> {
  const step = `${name} ${basename(path)}`
  failpoint(`before ${step}`)
  const result = await act().catch(thrown => {
    throw writeFailure(path, thrown)
  })
  failpoint(`after ${step}`)
  return result
}

/** Writes a file that must not exist yet, and its bytes to the disk. */
export async function createFile(path: string, text: string): Promise<void> {
  await primitive('write', path, async () => {
    const file = await open(path, 'wx')
    await file.writeFile(text).finally(() => file.close())
  })
  await syncFile(path)
}

/** Brings a file's bytes to the disk. */
export const syncFile = (path: string) => primitive('fsync', path, () => sync(path))

/** Brings what a folder names to the disk. */
export const syncFolder = (path: string) => primitive('fsync folder', path, () => sync(path))

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Gives a file its name, over any file that has it. */
export const renameFile = (from: string, to: string) => primitive('rename', to, () => rename(from, to))

/** Gives a file one more name; false if a file has it already. */
export function linkFile(from: string, to: string): Promise<boolean> {
  return primitive('link', to, async () => {
    try {
      await link(from, to)
      return true
    } catch (thrown) {
      if (codeOf(thrown) === 'EEXIST') return false
      throw thrown
    }
  })
}

/**
 * Makes a folder, and those above it that are missing; each is on the disk when this returns. Level by level, since
 * Node's recursive mkdir reports a read-only file system as ENOENT and never ends below /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (await primitive('mkdir', path, () => mkdirOrKnow(path))) await syncFolder(dirname(path))
      return
    } catch (thrown) {
      // A second time: another process may just have removed the empty folder above.
      if (codeOf((thrown as Failure).cause) !== 'ENOENT' || attempt === 3 || dirname(path) === path)
        throw thrown
      await makeFolder(dirname(path))
    }
  }
}

/** Whether a folder had to be made. Something else of that name shows at the first use of the folder. */
async function mkdirOrKnow(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false
    throw thrown
  }
}

/** Removes a folder with all that is in it, if it exists. */
export const removeFolder = (path: string) =>
  primitive('remove', path, () => rm(path, { recursive: true, force: true }))

const codeOf = (thrown: unknown) => (thrown as NodeJS.ErrnoException | null)?.code ?? ''

/** What a person reads when the disk refuses. */
export function writeFailure(path: string, thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  const code = codeOf(thrown)
  const message = /^(ENOSPC|EDQUOT|EFBIG)$/.test(code)
    ? 'the disk is full: free some space and run the command again; nothing was published'
    : /^(EACCES|EPERM|EROFS)$/.test(code)
      ? `${path} cannot be written (${code}): check who owns the lake's folder and how it is mounted`
      : /^(ENOTDIR|EEXIST|EISDIR)$/.test(code)
        ? `${path} cannot be made (${code}): something that is no folder stands in the way; move it aside`
        : `${path} cannot be written: ${firstLine(thrown)}`
  return new Failure('lake_write', message, { cause: thrown })
}
