import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `npm run bench`: every benchmark, each in a process of its own. `npm run bench -- encode-json` runs one. */
const here = fileURLToPath(new URL('.', import.meta.url))
const NOT_ONE = ['run', 'calculations-peers', 'daily-returns']
const all = readdirSync(here)
  .filter(name => name.endsWith('.js'))
  .map(name => name.replace('.js', ''))
  .filter(name => !NOT_ONE.includes(name))
const asked = process.argv.slice(2)
const unknown = asked.filter(name => !all.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`there is no benchmark ${unknown.join(', ')}: there are ${all.join(', ')}\n`)
  process.exitCode = 2
} else {
  for (const name of asked.length > 0 ? asked : all) {
    process.stdout.write(`\n== ${name}\n`)
    const { status } = spawnSync(process.execPath, ['--expose-gc', `${here}${name}.js`], { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
}
