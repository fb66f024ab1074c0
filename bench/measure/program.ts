import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The program as it is installed, in the checkout in which the benchmark runs. */
export const PROGRAM = join(process.cwd(), 'bin/tapehouse.js')

/** Whether the program is built, and no file of its code has changed since. */
export function isBuilt(): boolean {
  const changedMs = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const code = readdirSync('src', { recursive: true, encoding: 'utf8' }).map(name => join('src', name))
  return changedMs('dist/build') > Math.max(...code.map(changedMs))
}
