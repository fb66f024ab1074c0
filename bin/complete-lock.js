// Makes package-lock.json hold for every platform: run it after `npm install` has changed the lock.
//
// A registry mirror may lack the optional packages of other platforms. npm then leaves them out of the lock, and
// `npm ci` refuses that lock even where they are not needed. This writes their version, system and processor, without
// integrity, which only the package itself can give. It also drops download addresses, which belong to no project.
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('../package-lock.json', import.meta.url)
/** Processors as npm names them, by what packages write in their names. */
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
