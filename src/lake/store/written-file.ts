import { stat } from 'node:fs/promises'
import { type Bindings, literal, text } from '../../engine/bind.ts'
import type { Writer } from '../../engine/writer.ts'
import { contentName, sha256OfFile } from './content.ts'
import type { Dataset } from './datasets.ts'
import { failpoint } from './failpoint.ts'
import type { ManifestFile } from './manifest.ts'

/** A file in the staging folder, and its entry in the manifest. */
export interface StagedFile {
  readonly path: string
  readonly file: ManifestFile
}

/** A file holds ten row groups: a lookup opens one or two small files and reads one or two of their groups. */
export const ROWS_A_GROUP = 10_240
/** DuckDB's vector size. */
export const ROWS_A_VECTOR = 2048
export const ROWS_A_FILE = 10 * ROWS_A_GROUP

/**
 * COPY options. LZ4: measured on a year of 3,000 tickers, lookups take 1.9 ms (ZSTD: 2.5 ms) and scans 14 ms (24 ms),
 * at 1.6 times the size. Parquet v2 encodings, with a dictionary only where at most a tenth of a group's values are
 * distinct: writing trades takes 20 % less time, files are 25 % smaller, and reading is as fast or faster.
 */
const WRITING = [
  'FORMAT parquet',
  'PARQUET_VERSION v2',
  'COMPRESSION lz4_raw',
  `ROW_GROUP_SIZE ${ROWS_A_GROUP}`,
  `DICTIONARY_SIZE_LIMIT ${ROWS_A_GROUP / 10}`,
].join(', ')

/** Copies the rows of `select` into a new Parquet file, in order. */
export async function copyRows(
  writer: Writer,
  select: string,
  path: string,
  bindings: Bindings = {},
): Promise<void> {
  failpoint('before copy')
  await writer.run(`COPY (${select}) TO ${literal(text(path))} (${WRITING})`, bindings)
  failpoint('after copy')
}

/** Hashes a written file and makes its manifest entry. */
export async function stagedFile(
  path: string,
  dataset: Dataset,
  partition: string,
  known: Pick<ManifestFile, 'rows' | 'dates' | 'ranges'>,
): Promise<StagedFile> {
  const sha256 = await sha256OfFile(path)
  const name = `${dataset.name}/${partition}/${contentName(sha256)}.parquet`
  const bytes = (await stat(path)).size
  return { path, file: { name, bytes, sha256, ...known } }
}
