import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Source } from '../format/format.ts'
import { type ChunkBuffer, writeStaged } from './chunks.ts'
import type { Header } from './header.ts'
import { takeChunk } from './raw.ts'
import type { Reading } from './reading.ts'
import { addBroken } from './rejects.ts'

/** Broken lines wait in memory up to this many. */
export const BROKEN_MAX = 100_000

/**
 * Brings what waits in memory into the import's tables: broken records, and the chunk. Answers how many records that were;
 * both are empty afterwards.
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
