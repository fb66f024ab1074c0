// Preloaded by modules.test.ts: appends the URL of each module that is loaded to the file LOADED, and at the end
// `libduckdb` if the library of DuckDB is in memory.
import { appendFileSync, readFileSync } from 'node:fs'
import { register } from 'node:module'

const hooks = `
import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  appendFileSync(process.env.LOADED, url + '\\n')
  return next(url, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
process.on('exit', () => {
  if (readFileSync('/proc/self/maps', 'utf8').includes('libduckdb'))
    appendFileSync(process.env.LOADED, 'libduckdb\n')
})
