import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFailure } from '../../store/durable.ts'

/** A temporary CSV file of records, each with its line number as the first field. */
export interface Chunk {
  readonly path: string
  readonly records: number
}

/** A buffer of CSV records, each with its line number as the first field, for DuckDB to read. */
export interface ChunkBuffer {
  add(bytes: Buffer, start: number, end: number, line: number, delimiter: number): void
  isFull(): boolean
  isEmpty(): boolean
  /** Writes the records to a new file in the import's folder, and empties the buffer. */
  write(): Promise<Chunk>
}

/** Large enough to keep DuckDB's threads busy, small enough to report progress and to cancel within a second. */
const CHUNK_BYTES = 32 << 20

const NEWLINE = 10
const LINE_NUMBER_BYTES_MAX = 16

export function chunkBuffer(folder: string): ChunkBuffer {
  let content = Buffer.allocUnsafe(1 << 20)
  let used = 0
  let records = 0
  let chunks = 0

  function grow(needed: number): void {
    if (used + needed <= content.length) return
    const larger = Buffer.allocUnsafe(Math.max(content.length * 2, used + needed))
    content.copy(larger, 0, 0, used)
    content = larger
  }

  return {
    add(bytes, start, end, line, delimiter) {
      grow(LINE_NUMBER_BYTES_MAX + 2 + end - start)
      used += content.write(String(line), used, 'latin1')
      content[used] = delimiter
      used += 1 + bytes.copy(content, used + 1, start, end)
      content[used] = NEWLINE
      used += 1
      records += 1
    },
    isFull: () => used >= CHUNK_BYTES,
    isEmpty: () => records === 0,
    async write() {
      chunks += 1
      const chunk = { path: join(folder, `chunk-${chunks}.csv`), records }
      await writeStaged(chunk.path, content.subarray(0, used))
      used = 0
      records = 0
      return chunk
    },
  }
}

/** Writes a temporary file for DuckDB to read. Throws Failure `lake_write` if that fails. */
export async function writeStaged(path: string, content: Buffer | string): Promise<void> {
  await writeFile(path, content).catch(thrown => {
    throw writeFailure(path, thrown)
  })
}
