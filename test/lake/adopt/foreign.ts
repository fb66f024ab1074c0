import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Writer } from '../../../src/engine/writer.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { writerForTest } from '../store/days.ts'

/** An empty folder of another tool, and a writer that may write there. */
export async function foreignFolder() {
  const folder = join(folderForTest(), 'foreign')
  mkdirSync(folder)
  return { folder, writer: await writerForTest(folder) }
}

/** The columns of daily_bars, made of a ticker, a date and a close. */
export const CANONICAL = `ticker, date, NULL::DECIMAL(18, 6) AS open, NULL::DECIMAL(18, 6) AS high,
  NULL::DECIMAL(18, 6) AS low, close::DECIMAL(18, 6) AS close, NULL::DECIMAL(18, 6) AS adjusted_close,
  1000::BIGINT AS volume`

/** Writes rows `('A', DATE '2024-01-02', 1), …` with the columns of `select` as a Parquet file. */
export async function writeForeign(
  writer: Writer,
  path: string,
  values: string,
  select = CANONICAL,
  options = '',
) {
  mkdirSync(dirname(path), { recursive: true })
  await writer.run(
    `COPY (SELECT ${select} FROM (VALUES ${values}) AS t(ticker, date, close)) TO '${path}' (FORMAT parquet${options})`,
  )
}
