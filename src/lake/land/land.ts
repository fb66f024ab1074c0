import { unlink } from 'node:fs/promises'
import { type Bindings, dates } from '../../engine/bind.ts'
import { Failure } from '../../engine/failure.ts'
import { manifestsOf } from '../publish/base.ts'
import { readCurrent } from '../store/current.ts'
import type { Dataset } from '../store/datasets.ts'
import { FORMAT } from '../store/format.ts'
import { isUndivided, UNDIVIDED } from '../store/held-days.ts'
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
  type Written,
  writeInOrder,
  writeParts,
  writeSorted,
} from '../store/sorted-files.ts'
import { columnsNow } from '../store/stored-columns.ts'
import { storedFiles } from '../store/stored-files.ts'
import type { Draft } from './draft.ts'
import { inspectIncoming, rowsOf } from './incoming.ts'
import { extentOf, type LandingStep, planLanding } from './plan.ts'

export interface Landing {
  /** Rows of `incoming` that were landed; 0 if all inputs had been imported before. */
  readonly rows: number
  /** The partitions whose files changed. */
  readonly partitions: readonly string[]
}

export interface LandingOptions {
  /**
   * A table with the same rows in the order of `orderOf`, without gaps in its rowids: if they form one new partition,
   * they are not sorted again.
   */
  readonly inOrder?: string | undefined
  /** Whether the inputs are imported again. Default: false. */
  readonly isAgain?: boolean
}

/**
 * Merges the rows of the writer's table or view `incoming` (exactly the dataset's columns) into a draft. Rows replace
 * stored rows with the same key. A key has one row in `incoming`, and always the same date. `inputs` are the sha256 of
 * the imported files: if the draft has all of them already, nothing happens, unless they are imported again.
 *
 * `incoming` is read once per partition that it changes: for much data use a table, not a view of files.
 *
 * Rejects with lake_write, lake_damaged or lake_newer, and with input_refused if a required value is NULL or a date has
 * no four-digit year.
 */
export async function land(
  draft: Draft,
  dataset: Dataset,
  inputs: readonly string[] = [],
  { inOrder, isAgain = false }: LandingOptions = {},
): Promise<Landing> {
  const known = inputsOf(await draft.manifests(dataset))
  const carried = draft.carried(dataset)
  const isKnown = !isAgain && inputs.length > 0 && inputs.every(input => known.has(input))
  if (carried.days.size === 0 && isKnown) return { rows: 0, partitions: [] }
  const incoming = await inspectIncoming(draft.writer, dataset)
  draft.count(dataset, rowsOf(incoming.digests))
  const sameKey = dataset.key
    .map(name => `incoming.${identifier(name)} = stored.${identifier(name)}`)
    .join(' AND ')
  const all = [...incoming.days.keys()]
  const isCarried = (day: string) => carried.days.has(isUndivided(dataset) ? UNDIVIDED : day)
  const days = new Map([...incoming.days].filter(([day]) => !isCarried(day)))
  const isWhole = days.size === all.length
  const partitions = await landDates(draft, dataset, days, {
    around: { from: all[0] ?? '', to: all.at(-1) ?? '' },
    digests: incoming.digests,
    isPart: !isWhole,
    ...(inOrder !== undefined && isWhole ? { inOrder } : {}),
    keeps: incomingSelect => `NOT EXISTS (FROM (${incomingSelect}) AS incoming WHERE ${sameKey})`,
    provenance: former => ({
      inputs: [...new Set([...inputsOf(former), ...inputs])].toSorted(),
    }),
  })
  return {
    rows: [...incoming.days.values()].reduce((sum, rows) => sum + rows, 0),
    partitions: [...carried.partitions, ...partitions],
  }
}

/**
 * Adds written files to a draft as a new partition. Returns the number of rows. Rejects with input_refused if a
 * required value is NULL.
 */
export async function landMade(
  draft: Draft,
  dataset: Dataset,
  partition: string,
  made: readonly Made[],
): Promise<number> {
  if (made.some(({ blanks }) => blanks > 0))
    throw new Failure('input_refused', `${dataset.name}: a required value is NULL, so nothing was imported`)
  const days = digestsTogether(made.map(each => each.days))
  const staged = made.flatMap(each => each.staged)
  draft.count(dataset, rowsOf(days))
  const step = { partition, dates: Object.keys(days), sources: [] }
  await put(draft, dataset, step, [], { staged, days }, { provenance: () => ({ inputs: [] }) })
  return staged.reduce((sum, { file }) => sum + file.rows, 0)
}

/** How incoming rows are merged with the stored rows of the same partitions. */
interface MergeRule {
  /** The days that decide whether periods are full, if later calls bring more days. Default: the incoming days. */
  readonly around?: Span
  /** Whether `incoming` also has rows of other days, which are not merged. Default: false. */
  readonly isPart?: boolean
  /** The digests of the incoming days. */
  readonly digests: Digests
  /** A table of the incoming rows, sorted. */
  readonly inOrder?: string
  /** The SQL condition on `stored` for the stored rows that stay; `incomingSelect` is a SELECT of the incoming rows. */
  keeps(incomingSelect: string): string
  /** The provenance in the new manifest, from the manifests that it replaces and the incoming days. */
  provenance(former: readonly Manifest[], dates: readonly string[]): Pick<Manifest, 'inputs' | 'derived'>
}

/** New partitions are written together, up to this many rows. */
export const ROWS_AT_ONCE = 1_000_000

/**
 * Rewrites the partitions of `days` with the stored rows that stay and the rows of `incoming`. `days` has the number of
 * incoming rows by day. Returns the partitions whose files changed.
 */
