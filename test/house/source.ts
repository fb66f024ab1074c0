import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's own files, for the tests that hold its rules. Paths are relative to the project's root. */

export const root = fileURLToPath(new URL('../../', import.meta.url))

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Files below a folder, e.g. `src/engine/bind.ts`, sorted. */
export function filesBelow(folder: string, ending: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .map(name => posix.join(folder, name.replaceAll('\\', '/')))
    .filter(name => name.endsWith(ending))
    .sort()
}

export interface Imported {
  readonly from: string
  /** The file in this project, or the package's name. */
  readonly to: string
  readonly own: boolean
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s*['"]([^'"]+)['"]/g

/** Every import of a file, static or not. */
export function importsOf(path: string): Imported[] {
  return [...read(path).matchAll(IMPORT)].map(([, first, second, third]) => {
    const target = first ?? second ?? third ?? ''
    if (!target.startsWith('.')) return { from: path, to: packageOf(target), own: false }
    return {
      from: path,
      to: relative(root, join(root, dirname(path), target)).replaceAll('\\', '/'),
      own: true,
    }
  })
}

/** `typebox/value` → `typebox`; `node:fs/promises` → `node:fs`. */
function packageOf(target: string): string {
  const parts = target.split('/')
  return target.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '')
}
