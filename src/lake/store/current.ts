import { join } from 'node:path'
import { Failure } from '../../engine/failure.ts'
import { createFile, renameFile, syncFolder } from './durable.ts'
import { damaged, readText } from './format.ts'
import { CURRENT } from './layout.ts'

/** The number in CURRENT, or null if the folder holds no lake yet. Throws lake_damaged. */
export async function readCurrent(lake: string): Promise<number | null> {
  const path = join(lake, CURRENT)
  const text = await readText(path)
  if (text === null) return null
  if (!/^[1-9]\d{0,14}\n$/.test(text)) throw damaged(path, 'it does not hold the number of a snapshot')
  return Number(text)
}

/** The number in CURRENT. Throws lake_missing if there is none, or lake_damaged. */
export async function currentNumber(lake: string): Promise<number> {
  const number = await readCurrent(lake)
  if (number === null)
    throw new Failure(
      'lake_missing',
      `${lake} holds no lake: create one with "tapehouse import", "tapehouse adopt" for a folder of Parquet files, or "tapehouse generate" for synthetic data`,
    )
  return number
}

/**
 * Prepares CURRENT to name snapshot `number`. The returned function renames it into place, so that a full disk fails
 * before the snapshot exists. CURRENT never goes back: it stays if it names a later snapshot.
 */
export async function prepareCurrent(
  lake: string,
  staging: string,
  number: number,
): Promise<() => Promise<void>> {
  const temporary = join(staging, `${CURRENT}.${number}`)
  await createFile(temporary, `${number}\n`)
  return async () => {
    if (((await readCurrent(lake)) ?? 0) < number) await renameFile(temporary, join(lake, CURRENT))
    await syncFolder(lake)
  }
}
