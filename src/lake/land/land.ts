import { unlink } from 'node:fs/promises'
import { type Bindings, dates, files } from '../../engine/bind.ts'
import { Failure } from '../../engine/failure.ts'
import type { Writer } from '../../engine/writer.ts'
import { manifestsOf } from '../store/base.ts'
import { readCurrent } from '../store/current.ts'
import type { Dataset } from '../store/datasets.ts'
import { FORMAT } from '../store/format.ts'
import { isUndivided } from '../store/held-days.ts'
import { lakeFolder } from '../store/layout.ts'
import type { Made } from '../store/made-files.ts'
import type { Digests, Manifest } from '../store/manifest.ts'
import type { Span } from '../store/partition.ts'
import { requireRecord } from '../store/record.ts'
import {
  columnList,
  digestsAmong,
  digestsTogether,
  identifier,
  lookOver,
  type Written,
  writeInOrder,
  writeParts,
  writeSorted,
} from '../store/sorted-files.ts'
import type { Draft } from './draft.ts'
import { extentOf, type LandingStep, planLanding } from './plan.ts'

export interface Landing {
  /** Rows of `incoming` that the lake now holds through this landing; 0 if all inputs were known. */
  readonly rows: number
  /** The partitions whose files changed. */
  readonly partitions: readonly string[]
}

/**
 * Merges the rows of the writer's table or view `incoming` (exactly the dataset's columns) into a draft. Rows replace
 * stored rows of the same natural key; a key has one row in `incoming`, and always the same date. `inputs` are the
 * sha256 of what the rows come from: where the draft knows all of them nothing happens.
 *
 * `incoming` is read once for each partition that it touches: for much data give a table, not a view on files.
 * `inOrder` names a table, if there is one, with the same rows in the order of `orderOf` and no gap in their rowids:
 * where all of them make one new partition, they need not be sorted again.
 * Rejects with lake_write, lake_damaged, lake_newer, and input_refused where a required value is NULL or a date has no
 * four-digit year.
 */
export async function land(
  draft: Draft,
  dataset: Dataset,
  inputs: readonly string[] = [],
  inOrder?: string,
): Promise<Landing> {
  const known = inputsOf(await draft.manifests(dataset))
  if (inputs.length > 0 && inputs.every(input => known.has(input))) return { rows: 0, partitions: [] }
  const incoming = await lookAtIncoming(draft, dataset)
  const sameKey = dataset.key
    .map(name => `incoming.${identifier(name)} = stored.${identifier(name)}`)
    .join(' AND ')
  const partitions = await landDates(draft, dataset, incoming.days, {
    digests: incoming.digests,
    ...(inOrder === undefined ? {} : { inOrder }),
    keeps: arriving => `NOT EXISTS (FROM (${arriving}) AS incoming WHERE ${sameKey})`,
    noted: former => ({
      inputs: [...new Set([...inputsOf(former), ...inputs])].toSorted(),
    }),
  })
  return { rows: [...incoming.days.values()].reduce((sum, rows) => sum + rows, 0), partitions }
}

/**
 * Puts files into a draft that were written already, as a partition that holds nothing yet. Rejects with
 * input_refused where a required value is NULL.
 */
export async function landMade(
  draft: Draft,
  dataset: Dataset,
  partition: string,
  made: readonly Made[],
): Promise<number> {
  if (made.some(({ blanks }) => blanks > 0))
    throw new Failure('input_refused', `${dataset.name}: a required value is NULL: nothing was landed`)
  const days = digestsTogether(made.map(each => each.days))
  const staged = made.flatMap(each => each.staged)
  const step = { partition, dates: Object.keys(days), sources: [] }
  await put(draft, dataset, step, [], { staged, days }, { noted: () => ({ inputs: [] }) })
  return staged.reduce((sum, { file }) => sum + file.rows, 0)
}

