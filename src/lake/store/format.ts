import { readFile } from 'node:fs/promises'
import { Failure } from '../../engine/failure.ts'

/** The format of the snapshots and manifests that this program writes, and the highest that it reads. */
export const FORMAT = 1

/** The lake cannot be trusted: what is wrong with which of its files. */
export function damaged(path: string, problem: string, cause?: unknown): Failure {
  return new Failure('lake_damaged', `${path} is damaged: ${problem}; restore it from a copy of the lake`, {
    cause,
  })
}

/** The JSON object in a snapshot or manifest, of a format that this program knows. Throws lake_damaged or lake_newer. */
export function parseFormatted(path: string, text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw damaged(path, 'it is not JSON', thrown)
  }
  if (typeof value !== 'object' || value === null || !('format' in value) || typeof value.format !== 'number')
    throw damaged(path, 'it names no format')
  if (value.format > FORMAT)
    throw new Failure(
      'lake_newer',
      `${path} was written by a newer tapehouse (format ${value.format}, this one reads ${FORMAT}): upgrade tapehouse`,
    )
  return value
}

/** The text of one of the lake's small files; null where there is none. Throws lake_damaged. */
export async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw damaged(path, `it cannot be read (${code})`, thrown)
  }
}
