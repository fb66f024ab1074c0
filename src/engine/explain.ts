import { Failure, firstLine, systemCode } from './failure.ts'

/** DuckDB's messages for a Parquet file that is truncated, missing, corrupt, or reached by a link to where it does not read. */
const DAMAGED =
  /^(IO|Invalid|Invalid Input|Serialization|Permission) Error:.*(\.parquet|magic bytes|don't know what type|thrift|decompress|lz4|snappy|zstd|corrupt)/i

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
  const ofMachine = ofTheMachine(thrown, message)
  if (ofMachine !== null) return ofMachine
  if (DAMAGED.test(message) && !TEMPORARY.test(message)) {
    const advice = 'run tapehouse verify to list the damaged files'
    return new Failure('lake_damaged', `a file of the lake cannot be read (${message}): ${advice}`, {
      cause: thrown,
    })
  }
  return thrown
}

/** What the system lacks, in the words of DuckDB and as the codes of Node's errors. */
const LACKS = [
  {
    lacks: /no space left on device|disk quota exceeded|file too large|\b(ENOSPC|EDQUOT|EFBIG)\b/i,
    code: 'temporary_unusable',
    message: 'the disk of the temporary folder is full',
  },
  {
    lacks: /too many open files|\b(EMFILE|ENFILE)\b/i,
    code: 'overloaded',
    message: 'the server cannot open more files now',
  },
  {
    lacks: /cannot allocate memory|\bENOMEM\b/i,
    code: 'out_of_memory',
    message: 'the machine has no free memory',
  },
] as const

/** Faults of a file in the temporary folder: a folder that is read-only or gone, or a disk that fails. */
const UNUSABLE =
  /read-only file system|permission denied|input\/output error|no such file|no files found|not a directory|\b(EROFS|EACCES|EIO|ENOENT|ENOTDIR|EEXIST)\b/i

/** A failure for what the machine lacks, or null. Nothing is wrong with the lake, nor with the request. */
function ofTheMachine(thrown: unknown, message: string): Failure | null {
  const text = `${systemCode(thrown)} ${message}`
  for (const { lacks, code, message: said } of LACKS)
    if (lacks.test(text)) return new Failure(code, said, { cause: thrown })
  return TEMPORARY.test(message) && UNUSABLE.test(text)
    ? new Failure('temporary_unusable', 'the temporary folder cannot be used', { cause: thrown })
    : null
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
