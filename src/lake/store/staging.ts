import { randomBytes } from 'node:crypto'
import { readdir, rmdir, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import { contentHash } from './content.ts'
import { makeFolder, removeFolder } from './durable.ts'
import { STAGING } from './layout.ts'
import { isRunning, type Owner, thisProcess } from './owner.ts'

/**
 * What a process does to the lake. Writers may work side by side (publishing is exclusive); a vacuum works alone,
 * since a writer may be about to name again what the vacuum is about to delete.
 */
export type Work = 'write' | 'vacuum'

/** A process stamps its staging folder this often, for other hosts, which cannot see whether it runs. */
const STAMP_EVERY_MS = 60_000
const ELSEWHERE_MS = 10 * STAMP_EVERY_MS

/**
 * Gives `act` a folder of its own inside the lake, to write what is not published yet, and removes it at the end
 * whatever happens. Leftovers of processes that died are removed before, and their names handed to `act`. Rejects
 * with lake_conflict where a vacuum runs, or for a vacuum, where anything runs.
 */
export async function withStaging<T>(
  lake: string,
  work: Work,
  act: (folder: string, leftovers: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = join(lake, STAGING, stagingName(work, thisProcess()))
  await makeFolder(folder)
  const stamping = setInterval(() => stamp(folder), STAMP_EVERY_MS).unref()
  try {
    const leftovers: string[] = []
    // Looking after having made one's own: of a vacuum and a writer that start together at least one sees the other.
    for (const other of await others(lake, folder)) {
      if (!other.running) {
        await removeFolder(other.path)
        leftovers.push(basename(other.path))
      } else if (work === 'vacuum' || other.work === 'vacuum')
        throw new Failure(
          'lake_conflict',
          `another command ${other.work === 'vacuum' ? 'is vacuuming' : 'writes to'} ${lake}: run this one again when it has ended (if it is gone for good: remove ${other.path})`,
        )
    }
    return await act(folder, leftovers)
  } finally {
    clearInterval(stamping)
    // What cannot be removed now is a leftover for the next writer: no reason to hide how the work ended.
    await removeFolder(folder).catch(() => {})
    await rmdir(dirname(folder)).catch(() => {})
  }
}

/** The staging folders beside one's own. */
async function others(lake: string, own: string) {
  const root = join(lake, STAGING)
  const names = await readdir(root)
  const found = names.map(name => join(root, name)).filter(path => path !== own)
  return Promise.all(found.map(async path => ({ path, ...(await stateOf(path)) })))
}

// `<work>-<hash of the host's name>-<pid>-<start>-<random>`: all there is to know is there as soon as the folder is.
const hostHash = (host: string) => contentHash(host).slice(0, 12)

/** The name of a process's staging folder. */
export const stagingName = (work: Work, { host, pid, start }: Owner) =>
  `${work}-${hostHash(host)}-${pid}-${start}-${randomBytes(6).toString('hex')}`

async function stateOf(path: string): Promise<{ work: Work; running: boolean }> {
  const [work, host, pid, start] = basename(path).split('-')
  const own = thisProcess()
  const running =
    host === hostHash(own.host)
      ? isRunning({ host: own.host, pid: Number(pid), start: Number(start) })
      : 'elsewhere'
  return {
    work: work === 'vacuum' ? 'vacuum' : 'write',
    running: running === 'elsewhere' ? Date.now() - (await lastStamp(path)) < ELSEWHERE_MS : running,
  }
}

async function stamp(folder: string): Promise<void> {
  const now = new Date()
  await utimes(folder, now, now).catch(() => {})
}

/** When a staging folder was stamped or changed last, in epoch milliseconds; 0 if it is gone meanwhile. */
const lastStamp = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
