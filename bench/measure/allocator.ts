import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installedAllocator } from '../../src/api/supervise/allocator.ts'

const PACKAGE = 'libjemalloc2'

/**
 * The path of the allocator that docs/deploy.md recommends for a server, which is installed from Debian's packages as PostgreSQL is.
 * Null, and a note, if that cannot be done.
 */
export function serverAllocator(note: (text: string) => void): string | null {
  const installed = installedAllocator(process)
  if (installed !== null) return installed
  if (existsSync('/usr/bin/apt-get')) {
    note(`installs ${PACKAGE}`)
    spawnSync('sh', ['-c', `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${PACKAGE}`])
  }
  const now = installedAllocator(process)
  if (now === null)
    note(`NOT INSTALLED: ${PACKAGE}: servers use the allocator of the C library, which is slower`)
  return now
}
