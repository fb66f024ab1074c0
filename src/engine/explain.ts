import { Failure, firstLine } from './failure.ts'

/** What DuckDB says of a Parquet file that is cut short, gone or scrambled. */
const DAMAGED =
  /^(IO|Invalid|Invalid Input|Serialization) Error:.*(\.parquet|magic bytes|don't know what type|thrift|decompress|lz4|snappy|zstd|corrupt)/i

/** What the engine threw, as a Failure that says what to do where that is known; anything else as it is. */
export function explain(thrown: unknown): unknown {
  const message = firstLine(thrown)
  if (/^Out of Memory Error/.test(message)) {
    return new Failure('out_of_memory', 'the query needed more memory than the server allows it', {
      cause: thrown,
    })
  }
  if (DAMAGED.test(message)) {
    const advice = 'tapehouse verify names what is wrong with the lake'
    return new Failure('lake_damaged', `a file of the lake cannot be read (${message}): ${advice}`, {
      cause: thrown,
    })
  }
  return thrown
}
