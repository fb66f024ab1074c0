import { type Bindings, date, texts } from '../../engine/bind.ts'
import { Failure } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { type Derived, derive, together } from '../derive/derive.ts'
import { type Draft, withDraft } from '../land/draft.ts'
import { amendSnapshot } from '../land/past-draft.ts'
import { keptSnapshots } from '../snapshots/kept.ts'
import { currentNumber } from '../store/current.ts'
import type { Dataset } from '../store/datasets.ts'
import { derivations, inputsOf } from '../store/derivation.ts'
import { FORMAT } from '../store/format.ts'
import { lakeFolder } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import { requireRecord } from '../store/record.ts'
import { columnList, identifier, writeSorted } from '../store/sorted-files.ts'
import { columnsNow } from '../store/stored-columns.ts'
import { storedFiles } from '../store/stored-files.ts'
import { undoableAfter } from './forget.ts'
import type { DropSelection } from './selection.ts'

export interface Drop {
  /** The lake's snapshot afterwards. */
  readonly snapshot: number
  /** The number of deleted rows of the dataset; 0: nothing was published. */
  readonly rows: number
  readonly derived: readonly Derived[]
}

/** Range columns that hold tickers. */
const TICKER_COLUMNS = ['ticker', 'underlying_symbol', 'symbol', 'etf']

/** The column of a dataset with the tickers of its rows. Throws usage if there is none. */
function tickerColumn({ name, ranges }: Dataset): string {
  const column = ranges.find(each => TICKER_COLUMNS.includes(each))
  if (column === undefined)
    throw new Failure('usage', `${name} has no tickers: its rows can be dropped by date, or all of them`)
  return column
}

/** Throws usage for a derived dataset: its rows would be derived again. */
export function assertImported({ name }: Dataset): void {
  const derivation = derivations().get(name)
  if (derivation !== undefined)
    throw new Failure(
      'usage',
      `${name} is derived: drop rows of its sources instead (${inputsOf(derivation)
        .map(input => input.name)
        .filter(input => input !== name)
        .join(', ')})`,
    )
}

/** Throws usage for tickers of a dataset that has none. */
export function assertDroppable({ dataset, tickers }: DropSelection): void {
  if (tickers !== null) tickerColumn(dataset)
}

/**
 * Publishes a snapshot without the selected rows, and derives again what depends on them. Earlier snapshots keep them
 * until vacuum deletes these. Of a derived dataset, only the days that were adopted can be dropped. Rejects with usage if it
 * has none, or if a dataset has no tickers, with lake_missing, lake_damaged, lake_newer, lake_conflict or lake_write.
 */
export async function drop(
  writer: Writer,
  lake: string,
  selections: readonly DropSelection[],
  madeBy: string,
  observe: Observe,
): Promise<Drop> {
  for (const selection of selections) assertDroppable(selection)
  let derived: Derived[] = []
  const work = async (draft: Draft): Promise<Drop> => {
    for (const selection of selections) {
      const selected = await dropFrom(draft, selection)
      if (selected === 0) assertImported(selection.dataset)
    }
    const fedBy = selections.map(({ dataset }) => dataset.name)
    if (draft.changed()) derived = together(derived, await derive(draft, { fedBy }))
    const { lake: folder, record } = draft.base
    const undoable = await undoableAfter(folder, record?.undoable ?? [], selections)
    const snapshot = await draft.publish({ made_by: madeBy, undoable })
    if (snapshot === draft.base.number) return { snapshot, rows: 0, derived: [] }
    const { changes = {} } = await requireRecord(draft.base.lake, snapshot)
    return { snapshot, rows: fedBy.reduce((sum, name) => sum + (changes[name]?.removed ?? 0), 0), derived }
  }
  return withDraft(writer, lake, observe, work)
}

/**
 * Deletes the selected rows of the snapshots that are kept by a name too, one after the other, and derives again what
 * depends on them. Returns their numbers. Vacuum then deletes the files. Rejects as `drop` does.
 */
export async function dropFromKept(
  writer: Writer,
  lake: string,
  selections: readonly DropSelection[],
  madeBy: string,
  observe: Observe,
): Promise<number[]> {
  for (const selection of selections) assertDroppable(selection)
  const folder = lakeFolder(lake)
  const fedBy = selections.map(({ dataset }) => dataset.name)
  const work = async (draft: Draft) => {
    for (const selection of selections) await dropFrom(draft, selection)
    if (draft.changed()) await derive(draft, { fedBy })
  }
  const current = await currentNumber(folder)
  const numbers = [...new Set((await keptSnapshots(folder)).map(({ snapshot }) => snapshot))]
  for (const number of numbers.filter(each => each !== current))
    await amendSnapshot(writer, folder, number, observe, work, madeBy)
  return numbers
}

