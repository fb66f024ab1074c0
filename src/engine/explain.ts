import { Failure, firstLine } from './failure.ts'

/** DuckDB's messages for a Parquet file that is truncated, missing or corrupt. */
const DAMAGED =
  /^(IO|Invalid|Invalid Input|Serialization) Error:.*(\.parquet|magic bytes|don't know what type|thrift|decompress|lz4|snappy|zstd|corrupt)/i

/** Maps what the engine threw to a Failure that says what to do. Returns anything unknown unchanged. */
export function explain(thrown: unknown): unknown {
  const message = firstLine(thrown)
  if (isOutOfMemory(thrown)) {
    return new Failure('out_of_memory', 'the query needed more memory than the server allows', {
      cause: thrown,
    })
  }
  if (DAMAGED.test(message)) {
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
