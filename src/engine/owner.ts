import { readFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { systemCode } from './failure.ts'

/** A process that has or had files of its own, in a lake or in the temporary folder. */
export interface Owner {
  readonly host: string
  readonly pid: number
  /** Start time in clock ticks since boot; 0 without /proc. */
  readonly start?: number
}

export const thisProcess = () => ({ host: hostname(), pid: process.pid, start: startOf(process.pid) })

/**
 * Whether a process still runs; `elsewhere` if it is on another host. Containers reuse the same few process ids, so a
 * process with the same id and another start time is another process.
 */
export function isRunning({ host, pid, start = 0 }: Owner): boolean | 'elsewhere' {
  if (host !== hostname()) return 'elsewhere'
  try {
    process.kill(pid, 0)
  } catch (thrown) {
    // EPERM: it runs, and belongs to another user.
    if (systemCode(thrown) === 'ESRCH') return false
  }
  const now = startOf(pid)
  return start === 0 || now === 0 || now === start
}

/** Start time of a process in clock ticks since boot; 0 if it has ended or without /proc. */
export function startOf(pid: number): number {
  try {
    // The 22nd field, counted after the command name, which may contain spaces and parentheses: proc_pid_stat(5).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  } catch {
    return 0
  }
}

const WRITABLE_BY_OTHERS = 0o022

/** Whether only this user and root can change a file, or the entries of a folder. Windows has no such permissions. */
export const isOwn = ({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean =>
  process.getuid === undefined ||
  ((uid === 0 || uid === process.getuid()) && (mode & WRITABLE_BY_OTHERS) === 0)

/** The folder for what the program can make again; null for a user without a home folder. */
export function cacheFolder({ XDG_CACHE_HOME: cache = '' }: NodeJS.ProcessEnv = process.env): string | null {
  const caches = isAbsolute(cache) ? cache : join(homeFolder(), '.cache')
  return isAbsolute(caches) ? join(caches, 'tapehouse') : null
}

/** Empty if the user has none. */
function homeFolder(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}
