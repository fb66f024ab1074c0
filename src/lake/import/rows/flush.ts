import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Source } from '../format/format.ts'
import { type ChunkBuffer, writeStaged } from './chunks.ts'
import type { Header } from './header.ts'
import { takeChunk } from './raw.ts'
import type { Reading } from './reading.ts'
import { addBroken } from './rejects.ts'

/** The most broken lines in memory. */
export const BROKEN_MAX = 100_000

/**
 * Writes the broken records and the chunk to the import's tables, and empties both. Returns the number of records.
 */
export async function flushRecords(
  reading: Reading,
  source: Source,
  number: number,
  header: Header,
  broken: string[],
  chunk: ChunkBuffer,
): Promise<number> {
  let records = 0
  if (broken.length > 0) {
    const path = join(reading.folder, 'broken.csv')
    records += broken.length
    await writeStaged(path, broken.splice(0).join(''))
    await addBroken(reading.writer, number, path)
    await rm(path)
  }
  if (chunk.isEmpty()) return records
  const staged = await chunk.write()
  await takeChunk(reading, source, number, header, staged)
  await rm(staged.path)
  return records + staged.records
}