/** The number of selected rows of manifests, and of all rows. Opens files only where their dates and ranges leave doubt. */
export async function countSelected(
  writer: Writer,
  path: Draft['path'],
  manifests: readonly Manifest[],
  selection: DropSelection,
): Promise<{ selected: number; rows: number }> {
  let selected = 0
  let rows = 0
  for (const manifest of manifests) {
    rows += rowsOf(manifest)
    selected += await selectedIn(writer, path, manifest, selection)
  }
  return { selected, rows }
}

const rowsOf = ({ files: all }: Manifest) => all.reduce((sum, { rows }) => sum + rows, 0)

async function selectedIn(
  writer: Writer,
  path: Draft['path'],
  manifest: Manifest,
  selection: DropSelection,
): Promise<number> {
  const { tickers, before, dataset } = selection
  const isComputed = computedDays(manifest).length > 0
  const days = manifest.files.flatMap(({ dates }) => dates)
  const isBefore = before === null || days.every(day => day < before)
  if (before !== null && days.every(day => day >= before)) return 0
  if (tickers === null && isBefore && !isComputed) return rowsOf(manifest)
  if (tickers !== null) {
    const column = tickerColumn(dataset)
    const mayHold = manifest.files.some(({ ranges: { [column]: range } }) =>
      tickers.some(ticker => range === undefined || (range[0] <= ticker && ticker <= range[1])),
    )
    if (!mayHold) return 0
  }
  const { condition, bindings } = conditionOf(selection, manifest)
  const [row] = await writer.rows(
    `SELECT count(*)::VARCHAR AS number FROM read_parquet($stored, hive_partitioning = false) WHERE ${condition}`,
    { ...bindings, stored: await writer.bindFiles(dataset, storedFiles(dataset, [manifest], path)) },
  )
  return Number(row?.number)
}

/** The days of a manifest that were computed from other datasets. Without their rows, they would be computed again. */
const computedDays = ({ derived }: Manifest) => Object.keys(derived ?? {})

function conditionOf(
  { dataset, tickers, before }: DropSelection,
  manifest: Manifest,
): { condition: string; bindings: Bindings } {
  const computed = computedDays(manifest)
  const day = identifier(dataset.partition.column)
  return {
    condition: [
      'true',
      ...(computed.length === 0 ? [] : [`${day}::VARCHAR NOT IN (SELECT unnest($computed))`]),
      ...(before === null ? [] : [`${day} < $before`]),
      ...(tickers === null
        ? []
        : [`coalesce(${identifier(tickerColumn(dataset))} IN (SELECT unnest($tickers)), false)`]),
    ].join(' AND '),
    bindings: {
      ...(computed.length === 0 ? {} : { computed: texts(computed) }),
      ...(before === null ? {} : { before: date(before) }),
      ...(tickers === null ? {} : { tickers: texts(tickers) }),
    },
  }
}

/** Rewrites the partitions of a draft that hold selected rows, without these. Returns the number of these rows. */
async function dropFrom(draft: Draft, selection: DropSelection): Promise<number> {
  const { dataset } = selection
  let dropped = 0
  const manifests = await draft.manifests(dataset)
  for (const [done, manifest] of manifests.entries()) {
    draft.observe({
      kind: 'progress',
      task: `drop ${dataset.name}`,
      done,
      total: manifests.length,
      unit: 'partitions',
    })
    const selected = await selectedIn(draft.writer, draft.path, manifest, selection)
    dropped += selected
    if (selected === rowsOf(manifest)) await draft.drop(dataset, [manifest.partition])
    else if (selected > 0) await rewrite(draft, manifest, selection)
  }
  return dropped
}

/** The partition keeps its inputs, so that importing the same files again does not bring the rows back. */
async function rewrite(draft: Draft, manifest: Manifest, selection: DropSelection): Promise<void> {
  const { dataset } = selection
  const { condition, bindings } = conditionOf(selection, manifest)
  const { writer } = draft
  const stored = await writer.bindFiles(dataset, storedFiles(dataset, [manifest], draft.path))
  const { staged, days } = await writeSorted(
    writer,
    draft.base.staging,
    dataset,
    manifest.partition,
    `SELECT ${columnList(dataset)} FROM read_parquet($stored, hive_partitioning = false) WHERE NOT (${condition})`,
    { ...bindings, stored },
  )
  // No rows are merged into these days: all that differ are deleted ones.
  draft.count(dataset, new Map(Object.keys(days).map(day => [day, 0])))
  await draft.put(dataset, {
    manifest: {
      ...manifest,
      format: FORMAT,
      columns: columnsNow(dataset),
      days,
      files: staged.map(({ file }) => file),
    },
    staged,
    absorbs: [],
  })
}
