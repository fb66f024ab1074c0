import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * jemalloc, as it is installed by the packages `libjemalloc2` of Debian and Ubuntu and `jemalloc` of Fedora and Arch. Programs use it
 * in place of the C library's `malloc` if the dynamic linker loads it before everything else.
 */
const LIBRARY = 'libjemalloc.so.2'
/** How Debian names the folder of libraries of a processor. */
const PROCESSORS: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }

/** The path of jemalloc, or null if it is not installed, or if this is not Linux on a processor that DuckDB's packages are for. */
export function installedAllocator({
  platform,
  arch,
}: {
  readonly platform: string
  readonly arch: string
}): string | null {
  const processor = PROCESSORS[arch]
  if (platform !== 'linux' || processor === undefined) return null
  const folders = [`/usr/lib/${processor}-linux-gnu`, '/usr/lib64', '/usr/lib']
  return folders.map(folder => join(folder, LIBRARY)).find(path => existsSync(path)) ?? null
}
