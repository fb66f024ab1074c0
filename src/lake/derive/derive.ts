import { type Bindings, date } from '../../engine/bind.ts'
import { completed } from '../../engine/computed-columns.ts'
import { Failure, firstLine } from '../../engine/failure.ts'
import type { Writer } from '../../engine/writer.ts'
import { FIRST_DAY, LAST_DAY } from '../../market/day.ts'
import type { Draft } from '../land/draft.ts'
import { landDates } from '../land/land.ts'
import type { Dataset } from '../store/datasets.ts'
import { type Derivation, derivations, inputsOf } from '../store/derivation.ts'
import { type HeldDays, type Holdings, heldDays, isUndivided, withDigests } from '../store/held-days.ts'
import type { Digests } from '../store/manifest.ts'
import { compareKeys } from '../store/prune.ts'
import { digestsOf, identifier, orderAsStored } from '../store/sorted-files.ts'
import { ROWS_A_FILE } from '../store/written-file.ts'
import { computeFigures } from './chain-figures.ts'
import { fingerprint, windowOf } from './fingerprint.ts'
import { portionsOf } from './portions.ts'
import { runLength } from './runs.ts'
import { suspectedSplits } from './suspected-splits.ts'

/** The changes to one derived dataset. */
export interface Derived {
  readonly dataset: string
  /** Days that were computed, ascending. */
  readonly computed: readonly string[]
  /** Days that were removed because their sources are gone. */
  readonly dropped: readonly string[]
}

export interface DeriveOptions {
  /** Only these derived datasets and their inputs. Default: all. */
  readonly datasets?: readonly string[]
  /** Only datasets that are derived from these, directly or indirectly. Default: all. */
  readonly fedBy?: readonly string[]
  /** Only this day. Default: all. */
  readonly date?: string
  /** Recompute every day, even if its inputs have not changed. Default: false. */
  readonly afresh?: boolean
}

/**
 * Computes the derived days of a draft whose inputs or template have changed since they were computed, and no others.
 * When a day changes, later days that read it are checked too, until the content is the same as before. Days whose
 * sources are gone are removed. Rows imported into a derived dataset stay for days that its sources do not hold.
 */
export async function derive(draft: Draft, options: DeriveOptions = {}): Promise<Derived[]> {
  const outcomes: Derived[] = []
  for (const derivation of chosen(options)) {
    const outcome = await deriveDataset(draft, derivation, options)
    if (outcome.computed.length + outcome.dropped.length > 0) outcomes.push(outcome)
  }
  return outcomes
}

/** What two computations changed, the second of which repeats some of the first. */
export function together(one: readonly Derived[], other: readonly Derived[]): Derived[] {
  const names = [...new Set([...one, ...other].map(({ dataset }) => dataset))]
  const days = (name: string, kind: 'computed' | 'dropped') =>
    [
      ...new Set([...one, ...other].filter(each => each.dataset === name).flatMap(each => each[kind])),
    ].toSorted(compareKeys)
  return names.map(dataset => ({
    dataset,
    computed: days(dataset, 'computed'),
    dropped: days(dataset, 'dropped'),
  }))
}

/** The stale days by derived dataset: a computation now could give another result. */
export async function staleDays(holdings: Holdings): Promise<ReadonlyMap<string, readonly string[]>> {
  const stale = new Map<string, readonly string[]>()
  for (const derivation of derivations().values()) {
    const state = await stateOf(holdings, derivation)
    const own = [...state.days.filter(day => isStale(state, day)), ...state.orphans].toSorted(compareKeys)
    if (own.length > 0) stale.set(derivation.dataset.name, own)
  }
  return stale
}

/** The selected derivations, each after those that it reads. */
function chosen({ datasets, fedBy }: DeriveOptions): Derivation[] {
  const all = [...derivations().values()]
  const wanted = new Set(datasets ?? all.map(({ dataset }) => dataset.name))
  for (const derivation of all.toReversed())
    if (wanted.has(derivation.dataset.name)) for (const { name } of inputsOf(derivation)) wanted.add(name)
  const touched = new Set(fedBy ?? all.flatMap(each => inputsOf(each)).map(({ name }) => name))
  return all.filter(derivation => {
    const fed = inputsOf(derivation).some(({ name }) => touched.has(name))
    if (fed) touched.add(derivation.dataset.name)
    return fed && wanted.has(derivation.dataset.name)
  })
}

