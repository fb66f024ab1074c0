import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** A process that writes or wrote to a lake. */
export interface Owner {
  readonly host: string
  readonly pid: number
  /** When it started, in the kernel's ticks since boot; 0 where there is no /proc to ask. */
  readonly start?: number
}

export const thisProcess = () => ({ host: hostname(), pid: process.pid, start: startOf(process.pid) })

/**
 * Whether a process still runs; `elsewhere` if it belongs to another host. Containers give every run the same few
 * process numbers, so one of the same number that started at another tick is another process.
 */
export function isRunning({ host, pid, start = 0 }: Owner): boolean | 'elsewhere' {
  if (host !== hostname()) return 'elsewhere'
  try {
    process.kill(pid, 0)
  } catch (thrown) {
    // EPERM: it runs, and belongs to someone else.
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  const now = startOf(pid)
  return start === 0 || now === 0 || now === start
}

/** When a process started, in the kernel's ticks since boot; 0 if it is gone or there is no /proc to ask. */
export function startOf(pid: number): number {
  try {
    // The 22nd field, counted after the command's name, which may hold blanks and parentheses: proc_pid_stat(5).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  } catch {
    return 0
  }
}
