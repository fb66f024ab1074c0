import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { cacheFolder } from '../engine/owner.ts'
import { loadModules } from './modules.ts'

// Runs the build, whose modules are in the folder `program` beside this file, with the compiled code of an earlier process.

/** Processes that load the same modules and call the same functions share a file. */
const KINDS: Readonly<Record<string, string>> = { serve: 'serve', demo: 'serve', query: 'query' }

const folder = fileURLToPath(new URL('program/', import.meta.url))
loadModules(folder, 'main.js', keptFile())

/** A file for this build, version of Node.js and kind of process; null if no compiled code is to be kept. */
function keptFile(): string | null {
  const caches = process.env.NODE_DISABLE_COMPILE_CACHE ? null : cacheFolder()
  if (caches === null) return null
  const build = readFileSync(new URL('build', import.meta.url), 'utf8')
  const kind = KINDS[process.argv[2] ?? ''] ?? 'other'
  const role = process.send === undefined ? kind : `${kind}-worker`
  // Version and options of V8, and the features of the processor.
  const tag = cachedDataVersionTag().toString(16)
  return join(caches, 'compiled', `${build}-node-${process.versions.node}-${tag}-${role}`)
}
