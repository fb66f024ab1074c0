import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the text that belongs to the program comes from: a checkout's files, or the assets of a bundled build. */
export interface Resources {
  /** The text at `path`, relative to the project's root, e.g. `sql/endpoints/analytics-window.sql`. Throws if absent. */
  read(path: string): string
  /** Names of the entries of a folder, sorted; empty if there is no such folder. */
  list(folder: string): string[]
  /** What distinguishes this build of the program from any other: its version and a hash of its code. */
  build(): string
}

let build: string | undefined
const root = new URL('../../', import.meta.url)

const checkout: Resources = {
  read: path => readFileSync(new URL(path, root), 'utf8'),
  list: folder => {
    const path = fileURLToPath(new URL(`${folder}/`, root))
    return existsSync(path) ? readdirSync(path).sort() : []
  },
  build: () => {
    build ??= hashOfCode()
    return build
  },
}

let source = checkout

/** The package's version with a hash of every compiled file, so that a rebuilt program never passes for the former one. */
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
}

/** The package's version, e.g. `0.1.0`. */
export function version(): string {
  return (JSON.parse(resources.read('package.json')) as { version: string }).version
}

/** Where a file of the checkout lies, e.g. `bin/tapehouse.js`: for tools that run in a checkout alone. */
export const checkoutPath = (path: string): string => fileURLToPath(new URL(path, root))

/** A bundled build calls this first of all; every later read goes to `replacement`. */
export function replaceResources(replacement: Resources): void {
  source = replacement
}
