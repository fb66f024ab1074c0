import { join, resolve } from 'node:path'
import { Failure, firstLine } from '../engine/failure.ts'
import { cacheFolder } from '../engine/owner.ts'
import { contents, nativeBytes } from './assets.ts'
import { extracted } from './native.ts'

/** The part that Node loads. It loads the others from its own folder. */
const ADDON = 'duckdb.node'
const FLAG = '--native-dir'

/** Extracts the native parts of the binary if necessary, and returns the bindings of DuckDB. */
export function openNative(): object {
  const place = placeOf(process.argv, process.env)
  const folder = extracted(place, contents.native, nativeBytes)
  const module = { exports: {} }
  try {
    process.dlopen(module, join(folder, ADDON))
  } catch (thrown) {
    throw new Failure('library_unavailable', problemOf(folder, firstLine(thrown)), { cause: thrown })
  }
  return module.exports
}

/**
 * The folder for native parts: of the flag, the environment, or the user's cache. The command reads the flag too, and
 * reports wrong use of it; the engine is loaded before.
 */
export function placeOf(argv: readonly string[], env: NodeJS.ProcessEnv): string {
  const at = argv.findIndex(argument => argument === FLAG || argument.startsWith(`${FLAG}=`))
  const flag = argv[at] === FLAG ? argv[at + 1] : argv[at]?.slice(FLAG.length + 1)
  const chosen = flag || env.TAPEHOUSE_NATIVE_DIR
  if (chosen) return resolve(chosen)
  const caches = cacheFolder(env)
  if (caches !== null) return caches
  throw new Failure(
    'library_unavailable',
    `this user has no home folder for DuckDB's library: name a folder for it with ${FLAG} or TAPEHOUSE_NATIVE_DIR`,
  )
}

/** What to do about an error of the system's loader, in one line. */
function problemOf(folder: string, message: string): string {
  if (message.includes('failed to map segment'))
    return `${folder} is on a file system that is mounted noexec, where no library can be loaded: name a folder on another one with ${FLAG} or TAPEHOUSE_NATIVE_DIR`
  const [, library] = /(\S+): cannot open shared object file/.exec(message) ?? []
  if (library !== undefined)
    return `DuckDB's library needs ${library}, which this system lacks: install the package that has it`
  return `DuckDB's library in ${folder} cannot be loaded: ${message}`
}