/** A derived dataset and its inputs, as in the lake. */
interface State {
  readonly derivation: Derivation
  readonly held: Map<string, HeldDays>
  /** The days that the dataset should have, ascending. */
  readonly days: readonly string[]
  /** The fingerprint of each stored day. */
  readonly origins: Map<string, string>
  /** Stored days whose sources are gone. */
  readonly orphans: readonly string[]
}

async function stateOf(holdings: Holdings, derivation: Derivation): Promise<State> {
  const held = new Map<string, HeldDays>()
  for (const input of [...inputsOf(derivation), derivation.dataset])
    if (!held.has(input.name)) held.set(input.name, await heldDays(holdings, input))
  const own = await holdings.manifests(derivation.dataset)
  const origins = new Map(own.flatMap(({ derived }) => Object.entries(derived ?? {})))
  const days = [...new Set(derivation.days.flatMap(({ name }) => held.get(name)?.days ?? []))].toSorted(
    compareKeys,
  )
  const wanted = new Set(days)
  return { derivation, held, days, origins, orphans: [...origins.keys()].filter(day => !wanted.has(day)) }
}

function isStale({ derivation, held, origins }: State, day: string): boolean {
  const origin = origins.get(day)
  return origin === undefined || origin !== fingerprint(derivation, held, day)
}

async function deriveDataset(
  draft: Draft,
  derivation: Derivation,
  { date: only, afresh = false }: DeriveOptions,
): Promise<Derived> {
  const state = await stateOf(draft, derivation)
  const inScope = (day: string) => only === undefined || day === only
  const isWanted = (day: string) => inScope(day) && (afresh || isStale(state, day))
  const dropped = state.orphans.filter(inScope)
  if (dropped.length > 0) await dropDays(draft, state, dropped)
  const computed: string[] = []
  const { days } = state
  const sources = derivation.days.map(source => heldOf(state, source))
  const splits = suspectedSplits(draft.writer, draft.observe)
  const report = (done: number) =>
    draft.observe({
      kind: 'progress',
      task: `derive ${derivation.dataset.name}`,
      done,
      total: days.length,
      unit: 'days',
    })
  for (let next = 0; next < days.length; ) {
    const run = days.slice(next, next + runLength(derivation, days, next, sources, isWanted))
    if (run.length > 0) {
      report(next)
      await computeRun(draft, state, run)
      if (derivation.dataset.name === 'price_adjustments') await splits.collect('incoming')
      computed.push(...run)
    }
    next += Math.max(1, run.length)
  }
  if (computed.length > 0) report(days.length)
  splits.report()
  return { dataset: derivation.dataset.name, computed, dropped }
}

/** Computes consecutive days in one statement and replaces the stored ones. */
async function computeRun(draft: Draft, state: State, run: readonly string[]): Promise<void> {
  const { dataset, reads, sql } = state.derivation
  const { writer } = draft
  const [from = '', to = ''] = [run[0], run.at(-1)]
  const bindings: Record<string, Bindings[string]> = { from: date(from), to: date(to) }
  for (const input of reads) {
    const held = heldOf(state, input.dataset)
    const own = input.dataset === dataset
    const first = windowOf(input.reach, held, from, own)
    const last = windowOf(input.reach, held, to, own)
    // The dataset's own history ends before the run: the days of the run are missing or outdated.
    const window = isUndivided(input.dataset)
      ? EVERYTHING
      : { from: first.from, to: own ? first.to : last.to }
    bindings[input.dataset.name] = await writer.bindFiles(input.dataset, held.files(window.from, window.to))
  }
  await emptyIncoming(draft, dataset)
  const { computed } = dataset
  const portions = await portionsOf(writer, dataset.name, sql, bindings)
  // One day is usually one partition, which is then not sorted again into another table.
  const isInOrder = run.length === 1 && portions.length === 1
  const order = isInOrder ? ` ORDER BY ${orderAsStored(dataset)}` : ''
  try {
    for (const portion of portions)
      await writer.run(
        `INSERT INTO incoming BY NAME (FROM (${computed === null ? portion : completed(computed, `(${portion})`)})${order})`,
        bindings,
      )
  } catch (thrown) {
    // Values that are valid on their own may have a sum that overflows its column.
    if (!/^Conversion Error|^Out of Range Error/.test(firstLine(thrown))) throw thrown
    throw new Failure(
      'input_refused',
      `${dataset.name} of ${from === to ? from : `${from} to ${to}`} cannot be computed from its inputs (${firstLine(thrown)}): correct their values; nothing was published`,
      { cause: thrown },
    )
  }
  await COMPUTING[dataset.name]?.(writer, 'incoming')
  await writeDays(draft, state, run, isInOrder)
}

