import { Failure, firstLine } from './failure.ts'

/** DuckDB's messages for a Parquet file that is truncated, missing or corrupt. */
const DAMAGED =
  /^(IO|Invalid|Invalid Input|Serialization) Error:.*(\.parquet|magic bytes|don't know what type|thrift|decompress|lz4|snappy|zstd|corrupt)/i

/** Maps what the engine threw to a Failure that says what to do. Returns anything unknown unchanged. */
export function explain(thrown: unknown): unknown {
  const message = firstLine(thrown)
  if (/^Out of Memory Error/.test(message)) {
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
