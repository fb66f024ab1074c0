import { randomBytes } from 'node:crypto'
import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { rename, rmdir, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import { isRunning, type Owner, thisProcess } from '../../engine/owner.ts'
import { contentHash } from '../store/content.ts'
import { makeFolder, removeFolder } from '../store/durable.ts'
import { namesIn } from '../store/entries-below.ts'
import { STAGING } from '../store/layout.ts'

/**
 * The kind of a command that changes the lake. Writers may run concurrently (publishing is exclusive). A vacuum runs
 * alone, because a writer may be about to reuse a file that the vacuum is about to delete. Of two that generate all data of
 * the lake, the later one could not publish what it makes in minutes, so it does not begin.
 */
export type Work = 'write' | 'generate' | 'vacuum'

/** A process updates its staging folder's mtime this often, for other hosts, which cannot see whether it runs. */
const STAMP_EVERY_MS = 60_000
/** A process on another host is assumed to run for this long after the last update. */
const OTHER_HOST_MS = 10 * STAMP_EVERY_MS

/**
 * Creates a folder inside the lake for the unpublished files of `act`, and removes it at the end in any case. First it
 * removes the folders of processes that died and passes their names to `act`. Rejects with lake_conflict while a vacuum
 * runs, and for a vacuum, while any other command runs.
 *
 * While the folder has a file with the name `kept`, it stays if `act` fails or the process dies. The next call with this name
 * takes it over; any other removes it.
 */
export async function withStaging<T>(
  lake: string,
  work: Work,
  act: (folder: string, leftovers: readonly string[]) => Promise<T>,
  kept: string | null = null,
): Promise<T> {
  const folder = join(lake, STAGING, stagingName(work, thisProcess()))
  let isDone = false
  const stays = () => kept !== null && !isDone && existsSync(join(folder, kept))
  const removeAtExit = () => {
    if (!stays()) removeNow(folder)
  }
  process.once('exit', removeAtExit)
  if (kept === null || !(await takeOver(lake, folder, kept))) await makeFolder(folder)
  const stamping = setInterval(() => stamp(folder), STAMP_EVERY_MS).unref()
  try {
    const leftovers: string[] = []
    // After creating this process's own folder: if a vacuum and a writer start together, at least one sees the other.
    for (const other of await others(lake, folder)) {
      if (!other.running) {
        await removeFolder(other.path)
        leftovers.push(basename(other.path))
      } else if (work === 'generate' && other.work === 'generate')
        throw new Failure(
          'lake_conflict',
          `another process${other.pid === null ? '' : ` (${other.pid})`} generates the data of ${lake}: run this one again when it has ended (if it is gone for good: remove ${other.path})`,
        )
      else if (work === 'vacuum' || other.work === 'vacuum')
        throw new Failure(
          'lake_conflict',
          `another command ${other.work === 'vacuum' ? 'is vacuuming' : 'writes to'} ${lake}: run this one again when it has ended (if it is gone for good: remove ${other.path})`,
        )
    }
    const result = await act(folder, leftovers)
    isDone = true
    return result
  } finally {
    clearInterval(stamping)
    // If this fails, the next writer removes it; the error must not replace the outcome of `act`.
    if (!stays()) await removeFolder(folder).catch(() => {})
    await rmdir(dirname(folder)).catch(() => {})
    process.off('exit', removeAtExit)
  }
}

/** Renames what a process that died has kept to the folder of this process. Returns whether there was any. */
async function takeOver(lake: string, folder: string, kept: string): Promise<boolean> {
  const dead = (await others(lake, folder)).filter(({ running }) => !running)
  const found = dead.find(({ path }) => existsSync(join(path, kept)))
  // Another process may take it over at the same time.
  const isOwn =
    found !== undefined &&
    (await rename(found.path, folder).then(
      () => true,
      () => false,
    ))
  if (isOwn) await stamp(folder)
  return isOwn
}

/** Removes a staging folder of a process that exits, for example after Ctrl-C, and the folder of all if it is empty. */
function removeNow(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
    rmdirSync(dirname(folder))
  } catch {
    // Another process writes too, or the next writer removes it.
  }
}

/** The staging folders of other processes. */
async function others(lake: string, own: string) {
  const root = join(lake, STAGING)
  const names = await namesIn(root)
  const found = names.map(name => join(root, name)).filter(path => path !== own)
  return Promise.all(found.map(async path => ({ path, ...(await stateOf(path)) })))
}

// `<work>-<hash of the host's name>-<pid>-<start>-<random>`: the name is the whole state, so it is there atomically.
const hostHash = (host: string) => contentHash(host).slice(0, 12)

/** The name of a process's staging folder. */
export const stagingName = (work: Work, { host, pid, start }: Owner) =>
  `${work}-${hostHash(host)}-${pid}-${start}-${randomBytes(6).toString('hex')}`

/** `pid` is null for a process on another host. */
async function stateOf(
  path: string,
): Promise<{ work: string | undefined; running: boolean; pid: number | null }> {
  const [work, host, pid, start] = basename(path).split('-')
  const own = thisProcess()
  const running =
    host === hostHash(own.host)
      ? isRunning({ host: own.host, pid: Number(pid), start: Number(start) })
      : 'elsewhere'
  return {
    work,
    pid: running === 'elsewhere' ? null : Number(pid),
    running: running === 'elsewhere' ? Date.now() - (await lastStamp(path)) < OTHER_HOST_MS : running,
  }
}

/** Whether the process with this staging folder still writes. */
export const isWriting = async (lake: string, name: string): Promise<boolean> =>
  existsSync(join(lake, STAGING, name)) && (await stateOf(join(lake, STAGING, name))).running

async function stamp(folder: string): Promise<void> {
  const now = new Date()
  await utimes(folder, now, now).catch(() => {})
}

/** The mtime of a staging folder, in epoch milliseconds; 0 if it no longer exists. */
const lastStamp = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
