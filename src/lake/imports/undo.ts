import { existsSync } from 'node:fs'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Derived, derive, together } from '../derive/derive.ts'
import { type Draft, withDraft } from '../land/draft.ts'
import { readHeld } from '../land/held.ts'
import { importHistory, type PastImport } from '../land/history.ts'
import { UNDOABLE_IMPORTS } from '../land/record-event.ts'
import { entriesIn, type Replaced, readReplaced } from '../land/replaced.ts'
import { currentNumber } from '../store/current.ts'
import { type Dataset, dataset as datasetOf } from '../store/datasets.ts'
import { lakeFolder, pathOf } from '../store/layout.ts'
import { type Manifest, readManifest } from '../store/manifest.ts'
import { type Entry, readRecord } from '../store/record.ts'
import { restoreDays } from './restore-days.ts'

export interface Undone {
  /** The lake's snapshot afterwards. */
  readonly snapshot: number
  /** The datasets of the import, and the number of files of each that can be imported again. */
  readonly datasets: readonly string[]
  readonly derived: readonly Derived[]
}

/**
 * Publishes a snapshot in which the days that import `number` changed have the rows that they had before, and derives
 * what depends on them. Its files can then be imported again. Rejects with not_found if the lake has no such import;
 * with undo_refused if it was undone, if something else has changed the days since, or if what it replaced is gone; with
 * lake_missing, lake_damaged, lake_newer, lake_conflict or lake_write.
 */
export async function undoImport(
  writer: Writer,
  lake: string,
  number: number,
  observe: Observe,
): Promise<Undone> {
  const folder = lakeFolder(lake)
  await currentNumber(folder)
  let derived: Derived[] = []
  return withDraft(writer, folder, observe, async draft => {
    const history = await importHistory(folder, draft.base.record)
    const past = undoable(folder, history, number)
    const replaced = await replacedBy(draft, history, past, number)
    const names = [...new Set([...Object.keys(replaced.before), ...Object.keys(replaced.after)])].toSorted()
    const inputs = new Set(past.record.files.map(({ input }) => input))
    for (const name of names) {
      const dataset = datasetOf(name)
      const [before, after] = [
        await formerManifests(folder, number, replaced.before, name),
        await laterManifests(folder, number, replaced.after, name),
      ]
      const [day] = await restoreDays(draft, { dataset, before, after, inputs })
      if (day !== undefined) throw await overtaken(draft, history, number, dataset, day)
    }
    derived = together(derived, await derive(draft, { fedBy: names }))
    const snapshot = await draft.publish(
      {
        made_by: `imports undo ${number}`,
        undoable: (draft.base.record?.undoable ?? []).filter(name => name !== past.record.landed?.undo),
        ...marksBefore(draft, history, past),
      },
      { undoes: number },
    )
    return { snapshot, datasets: names, derived }
  })
}

const refused = (number: number, reason: string) =>
  new Failure('undo_refused', `import ${number} cannot be undone: ${reason}; nothing was changed`)

/** The import of that number. Throws not_found or undo_refused. */
function undoable(lake: string, history: readonly PastImport[], number: number): PastImport {
  const past = history.find(each => each.number === number)
  if (past === undefined)
    throw new Failure('not_found', `${lake} has no import ${number}: "tapehouse imports" lists all`)
  if (past.undoneBy !== null) throw refused(number, `snapshot ${past.undoneBy} has undone it already`)
  return past
}

/** The partitions that an import changed. Throws undo_refused if they are not known any more. */
async function replacedBy(
  { base: { lake, record } }: Draft,
  history: readonly PastImport[],
  { record: { landed } }: PastImport,
  number: number,
): Promise<Replaced> {
  if (landed === undefined) return replacedEarlier(lake, number)
  if (record?.undoable?.includes(landed.undo)) {
    const replaced = await readReplaced(lake, landed.undo)
    if (replaced === null) throw gone(number)
    return replaced
  }
  const later = history.filter(each => (each.number ?? 0) > number && each.undoneBy === null)
  throw refused(
    number,
    later.length < UNDOABLE_IMPORTS
      ? `rows of ${Object.keys(landed.datasets).join(', ')} were dropped since, and would come back`
      : `only the last ${UNDOABLE_IMPORTS} imports can be undone`,
  )
}

