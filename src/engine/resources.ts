import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the text that belongs to the program comes from: a checkout's files, or the assets of a bundled build. */
export interface Resources {
  /** The text at `path`, relative to the project's root, e.g. `sql/endpoints/analytics-window.sql`. Throws if absent. */
  read(path: string): string
  /** Names of the entries of a folder, sorted; empty if there is no such folder. */
  list(folder: string): string[]
}

const root = new URL('../../', import.meta.url)

const checkout: Resources = {
  read: path => readFileSync(new URL(path, root), 'utf8'),
  list: folder => {
    const path = fileURLToPath(new URL(`${folder}/`, root))
    return existsSync(path) ? readdirSync(path).sort() : []
  },
}

let source = checkout

export const resources: Resources = {
  read: path => source.read(path),
  list: folder => source.list(folder),
}

/** A bundled build calls this first of all; every later read goes to `replacement`. */
export function replaceResources(replacement: Resources): void {
  source = replacement
}
