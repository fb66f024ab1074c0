import { Failure } from '../../engine/failure.ts'
import { isSnapshotName, keptNumber, unknownName } from './kept.ts'
import { wholeRecord } from './whole.ts'

const NUMBER = /^[1-9]\d{0,14}$/

/**
 * The number of the snapshot that `text` names: a number, or the name of a kept one. Rejects with usage if it is
 * neither, with not_found if the name is unknown. A number need not exist.
 */
export async function snapshotNumber(lake: string, text: string): Promise<number> {
  if (NUMBER.test(text)) return Number(text)
  if (!isSnapshotName(text))
    throw new Failure(
      'usage',
      `${JSON.stringify(text)} is neither the number nor the name of a snapshot: "tapehouse snapshots" lists both`,
    )
  const number = await keptNumber(lake, text)
  if (number === null) throw await unknownName(lake, text)
  return number
}

/**
 * `snapshotNumber` of a snapshot that is whole: its record, manifests and files exist. Rejects with not_found or with
 * lake_damaged if not; the message names the snapshot and, if it is a kept one, its name.
 */
export async function wholeSnapshot(lake: string, text: string): Promise<number> {
  const number = await snapshotNumber(lake, text)
  try {
    await wholeRecord(lake, number)
    return number
  } catch (thrown) {
    if (!(thrown instanceof Failure) || NUMBER.test(text)) throw thrown
    throw new Failure('lake_damaged', `the kept snapshot ${text} cannot be read: ${thrown.message}`, {
      cause: thrown,
    })
  }
}