/** How rows that arrive meet those that are stored in the same partitions. */
interface Meeting {
  /** The days that fill periods, where more are to come than those that arrive now. */
  readonly around?: Span
  /** The digests of the days that arrive. */
  readonly digests: Digests
  /** A table of the rows that arrive, sorted. */
  readonly inOrder?: string
  /** Which stored rows stay: a condition on `stored`, given the SELECT of the rows that arrive. */
  keeps(arriving: string): string
  /** What the new manifest says of its origin, given those that it takes in and the days that arrive. */
  noted(former: readonly Manifest[], dates: readonly string[]): Pick<Manifest, 'inputs' | 'derived'>
}

/** Partitions that hold nothing yet are written together, up to this many rows. */
export const ROWS_AT_ONCE = 1_000_000

/**
 * Writes the partitions that hold `days` anew: the stored rows that stay, and those of `incoming`, of which `days`
 * tells the number. Answers the partitions whose files changed.
 */
export async function landDates(
  draft: Draft,
  dataset: Dataset,
  days: ReadonlyMap<string, number>,
  meeting: Meeting,
): Promise<string[]> {
  const stored = await draft.manifests(dataset)
  const steps = planLanding(dataset, [...days.keys()], stored.map(extentOf), meeting.around)
  const { length: total } = steps
  const report = (done: number) =>
    total > 1 &&
    draft.observe({ kind: 'progress', task: `write ${dataset.name}`, done, total, unit: 'partitions' })
  const changed: string[] = []
  let done = 0
  for (const group of grouped(steps, days)) {
    report(done)
    const [first] = group
    if (group.length > 1) changed.push(...(await mergeFresh(draft, dataset, group, meeting)))
    else if (first && (await merge(draft, dataset, stored, first, meeting, total === 1)))
      changed.push(first.partition)
    done += group.length
  }
  report(total)
  return changed
}

/** Steps that can be written together: neighbours without stored rows, as far as their own rows are not too many. */
function grouped(steps: readonly LandingStep[], days: ReadonlyMap<string, number>): LandingStep[][] {
  const groups: LandingStep[][] = []
  let room = 0
  for (const step of steps) {
    const rows = step.dates.reduce((sum, day) => sum + (days.get(day) ?? 0), 0)
    const group = groups.at(-1)
    if (group !== undefined && step.sources.length === 0 && rows <= room) {
      group.push(step)
      room -= rows
    } else {
      groups.push([step])
      room = step.sources.length === 0 ? ROWS_AT_ONCE - rows : 0
    }
  }
  return groups
}

/** sha256 of the inputs that the current snapshot holds for this dataset; none where there is no lake yet. */
export async function knownInputs(lake: string, dataset: Dataset): Promise<ReadonlySet<string>> {
  const folder = lakeFolder(lake)
  const number = await readCurrent(folder)
  if (number === null) return new Set()
  return inputsOf(await manifestsOf(folder, await requireRecord(folder, number), dataset))
}

const inputsOf = (manifests: readonly Manifest[]) => new Set(manifests.flatMap(({ inputs }) => inputs))

/** The incoming days, ascending, with their rows and digests. Refuses rows that no partition could hold. */
async function lookAtIncoming(
  { writer }: Draft,
  dataset: Dataset,
): Promise<{ days: ReadonlyMap<string, number>; digests: Digests }> {
  const { digests, blanks } = await lookOver(writer, dataset, 'incoming')
  if (blanks > 0) throw await blankRefusal(writer, dataset)
  const days = isUndivided(dataset) ? await countDays(writer, dataset) : rowsOf(digests)
  const strange = [...days.keys()].find(day => !/^\d{4}-\d{2}-\d{2}$/.test(day))
  if (strange !== undefined)
    throw new Failure('input_refused', `${dataset.name}: ${strange} is no date with a four-digit year`)
  return { days, digests }
}

async function blankRefusal(writer: Writer, { name, columns }: Dataset): Promise<Failure> {
  const required = columns.filter(({ nullable }) => !nullable).map(column => column.name)
  const counts = required.map(
    column => `count(*) FILTER (WHERE ${identifier(column)} IS NULL) AS ${identifier(column)}`,
  )
  const [blanks = {}] = await writer.rows(`SELECT ${counts.join(', ')} FROM incoming`)
  const blank = required.find(column => blanks[column] !== '0')
  return new Failure(
    'input_refused',
    `${name}.${blank} is NULL in ${blanks[blank ?? '']} rows: nothing was landed`,
  )
}

