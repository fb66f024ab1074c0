// Preloaded by modules.test.ts: appends the URL of each module of the build that is loaded to the file LOADED, and at the end
// `libduckdb` if the library of DuckDB is in memory.
import { appendFileSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'

const { Script } = vm
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options)
    appendFileSync(process.env.LOADED, `${pathToFileURL(options.filename)}\n`)
  }
}
syncBuiltinESMExports()
process.on('exit', () => {
  if (readFileSync('/proc/self/maps', 'utf8').includes('libduckdb'))
    appendFileSync(process.env.LOADED, 'libduckdb\n')
})
