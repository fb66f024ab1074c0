import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Failure, systemCode } from '../../engine/failure.ts'
import { guess } from '../../engine/nearest-name.ts'
import { withStaging } from '../publish/staging.ts'
import { currentNumber } from '../store/current.ts'
import { createFile, linkFile, makeFolder, primitive, syncFolder } from '../store/durable.ts'
import { namesIn } from '../store/entries-below.ts'
import { damaged, FORMAT, parseFormatted, readText } from '../store/format.ts'
import { KEPT, lakeFolder } from '../store/layout.ts'
import { wholeRecord } from './whole.ts'

const KeptFile = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  snapshot: Type.Integer({ minimum: 1 }),
  /** ISO 8601, UTC. */
  kept_at: Type.String(),
})
const shape = Compile(KeptFile)

/** A name by which a snapshot is kept: vacuum does not delete the snapshot. */
export interface Kept {
  readonly name: string
  readonly snapshot: number
}

const NAME = /^(?!\d+$)[a-z0-9][a-z0-9._-]{0,63}$/

/** Whether `text` can be the name of a snapshot. Digits alone are the number of one. */
export const isSnapshotName = (text: string) => NAME.test(text)

const keptName = (name: string) => `${KEPT}/${name}.json`

/** The kept snapshots of a lake, by name. Throws lake_damaged or lake_newer. */
export async function keptSnapshots(lake: string): Promise<Kept[]> {
  const kept: Kept[] = []
  for (const name of await keptNames(lake)) {
    const snapshot = await keptNumber(lake, name)
    if (snapshot !== null) kept.push({ name, snapshot })
  }
  return kept
}

async function keptNames(lake: string): Promise<string[]> {
  const files = await namesIn(join(lake, KEPT)).catch(thrown => {
    throw damaged(join(lake, KEPT), `it cannot be read (${systemCode(thrown)})`, thrown)
  })
  return files
    .flatMap(file => /^(.+)\.json$/.exec(file)?.[1] ?? [])
    .filter(isSnapshotName)
    .toSorted()
}

/** The number of the snapshot that is kept by that name; null if there is none. Throws lake_damaged or lake_newer. */
export async function keptNumber(lake: string, name: string): Promise<number | null> {
  const path = join(lake, keptName(name))
  const text = await readText(path)
  if (text === null) return null
  const value = parseFormatted(path, text)
  if (!shape.Check(value)) throw damaged(path, 'it does not name a snapshot')
  return value.snapshot
}

/**
 * Keeps snapshot `number` by a name, which vacuum then does not delete. Default: the current one. Returns its number.
 * Rejects with name_taken, with usage for a name that is not valid, with not_found or lake_damaged for a snapshot that
 * is not whole, with lake_conflict while a vacuum runs, or with lake_write. Then nothing has changed.
 */
export async function keepSnapshot(lake: string, name: string, number?: number): Promise<number> {
  const folder = lakeFolder(lake)
  if (!isSnapshotName(name))
    throw new Failure(
      'usage',
      `${JSON.stringify(name)} cannot name a snapshot: use 1 to 64 of the characters a-z 0-9 . _ -, first a letter or a digit, and not only digits`,
    )
  const current = await currentNumber(folder)
  return withStaging(folder, 'write', async staging => {
    const snapshot = number ?? current
    await wholeRecord(folder, snapshot)
    const text = `${JSON.stringify({ format: FORMAT, snapshot, kept_at: new Date().toISOString() })}\n`
    const temporary = join(staging, 'kept.json')
    await createFile(temporary, text)
    await makeFolder(join(folder, KEPT))
    if (!(await linkFile(temporary, join(folder, keptName(name)))))
      throw new Failure(
        'name_taken',
        `the name ${name} is taken by snapshot ${await keptNumber(folder, name)}: choose another one, or run "tapehouse snapshot release ${name}" first`,
      )
    await syncFolder(join(folder, KEPT))
    return snapshot
  })
}

/** Removes a name: vacuum may delete the snapshot again. Rejects with not_found for an unknown name, or lake_write. */
export async function releaseSnapshot(lake: string, name: string): Promise<void> {
  const folder = lakeFolder(lake)
  await currentNumber(folder)
  if (!(await keptNames(folder)).includes(name)) throw await unknownName(folder, name)
  const path = join(folder, keptName(name))
  await primitive('unlink', path, () => unlink(path))
  await syncFolder(join(folder, KEPT))
}

/** The failure for a name by which no snapshot is kept. */
export async function unknownName(lake: string, name: string): Promise<Failure> {
  const names = await keptNames(lake)
  const hint =
    names.length === 0
      ? ': no snapshot is kept; run "tapehouse snapshot keep NAME" to keep one'
      : `${guess(name, names) || ':'} "tapehouse snapshots" lists all`
  return new Failure('not_found', `no snapshot is kept as ${JSON.stringify(name)}${hint}`)
}
