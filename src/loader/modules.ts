import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { type CompiledCode, keepCompiledCode, readCompiledCode } from './compiled-code.ts'

/** What the function around a module gets: https://nodejs.org/api/modules.html#the-module-wrapper. */
type Wrapped = (exports: object, require: Load, module: { exports: object }, path: string) => void
type Load = (name: string) => object

const WRAPPER = ['(function (exports, require, module, __filename) {', '\n})'] as const

/** Compiled code is written this long after the start, or at the end of a process that ends before. */
const KEEP_AFTER_MS = 3000

/**
 * Loads `main` and what it requires: CommonJS modules of `folder`, whose characters are ASCII, with the compiled code in the file
 * `kept`. Code that is missing there, or that V8 refuses, is compiled, and the file is written anew. Null for no such file.
 */
export function loadModules(folder: string, main: string, kept: string | null): void {
  const compiled: CompiledCode = (kept === null ? null : readCompiledCode(kept)) ?? new Map()
  const requirePackage = createRequire(join(folder, main))
  const modules = new Map<string, { exports: object }>()
  const scripts = new Map<string, Script>()
  let isComplete = true

  const load = (name: string): object => {
    const known = modules.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(name, module)
    const filename = join(folder, name)
    const source = WRAPPER.join(readFileSync(filename, 'latin1'))
    const cachedData = compiled.get(name)
    const script = new Script(source, { filename, ...(cachedData ? { cachedData } : {}) })
    if (cachedData === undefined || script.cachedDataRejected) isComplete = false
    scripts.set(name, script)
    const wrapped: Wrapped = script.runInThisContext()
    wrapped(module.exports, requireModule, module, filename)
    return module.exports
  }
  const requireModule: Load = name => (name.startsWith('./') ? load(name.slice(2)) : requirePackage(name))

  const keep = () => {
    if (kept === null || isComplete) return
    isComplete = true
    const now = [...scripts].map(([name, script]) => [name, script.createCachedData()] as const)
    try {
      keepCompiledCode(kept, new Map([...compiled, ...now]))
    } catch {
      // The program runs without it, as on a disk that is full or read-only.
    }
  }
  load(main)
  setTimeout(keep, KEEP_AFTER_MS).unref()
  process.once('exit', keep)
}
