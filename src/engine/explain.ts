import { Failure, firstLine, systemCode } from './failure.ts'

/** DuckDB's messages for a Parquet file that is truncated, missing or corrupt. */
const DAMAGED =
  /^(IO|Invalid|Invalid Input|Serialization) Error:.*(\.parquet|magic bytes|don't know what type|thrift|decompress|lz4|snappy|zstd|corrupt)/i

/** A path in the folder of a process: see `temporaryFolder`. */
const TEMPORARY = /tapehouse-[a-z-]+-[0-9a-f]{16}-/

/** Maps what the engine threw to a Failure that says what to do. Returns anything unknown unchanged. */
export function explain(thrown: unknown): unknown {
  const message = firstLine(thrown)
  if (isOutOfMemory(thrown)) {
    return new Failure('out_of_memory', 'the query needed more memory than the server allows', {
      cause: thrown,
    })
  }
  if (DAMAGED.test(message) && !TEMPORARY.test(message)) {
    const advice = 'run tapehouse verify to list the damaged files'
    return new Failure('lake_damaged', `a file of the lake cannot be read (${message}): ${advice}`, {
      cause: thrown,
    })
  }
  return thrown
}

const isOutOfMemory = (thrown: unknown) => /^Out of Memory Error/.test(firstLine(thrown))

/**
 * Runs a query, and once more if it lacks memory: statements that are kept hold some, which `free` gives back. Rejects with
 * what `explain` says of the error.
 */
export async function explained<T>(query: () => Promise<T>, free: () => void): Promise<T> {
  try {
    return await query().catch(thrown => {
      if (!isOutOfMemory(thrown)) throw thrown
      free()
      return query()
    })
  } catch (thrown) {
    throw explain(thrown)
  }
}

/** The package that loads the library of DuckDB, without the platform at the end of its name. */
const PACKAGE = '@duckdb/node-bindings'

/**
 * Maps a failure to load the library of DuckDB from its package to `library_unavailable`. Returns anything else unchanged.
 * The single binary loads its own copy, and reports `library_unavailable` itself.
 */
export function explainLoad(thrown: unknown): unknown {
  const message = firstLine(thrown)
  const isMissing = systemCode(thrown) === 'MODULE_NOT_FOUND' && message.includes(PACKAGE)
  if (!isMissing && systemCode(thrown) !== 'ERR_DLOPEN_FAILED') return thrown
  const remedy = message.includes('failed to map segment')
    ? 'install the program on a file system that is not mounted noexec'
    : 'install the packages again, with npm ci in a checkout and without --omit=optional'
  return new Failure('library_unavailable', `DuckDB's library cannot be loaded (${message}): ${remedy}`, {
    cause: thrown,
  })
}
