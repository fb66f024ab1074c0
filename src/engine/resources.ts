import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** The program's text files and the code of its threads: files beside it, or assets of the single binary. */
export interface Resources {
  /** The text at `path`, relative to the project's root, e.g. `sql/endpoints/analytics-window.sql`. Throws if absent. */
  read(path: string): string
  /** Sorted names of the entries of a folder; empty if the folder does not exist. */
  list(folder: string): string[]
  /** Identifies this build: its version and a hash of its code. */
  build(): string
  /** Starts a thread with the code of a file of the build, e.g. `encoding-thread.js` beside the file that starts it. */
  startThread(file: URL): Worker
}

let build: string | undefined
const root = new URL('../../', import.meta.url)
/** What bin/build.js has written; code that runs as it is has none. */
const buildFile = new URL('../build', import.meta.url)

const checkout: Resources = {
  read: path => readFileSync(new URL(path, root), 'utf8'),
  list: folder => {
    const path = fileURLToPath(new URL(`${folder}/`, root))
    return existsSync(path) ? readdirSync(path).sort() : []
  },
  build: () => {
    build ??= existsSync(buildFile) ? readFileSync(buildFile, 'utf8') : hashOfCode()
    return build
  },
  startThread: file => new Worker(file),
}

let source = checkout

/** The package's version with a hash of all compiled files, so that a rebuilt program has a different identifier. */
function hashOfCode(): string {
  const folder = fileURLToPath(new URL('../', import.meta.url))
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.[jt]s$/.test(name))
    .sort()
  const hash = createHash('sha256')
  for (const name of names) hash.update(name).update(readFileSync(join(folder, name)))
  return `${version()}+${hash.digest('hex').slice(0, 12)}`
}

export const resources: Resources = {
  read: path => source.read(path),
  list: folder => source.list(folder),
  build: () => source.build(),
  startThread: file => source.startThread(file),
}

/** The package's version, e.g. `0.1.0`. */
export function version(): string {
  return (JSON.parse(resources.read('package.json')) as { version: string }).version
}

/** The absolute path of a file of the checkout, e.g. `bin/tapehouse.js`: only for tools that run in a checkout. */
export const checkoutPath = (path: string): string => fileURLToPath(new URL(path, root))

/**
 * A bundled build calls this before anything else. Every later read uses `replacement`. Returns the resources that it
 * replaces.
 */
export function replaceResources(replacement: Resources): Resources {
  const replaced = source
  source = replacement
  return replaced
}
