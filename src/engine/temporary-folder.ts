import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Failure, firstLine } from './failure.ts'
import { isRunning, type Owner, thisProcess } from './owner.ts'

/** What the folder of a process holds. */
type Purpose = 'as-of' | 'examples' | 'import' | 'query' | 'smoke' | 'write'

/** The name has the process that the folder belongs to: a mark of the host, process id and start time. */
const NAME = /^tapehouse-[a-z-]+-(?<mark>[0-9a-f]{16})-(?<pid>\d{1,10})-(?<start>\d{1,20})-\w{6}$/

/** A process updates the mtime of its folders this often, for other hosts, which cannot see whether it runs. */
const STAMP_EVERY_MS = 60_000
/** A process on another host has ended if its folder is older. A container has a new host name at each start. */
const OTHER_HOST_MS = 3_600_000

const markOf = (host: string) => createHash('sha256').update(host).digest('hex').slice(0, 16)

let chosenRoot: string | null = null
let isSwept = false
/** The folders of this process. */
const own = new Set<string>()

/** Chooses the folder for temporary files; null for the system's. It is made when it is first needed. */
export function useTemporaryRoot(folder: string | null): void {
  chosenRoot = folder === null ? null : resolve(folder)
}

/** The folder that has the temporary folders of all processes. */
export const temporaryRoot = (): string => chosenRoot ?? tmpdir()

/**
 * Makes an empty folder in the temporary folder, which the caller removes. What is left at the exit of the process is removed
 * then. The first call of a process also removes the folders of processes that were killed. Throws `temporary_unusable`.
 */
export function temporaryFolder(purpose: Purpose): string {
  const { host, pid, start } = thisProcess()
  const root = temporaryRoot()
  try {
    if (chosenRoot !== null) mkdirSync(root, { recursive: true, mode: 0o700 })
    if (!isSwept) {
      removeDead(root)
      setInterval(stampOwn, STAMP_EVERY_MS).unref()
      process.once('exit', () => {
        for (const folder of own) remove(folder)
      })
    }
    isSwept = true
    const folder = mkdtempSync(join(root, `tapehouse-${purpose}-${markOf(host)}-${pid}-${start}-`))
    own.add(folder)
    return folder
  } catch (thrown) {
    throw new Failure(
      'temporary_unusable',
      `the temporary folder ${root} cannot be used (${firstLine(thrown)}): free some disk space, correct its permissions, or name another folder with --temp-dir`,
      { cause: thrown },
    )
  }
}

/** Removes the folders of processes that no longer run. */
function removeDead(root: string): void {
  for (const name of readdirSync(root)) {
    const { mark, pid, start } = NAME.exec(name)?.groups ?? {}
    if (mark === undefined) continue
    const owner = { host: hostname(), pid: Number(pid), start: Number(start) }
    if (!isLive(join(root, name), mark, owner)) remove(join(root, name))
  }
}

const isLive = (folder: string, mark: string, owner: Owner) =>
  mark === markOf(owner.host)
    ? isRunning(owner)
    : Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) < OTHER_HOST_MS

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // It belongs to another user, or another process removes it at the same time.
  }
}

function stampOwn(): void {
  const now = new Date()
  for (const folder of own)
    try {
      utimesSync(folder, now, now)
    } catch {
      // The caller has removed it.
      own.delete(folder)
    }
}