export async function landDates(
  draft: Draft,
  dataset: Dataset,
  days: ReadonlyMap<string, number>,
  rule: MergeRule,
): Promise<string[]> {
  const stored = await draft.manifests(dataset)
  const steps = planLanding(dataset, [...days.keys()], stored.map(extentOf), rule.around)
  const { length: total } = steps
  const report = (done: number) =>
    total > 1 &&
    draft.observe({ kind: 'progress', task: `write ${dataset.name}`, done, total, unit: 'partitions' })
  const changed: string[] = []
  let done = 0
  for (const group of grouped(steps, days)) {
    report(done)
    const [first] = group
    if (group.length > 1) changed.push(...(await mergeFresh(draft, dataset, group, rule)))
    else if (first && (await merge(draft, dataset, stored, first, rule, total === 1 && !rule.isPart)))
      changed.push(first.partition)
    done += group.length
  }
  report(total)
  return changed
}

/** Groups of steps to write together: consecutive new partitions, up to ROWS_AT_ONCE rows. */
function grouped(steps: readonly LandingStep[], days: ReadonlyMap<string, number>): LandingStep[][] {
  const groups: LandingStep[][] = []
  let rowsLeft = 0
  for (const step of steps) {
    const rows = step.dates.reduce((sum, day) => sum + (days.get(day) ?? 0), 0)
    const group = groups.at(-1)
    if (group !== undefined && step.sources.length === 0 && rows <= rowsLeft) {
      group.push(step)
      rowsLeft -= rows
    } else {
      groups.push([step])
      rowsLeft = step.sources.length === 0 ? ROWS_AT_ONCE - rows : 0
    }
  }
  return groups
}

/** sha256 of the inputs of a dataset in the current snapshot; empty if there is no lake yet. */
export async function knownInputs(lake: string, dataset: Dataset): Promise<ReadonlySet<string>> {
  const folder = lakeFolder(lake)
  const number = await readCurrent(folder)
  if (number === null) return new Set()
  return inputsOf(await manifestsOf(folder, await requireRecord(folder, number), dataset))
}

const inputsOf = (manifests: readonly Manifest[]) => new Set(manifests.flatMap(({ inputs }) => inputs))

/** Writes new partitions. Returns those that have rows. */
async function mergeFresh(
  draft: Draft,
  dataset: Dataset,
  steps: readonly LandingStep[],
  rule: MergeRule,
): Promise<string[]> {
  const { writer, base } = draft
  const all = `SELECT ${columnList(dataset)} FROM incoming`
  const written = await writeParts(writer, base.staging, dataset, steps, all, rule.digests)
  const changed: string[] = []
  for (const [index, step] of steps.entries()) {
    const own = written[index]
    if (own && (await put(draft, dataset, step, [], own, rule))) changed.push(step.partition)
  }
  return changed
}

/** Rewrites one partition; `isOnly` if it takes all incoming rows. Returns whether any of its files changed. */
async function merge(
  draft: Draft,
  dataset: Dataset,
  stored: readonly Manifest[],
  step: LandingStep,
  rule: MergeRule,
  isOnly: boolean,
): Promise<boolean> {
  const sources = stored.filter(({ partition }) => step.sources.includes(partition))
  const former = sources.flatMap(source => source.files)
  const day = identifier(dataset.partition.column)
  const all = `SELECT ${columnList(dataset)} FROM incoming`
  const incomingSelect = isOnly ? all : `${all} WHERE ${day} IN (SELECT unnest($dates))`
  const select =
    former.length === 0
      ? incomingSelect
      : `SELECT ${columnList(dataset)} FROM read_parquet($stored, hive_partitioning = false) AS stored
         WHERE ${rule.keeps(incomingSelect)}
         UNION ALL ${incomingSelect}`
  const { writer, base } = draft
  const bindings: Bindings = {
    dates: dates(step.dates),
    ...(former.length > 0
      ? { stored: await writer.bindFiles(dataset, storedFiles(dataset, sources, draft.path)) }
      : {}),
  }
  const known =
    former.length > 0
      ? undefined
      : isUndivided(dataset)
        ? rule.digests
        : digestsAmong(rule.digests, step.dates)
  const written =
    isOnly && former.length === 0 && rule.inOrder !== undefined
      ? await writeInOrder(writer, base.staging, dataset, step.partition, rule.inOrder, known)
      : await writeSorted(writer, base.staging, dataset, step.partition, select, bindings, known)
  return put(draft, dataset, step, sources, written, rule)
}

/** Puts a written partition into the draft. Returns whether its files differ from the former ones. */
async function put(
  draft: Draft,
  dataset: Dataset,
  step: LandingStep,
  sources: readonly Manifest[],
  { staged, days }: Written,
  rule: Pick<MergeRule, 'provenance'>,
): Promise<boolean> {
  const provenance = rule.provenance(sources, step.dates)
  const former = sources.flatMap(source => source.files)
  const same = staged.map(({ file }) => file.name).join('\n') === former.map(({ name }) => name).join('\n')
  if (same && provenance.derived === undefined) {
    for (const { path } of staged) await unlink(path)
    return false
  }
  if (staged.length === 0 && Object.keys(provenance.derived ?? {}).length === 0) {
    await draft.drop(dataset, step.sources)
    return true
  }
  await draft.put(dataset, {
    manifest: {
      format: FORMAT,
      dataset: dataset.name,
      partition: step.partition,
      columns: columnsNow(dataset),
      ...provenance,
      days,
      files: staged.map(({ file }) => file),
    },
    staged,
    absorbs: step.sources.filter(partition => partition !== step.partition),
  })
  return !same
}
