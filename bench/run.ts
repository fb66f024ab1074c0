import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `npm run bench` runs every benchmark, each in its own process. `npm run bench -- encode-json` runs only that one. */
const here = fileURLToPath(new URL('.', import.meta.url))
const NOT_BENCHMARKS = ['run', 'calculations-peers', 'daily-returns', 'import-files', 'served-tape']
const all = readdirSync(here)
  .filter(name => name.endsWith('.js'))
  .map(name => name.replace('.js', ''))
  .filter(name => !NOT_BENCHMARKS.includes(name))
const requested = process.argv.slice(2)
const unknown = requested.filter(name => !all.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`unknown benchmark ${unknown.join(', ')}: the benchmarks are ${all.join(', ')}\n`)
  process.exitCode = 2
} else {
  for (const name of requested.length > 0 ? requested : all) {
    process.stdout.write(`\n== ${name}\n`)
    const { status } = spawnSync(process.execPath, ['--expose-gc', `${here}${name}.js`], { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
}