const rowsOf = (digests: Digests) => new Map(Object.entries(digests).map(([day, [rows]]) => [day, rows]))

async function countDays(writer: Writer, { partition }: Dataset): Promise<Map<string, number>> {
  const day = identifier(partition.column)
  const rows = await writer.rows(
    `SELECT ${day}::VARCHAR AS day, count(*) AS row_count FROM incoming GROUP BY ${day} ORDER BY ${day}`,
  )
  return new Map(rows.map(row => [String(row.day), Number(row.row_count)]))
}

/** Writes partitions that hold nothing yet. Answers those that now hold something. */
async function mergeFresh(
  draft: Draft,
  dataset: Dataset,
  steps: readonly LandingStep[],
  meeting: Meeting,
): Promise<string[]> {
  const { writer, base } = draft
  const all = `SELECT ${columnList(dataset)} FROM incoming`
  const written = await writeParts(writer, base.staging, dataset, steps, all, meeting.digests)
  const changed: string[] = []
  for (const [index, step] of steps.entries()) {
    const own = written[index]
    if (own && (await put(draft, dataset, step, [], own, meeting))) changed.push(step.partition)
  }
  return changed
}

/** Writes one partition anew; `isOnly` if all rows go there. Answers whether that changed any of its files. */
async function merge(
  draft: Draft,
  dataset: Dataset,
  stored: readonly Manifest[],
  step: LandingStep,
  meeting: Meeting,
  isOnly: boolean,
): Promise<boolean> {
  const sources = stored.filter(({ partition }) => step.sources.includes(partition))
  const former = sources.flatMap(source => source.files)
  const day = identifier(dataset.partition.column)
  const all = `SELECT ${columnList(dataset)} FROM incoming`
  const arriving = isOnly ? all : `${all} WHERE ${day} IN (SELECT unnest($dates))`
  const select =
    former.length === 0
      ? arriving
      : `SELECT ${columnList(dataset)} FROM read_parquet($stored, hive_partitioning = false) AS stored
         WHERE ${meeting.keeps(arriving)}
         UNION ALL ${arriving}`
  const bindings: Bindings = {
    dates: dates(step.dates),
    ...(former.length > 0 ? { stored: files(former.map(draft.path)) } : {}),
  }
  const { writer, base } = draft
  const known =
    former.length > 0
      ? undefined
      : isUndivided(dataset)
        ? meeting.digests
        : digestsAmong(meeting.digests, step.dates)
  const written =
    isOnly && former.length === 0 && meeting.inOrder !== undefined
      ? await writeInOrder(writer, base.staging, dataset, step.partition, meeting.inOrder, known)
      : await writeSorted(writer, base.staging, dataset, step.partition, select, bindings, known)
  return put(draft, dataset, step, sources, written, meeting)
}

/** Puts what was written of one partition into the draft. Answers whether its files are others than before. */
async function put(
  draft: Draft,
  dataset: Dataset,
  step: LandingStep,
  sources: readonly Manifest[],
  { staged, days }: Written,
  meeting: Pick<Meeting, 'noted'>,
): Promise<boolean> {
  const noted = meeting.noted(sources, step.dates)
  const former = sources.flatMap(source => source.files)
  const same = staged.map(({ file }) => file.name).join('\n') === former.map(({ name }) => name).join('\n')
  if (same && noted.derived === undefined) {
    for (const { path } of staged) await unlink(path)
    return false
  }
  if (staged.length === 0 && Object.keys(noted.derived ?? {}).length === 0) {
    await draft.drop(dataset, step.sources)
    return true
  }
  await draft.put(dataset, {
    manifest: {
      format: FORMAT,
      dataset: dataset.name,
      partition: step.partition,
      schema: dataset.schemaHash,
      ...noted,
      days,
      files: staged.map(({ file }) => file),
    },
    staged,
    absorbs: step.sources.filter(partition => partition !== step.partition),
  })
  return !same
}
