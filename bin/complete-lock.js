// Completes package-lock.json for every platform. Run it after `npm install` has changed the file.
//
// A registry mirror may lack the optional packages of other platforms. npm then omits them from the lock file, and
// `npm ci` rejects that file even on platforms that do not need them. This script adds their version, system and processor,
// without an integrity value, which would require the package. It also removes download URLs.
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
/** npm's names of processors, by their names in package names. */
const PROCESSORS = { arm64: 'arm64', aarch64: 'arm64', armv7: 'arm', x64: 'x64' }

const lock = JSON.parse(readFileSync(path, 'utf8'))
const { packages } = lock

for (const entry of Object.values(packages)) delete entry.resolved
for (const entry of Object.values(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const [, os, cpu] = /-(android|darwin|linux|win32)-(arm64|aarch64|armv7|x64)(?:-musl)?$/.exec(name) ?? []
    if (packages[`node_modules/${name}`] || !os) continue
    packages[`node_modules/${name}`] = {
      version,
      cpu: [PROCESSORS[cpu]],
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      os: [os],
    }
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
