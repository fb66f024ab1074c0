import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
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
