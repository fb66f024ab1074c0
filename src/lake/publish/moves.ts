import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { contentHash } from '../store/content.ts'
import { currentNumber } from '../store/current.ts'
import { createFile, intoFolder, makeFolders, moveFile, removeFile, syncFolder } from '../store/durable.ts'
import { namesIn } from '../store/entries-below.ts'
import { readText } from '../store/format.ts'
import { shareOut } from '../store/lanes.ts'
import { MARKER_TEXT, markerName, PUBLISHING, snapshotName, supersededPath } from '../store/layout.ts'
import { readManifest } from '../store/manifest.ts'
import { entriesOf, requireRecord } from '../store/record.ts'
import { isWriting } from './staging.ts'

/**
 * The files that a publish moves: new ones into the folders of the data, replaced ones out of them. They are moved after
 * CURRENT names the new snapshot. From before that until they are in their places, each changed folder has a marker: a
 * file that looks like Parquet and is not, so that other programs that read the folder fail instead of reading too many
 * rows or too few. tapehouse finds a file in either place.
 */
export interface Moves {
  /** Partitions that changed, by dataset: the current snapshot's files of these are moved in. */
  readonly partitions: Readonly<Record<string, readonly string[]>>
  /** Names of all files that the publish adds or replaces. */
  readonly names: readonly string[]
}

/** What a publish writes before it places markers, so that the next writer can complete what a dead one left. */
const Journal = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  /** The hash of the snapshot's record: another writer may have published a snapshot of this number. */
  record: Type.String(),
  marker: Type.String(),
  partitions: Type.Record(Type.String(), Type.Array(Type.String())),
  names: Type.Array(Type.String()),
})
type Journal = Static<typeof Journal>

const shape = Compile(Journal)

/** Moves that are announced by markers. */
export interface Announced {
  /** Removes the markers, because nothing was published. */
  withdraw(): Promise<void>
  /** Moves the files as the current snapshot names them, then removes the markers. */
  carryOut(): Promise<void>
}

const NOTHING: Announced = { withdraw: async () => {}, carryOut: async () => {} }

/** One lane per thread of Node's file pool: see `publish`. */
const AT_ONCE = [1, 2, 3, 4]

const foldersOf = (names: readonly string[]) => [...new Set(names.map(name => dirname(name)))]

/** Writes the journal and places the markers of moves to snapshot `number` with this record. */
export async function announce(
  lake: string,
  staging: string,
  number: number,
  record: string,
  moves: Moves,
): Promise<Announced> {
  if (moves.names.length === 0) return NOTHING
  const journal: Journal = {
    number,
    record: contentHash(record),
    marker: markerName(randomBytes(4).toString('hex')),
    partitions: Object.fromEntries(Object.entries(moves.partitions).map(([key, list]) => [key, [...list]])),
    names: [...moves.names],
  }
  const folder = join(lake, PUBLISHING)
  const path = join(folder, `${basename(staging)}.json`)
  await createFile(path, JSON.stringify(journal))
  await syncFolder(folder)
  const announced: Announced = {
    withdraw: () => unmark(lake, path, journal),
    carryOut: async () => {
      await settle(lake, journal)
      await unmark(lake, path, journal)
    },
  }
  try {
    const places = foldersOf(journal.names).map(name => join(lake, name))
    await makeFolders(places)
    await shareOut(AT_ONCE, places, async (_, place) => {
      const marker = join(place, journal.marker)
      await intoFolder(marker, 'mark', () => writeFile(marker, MARKER_TEXT))
      await syncFolder(place)
    })
  } catch (thrown) {
    await announced.withdraw()
    throw thrown
  }
  return announced
}

/**
 * Completes the moves of publishes whose processes died, or removes their markers if they published nothing. The current
 * snapshot must be complete: see `openBase`.
 */
export async function completeMoves(lake: string): Promise<void> {
  const folder = join(lake, PUBLISHING)
  for (const name of await namesIn(folder)) {
    if (await isWriting(lake, name.replace(/\.json$/, ''))) continue
    const path = join(folder, name)
    const journal = parseJournal((await readText(path)) ?? '')
    // A process that died while it wrote the journal has placed no marker.
    if (journal === null) await removeFile(path)
    else {
      if (await isPublished(lake, journal)) await settle(lake, journal)
      await unmark(lake, path, journal)
    }
  }
  await rmdir(folder).catch(() => {})
}

function parseJournal(text: string): Journal | null {
  try {
    const value: unknown = JSON.parse(text)
    return shape.Check(value) ? value : null
  } catch {
    return null
  }
}

async function isPublished(lake: string, { number, record }: Journal): Promise<boolean> {
  const text = await readText(join(lake, snapshotName(number)))
  return text !== null && contentHash(text) === record
}

/**
 * Moves each file to where the current snapshot has it. Repeats if another writer published meanwhile, so that whoever
 * is last has moved the files as the last snapshot names them.
 */
async function settle(lake: string, { partitions, names }: Journal): Promise<void> {
  for (;;) {
    const number = await currentNumber(lake)
    const named = await namedFiles(lake, number, partitions)
    const targets = names.map(name => (named.has(name) ? join(lake, name) : supersededPath(lake, name)))
    await makeFolders(targets.map(path => dirname(path)))
    await shareOut(AT_ONCE, names, async (_, name) => {
      const [place, superseded] = [join(lake, name), supersededPath(lake, name)]
      if (named.has(name)) await moveFile(superseded, place)
      else await moveFile(place, superseded)
    })
    const folders = foldersOf(names).flatMap(name => [join(lake, name), supersededPath(lake, name)])
    await shareOut(AT_ONCE, folders, (_, path) => syncFolder(path))
    if ((await currentNumber(lake)) === number) return
  }
}

/** Names of the files that a snapshot has in some partitions. */
async function namedFiles(
  lake: string,
  number: number,
  partitions: Journal['partitions'],
): Promise<ReadonlySet<string>> {
  const entries = entriesOf(await requireRecord(lake, number))
  const named = new Set<string>()
  for (const entry of entries.filter(each => partitions[each.dataset]?.includes(each.partition)))
    for (const { name } of (await readManifest(lake, entry)).files) named.add(name)
  return named
}

/** Removes the markers and the folders that the moves emptied, then the journal. */
async function unmark(lake: string, path: string, { marker, names }: Journal): Promise<void> {
  await shareOut(AT_ONCE, foldersOf(names), async (_, name) => {
    const place = join(lake, name)
    if (!existsSync(join(place, marker))) return
    await removeFile(join(place, marker))
    await syncFolder(place)
  })
  // Folders with files in them stay.
  const emptied = foldersOf(names).flatMap(name => [join(lake, name), supersededPath(lake, name)])
  for (const place of emptied) await rmdir(place).catch(() => {})
  await removeFile(path)
  await rmdir(dirname(path)).catch(() => {})
}