/** Functions that compute what SQL does not, in the table of a derivation's result, by dataset. */
const COMPUTING: Readonly<Record<string, (writer: Writer, table: string) => Promise<number>>> = {
  option_greek_days: computeFigures,
}

const EVERYTHING = { from: FIRST_DAY, to: LAST_DAY }

/**
 * Replaces the stored rows of `days` by the rows of `incoming`, which the derivation computed for these days. `isInOrder`
 * if they are one day in the lake's order.
 */
async function writeDays(
  draft: Draft,
  state: State,
  days: readonly string[],
  isInOrder: boolean,
): Promise<void> {
  const { derivation, held, origins } = state
  const { dataset } = derivation
  const digests = await digestsOf(draft.writer, dataset, 'incoming')
  const stray = Object.keys(digests).find(day => !days.includes(day))
  if (stray !== undefined)
    throw new Error(`sql/derive/${dataset.name}.sql: rows of ${stray}, which is not a day from $from to $to`)
  held.set(dataset.name, withDigests(heldOf(state, dataset), days, digests))
  const computed = days.map(day => [day, fingerprint(derivation, held, day)] as const)
  for (const [day, origin] of computed) origins.set(day, origin)
  await replaceDays(draft, state, new Map(computed), days, digests, isInOrder)
  held.set(dataset.name, await heldDays(draft, dataset))
}

/** Removes days whose sources are gone. */
async function dropDays(draft: Draft, state: State, days: readonly string[]): Promise<void> {
  const { dataset } = state.derivation
  await emptyIncoming(draft, dataset)
  await replaceDays(draft, state, new Map(), days, {}, false)
  for (const day of days) state.origins.delete(day)
  state.held.set(dataset.name, await heldDays(draft, dataset))
}

async function emptyIncoming({ writer }: Draft, dataset: Dataset): Promise<void> {
  const columns = dataset.columns.map(({ name, type }) => `${identifier(name)} ${type}`)
  await writer.run(`CREATE OR REPLACE TEMP TABLE incoming (${columns.join(', ')})`)
}

/**
 * Replaces all rows of `days` by those of `incoming`. `computed` has the days' fingerprints, `digests` their new
 * digests.
 */
function replaceDays(
  draft: Draft,
  { derivation: { dataset }, days: all }: State,
  computed: ReadonlyMap<string, string>,
  days: readonly string[],
  digests: Digests,
  isInOrder: boolean,
): Promise<string[]> {
  const replaced = new Set(days)
  const rows = new Map(days.map(day => [day, digests[day]?.[0] ?? 0]))
  // Several files are written through a second connection, which does not see this one's tables.
  const isOneFile = isInOrder && [...rows.values()].every(each => each <= ROWS_A_FILE)
  return landDates(draft, dataset, rows, {
    around: { from: all[0] ?? '', to: all.at(-1) ?? '' },
    digests,
    ...(isOneFile ? { inOrder: 'incoming' } : {}),
    keeps: () => `${identifier(dataset.partition.column)} NOT IN (SELECT unnest($dates))`,
    provenance(former, dates) {
      const kept = former
        .flatMap(({ derived }) => Object.entries(derived ?? {}))
        .filter(([day]) => !replaced.has(day))
      const fresh = [...computed].filter(([day]) => dates.includes(day))
      return {
        inputs: [...new Set(former.flatMap(({ inputs }) => inputs))].toSorted(),
        derived: Object.fromEntries(
          [...kept, ...fresh].toSorted(([one], [other]) => compareKeys(one, other)),
        ),
      }
    },
  })
}

function heldOf({ derivation, held }: State, dataset: Dataset): HeldDays {
  const found = held.get(dataset.name)
  if (found === undefined) throw new Error(`${derivation.dataset.name}: ${dataset.name} is not loaded`)
  return found
}
