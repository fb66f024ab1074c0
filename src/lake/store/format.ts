import { readFile } from 'node:fs/promises'
import { Failure, systemCode } from '../../engine/failure.ts'

/** The format version of snapshots and manifests: the one that this program writes, and the highest that it reads. */
export const FORMAT = 2
/** The format with manifests in the folders of the data, and without columns in manifests. It is read, not written. */
export const FORMER_FORMAT = 1

/** The lake_damaged failure for a file of the lake. */
export function damaged(path: string, problem: string, cause?: unknown): Failure {
  return new Failure('lake_damaged', `${path} is damaged: ${problem}; restore it from a copy of the lake`, {
    cause,
  })
}

/** Parses a snapshot or manifest as a JSON object of a supported format. Throws lake_damaged or lake_newer. */
export function parseFormatted(path: string, text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw damaged(path, 'it is not JSON', thrown)
  }
  if (typeof value !== 'object' || value === null || !('format' in value) || typeof value.format !== 'number')
    throw damaged(path, 'it has no format number')
  if (value.format > FORMAT)
    throw new Failure(
      'lake_newer',
      `${path} was written by a newer tapehouse (format ${value.format}, this one reads ${FORMAT}): upgrade tapehouse`,
    )
  return value
}

/** The text of one of the lake's small files; null if it does not exist. Throws lake_damaged. */
export async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (thrown) {
    const code = systemCode(thrown)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw damaged(path, `it cannot be read (${code})`, thrown)
  }
}
