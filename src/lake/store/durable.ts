import { existsSync } from 'node:fs'
import { link, mkdir, open, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Failure, firstLine, systemCode } from '../../engine/failure.ts'
import { failpoint } from './failpoint.ts'
import { shareOut } from './lanes.ts'

/** So often is an operation tried in a folder that other processes remove. */
const ATTEMPTS = 5

/**
 * The file operations of a publish. Each has a failpoint before and after it, and fails with a Failure that says what
 * to do. A new name in a folder is durable only after the folder itself has been synced.
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

/** Creates a file and syncs it. Fails if it exists. */
export async function createFile(path: string, text: string): Promise<void> {
  await intoFolder(path, 'write', async () => {
    const file = await open(path, 'wx')
    await file.writeFile(text).finally(() => file.close())
  })
  await syncFile(path)
}

/** Syncs a file's content. */
export const syncFile = (path: string) => primitive('fsync', path, () => sync(path))

/** Syncs a folder's entries. Does nothing if another process has removed the folder, which was empty then. */
export const syncFolder = (path: string) =>
  primitive('fsync folder', path, () => sync(path).catch(unlessMissing))

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Renames a file; replaces an existing one. */
export const renameFile = (from: string, to: string) => intoFolder(to, 'rename', () => rename(from, to))

/**
 * Moves a file within the lake. Does nothing if the file is there already: another writer may move the same one.
 */
export async function moveFile(from: string, to: string): Promise<void> {
  const isMovable = () => existsSync(from) && !existsSync(to)
  if (isMovable())
    await intoFolder(to, 'move', async () => {
      if (isMovable()) await rename(from, to)
    })
}

/**
 * A primitive that puts something at `path`. If the folder is missing, creates it and tries again: any other process that
 * writes to the lake may remove a folder while it is empty.
 */
export async function intoFolder<T>(path: string, name: string, act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await primitive(name, path, act)
    } catch (thrown) {
      if (systemCode((thrown as Failure).cause) !== 'ENOENT' || attempt === ATTEMPTS) throw thrown
      await makeFolder(dirname(path))
    }
  }
}

/** Removes a file, if it exists. */
export const removeFile = (path: string) => primitive('unlink', path, () => unlink(path).catch(unlessMissing))

/** Ignores that a file or folder does not exist. */
function unlessMissing(thrown: unknown): void {
  if (systemCode(thrown) !== 'ENOENT') throw thrown
}

/** Links a file under a second name; false if that name exists. */
export function linkFile(from: string, to: string): Promise<boolean> {
  return intoFolder(to, 'link', async () => {
    try {
      await link(from, to)
      return true
    } catch (thrown) {
      if (systemCode(thrown) === 'EEXIST') return false
      throw thrown
    }
  })
}

/**
 * Creates a folder and its missing parents, and syncs each. Level by level, because Node's recursive mkdir reports a
 * read-only file system as ENOENT and never returns below /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  if (dirname(path) === path) return
  // On later attempts, another process has just removed the empty parent folder.
  const isNew = await intoFolder(path, 'mkdir', () => makeOneFolder(path))
  if (isNew) await syncFolder(dirname(path))
}

/** Creates folders and their missing parents: these first, so that the lanes do not create the same one. */
export async function makeFolders(paths: readonly string[]): Promise<void> {
  for (const parent of new Set(paths.map(path => dirname(path)))) await makeFolder(parent)
  await shareOut([1, 2, 3, 4], new Set(paths), (_, path) => makeFolder(path))
}

/** Creates a folder; false if the name exists. If it is not a folder, its first use fails. */
async function makeOneFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false
    throw thrown
  }
}

/** Removes a folder with its content, if it exists. */
export const removeFolder = (path: string) =>
  primitive('remove', path, () => rm(path, { recursive: true, force: true }))

/** The lake_write failure for a failed write, with what to do about it. */
export function writeFailure(path: string, thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  const code = systemCode(thrown)
  const message = /^(ENOSPC|EDQUOT|EFBIG)$/.test(code)
    ? 'the disk is full: free some space and run the command again; nothing was published'
    : /^(EACCES|EPERM|EROFS)$/.test(code)
      ? `${path} cannot be written (${code}): check the owner of the lake's folder and how it is mounted`
      : /^(ENOTDIR|EEXIST|EISDIR)$/.test(code)
        ? `${path} cannot be created (${code}): part of the path exists and is not a folder; move it away`
        : `${path} cannot be written: ${firstLine(thrown)}`
  return new Failure('lake_write', message, { cause: thrown })
}