const gone = (number: number) =>
  refused(number, 'vacuum has deleted what it replaced; import the correct files over it instead')

/** The partitions that an import of an earlier version changed, by the records of its snapshot and the one before. */
async function replacedEarlier(lake: string, number: number): Promise<Replaced> {
  const made = await readRecord(lake, number)
  const former = made?.parent == null ? null : await readRecord(lake, made.parent)
  if (made === null || (former === null && made.parent !== null)) throw gone(number)
  const without = (one: typeof former, other: typeof former): Replaced['before'] =>
    Object.fromEntries(
      Object.entries(one?.datasets ?? {}).map(([name, { partitions }]) => {
        const others = other?.datasets[name]?.partitions ?? {}
        return [
          name,
          Object.fromEntries(Object.entries(partitions).filter(([key, at]) => others[key] !== at)),
        ]
      }),
    )
  return { before: without(former, made), after: without(made, former) }
}

const entriesOf = (partitions: Replaced['before'], name: string): Entry[] =>
  entriesIn(partitions).filter(({ dataset }) => dataset === name)

/** The manifests that an import replaced. Throws undo_refused if one of them, or one of their files, is gone. */
async function formerManifests(
  lake: string,
  number: number,
  partitions: Replaced['before'],
  name: string,
): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  for (const entry of entriesOf(partitions, name)) {
    if (!existsSync(pathOf(lake, entry.manifest))) throw gone(number)
    const manifest = await readHeld(lake, entry)
    // A derived partition that is lost is derived again.
    if (manifest === null) continue
    if (!manifest.files.every(file => existsSync(pathOf(lake, file.name)))) throw gone(number)
    manifests.push(manifest)
  }
  return manifests
}

/** The manifests that an import made. Their files may be gone. */
async function laterManifests(
  lake: string,
  number: number,
  partitions: Replaced['after'],
  name: string,
): Promise<Manifest[]> {
  const entries = entriesOf(partitions, name)
  if (!entries.every(({ manifest }) => existsSync(pathOf(lake, manifest)))) throw gone(number)
  return Promise.all(entries.map(entry => readManifest(lake, entry)))
}

/** The failure for a day that something else has changed after an import. Names the newest import that did. */
async function overtaken(
  { base: { lake, number: current } }: Draft,
  history: readonly PastImport[],
  number: number,
  { name }: Dataset,
  day: string,
): Promise<Failure> {
  const later = history.findLast(each => {
    const days = each.record.landed?.datasets[name]?.extent?.days
    const isOver = days === undefined || day === 'all' || (days[0] <= day && day <= days[1])
    return (each.number ?? 0) > number && each.undoneBy === null && isOver
  })
  const what = day === 'all' ? name : `${name} of ${day}`
  if (later !== undefined)
    return refused(
      number,
      `import ${later.number} (${later.record.import_format}, ${later.record.time}) changed ${what} later: undo import ${later.number} first`,
    )
  for (let each = current; each > number; each -= 1) {
    const record = await readRecord(lake, each)
    if (record?.changes?.[name] !== undefined)
      return refused(number, `"${record.made_by}" (snapshot ${each}) changed ${what} later`)
  }
  return refused(number, `another command changed ${what} later`)
}

/** The closed days and the mark of generated data as before an import, unless later commands have changed them. */
function marksBefore(
  { base: { record } }: Draft,
  history: readonly PastImport[],
  { number, record: { landed } }: PastImport,
) {
  const isNewest = history.every(each => (each.number ?? 0) <= (number ?? 0) || each.undoneBy !== null)
  return {
    ...(landed?.closed !== undefined && landed.closed.after === record?.closed
      ? { reopened: landed.closed.before }
      : {}),
    ...(landed?.generated !== undefined && isNewest ? { generated: landed.generated } : {}),
  }
}
