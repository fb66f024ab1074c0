import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning, type Owner, thisProcess } from './owner.ts'

/** What the folder of a process holds. */
type Purpose = 'as-of' | 'examples' | 'import' | 'query' | 'smoke' | 'write'

/** The name has the process that the folder belongs to: a mark of the host, process id and start time. */
const NAME = /^tapehouse-[a-z-]+-(?<mark>[0-9a-f]{16})-(?<pid>\d{1,10})-(?<start>\d{1,20})-\w{6}$/

const hostMark = () => createHash('sha256').update(hostname()).digest('hex').slice(0, 16)

let isSwept = false

/**
 * Makes an empty folder in the system's temporary folder, which the caller removes. What is left at the exit of the process
 * is removed then. The first call of a process also removes the folders of processes that were killed.
 */
export function temporaryFolder(purpose: Purpose): string {
  const { pid, start } = thisProcess()
  const own = `${hostMark()}-${pid}-${start}`
  if (!isSwept) {
    removeFolders(owner => !isRunning(owner))
    process.once('exit', () => removeFolders(owner => owner.pid === pid && owner.start === start))
  }
  isSwept = true
  return mkdtempSync(join(tmpdir(), `tapehouse-${purpose}-${own}-`))
}

/** Removes the folders of this host's processes that `isRemoved` names. */
function removeFolders(isRemoved: (owner: Owner) => boolean): void {
  const mark = hostMark()
  for (const name of readdirSync(tmpdir())) {
    const owner = NAME.exec(name)?.groups
    if (owner === undefined || owner.mark !== mark) continue
    if (!isRemoved({ host: hostname(), pid: Number(owner.pid), start: Number(owner.start) })) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // It belongs to another user, or another process removes it at the same time.
    }
  }
}
