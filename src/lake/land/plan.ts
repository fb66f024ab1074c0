import { firstSession, lastSession } from '../../market/sessions.ts'
import type { Dataset, Unit } from '../store/datasets.ts'
import type { Manifest } from '../store/manifest.ts'
import { CATCH_ALL, contains, holds, overlaps, partitionOf, type Span, spanOf } from '../store/partition.ts'

/** One partition to write: the incoming dates that go into it, and the stored partitions that it takes in. */
export interface LandingStep {
  readonly partition: string
  readonly dates: readonly string[]
  readonly sources: readonly string[]
}

/** A stored partition and the days that it answers for. */
export interface Extent extends Span {
  readonly partition: string
}

/**
 * The days a stored partition answers for: its period; of the catch-all, the days between its first and last row.
 */
export function extentOf({ partition, files }: Manifest): Extent {
  if (partition !== CATCH_ALL) return { partition, ...spanOf(partition) }
  const days = files.flatMap(({ dates }) => dates).toSorted()
  return { partition, from: days[0] ?? '', to: days.at(-1) ?? '' }
}

/**
 * Where incoming rows land. A date that a stored partition answers for goes there; any other into the coarsest unit
 * whose period the incoming dates fill, from its first to its last trading session; else into a day. A period that
 * becomes coarse takes in the finer partitions inside it. Every stored row that shares a date with an incoming one is
 * in the sources of that date's step.
 *
 * `dates` are the distinct incoming dates, ascending; `around` the days that fill periods, where more is to come than
 * these.
 */
export function planLanding(
  { partition: { units } }: Dataset,
  dates: readonly string[],
  stored: readonly Extent[],
  around: Span = { from: dates[0] ?? '', to: dates.at(-1) ?? '' },
): LandingStep[] {
  if (units.length === 0)
    return dates.length === 0
      ? []
      : [{ partition: CATCH_ALL, dates, sources: stored.map(({ partition }) => partition) }]
  const catchAll = widened(stored, dates)
  const coarse = units.toReversed()
  // What shares days with the catch-all goes into it whole, and nowhere else.
  const regular = stored.filter(
    extent => extent.partition !== CATCH_ALL && (catchAll === null || !overlaps(extent, catchAll)),
  )
  const fresh = dates
    .filter(date => !stored.some(extent => holds(extent, date)))
    .map(date => ({ date, unit: coarse.find(unit => isFilled(unit, date, around)) ?? units[0] ?? 'day' }))
    .map(({ date, unit }) => partitionOf(unit, date))
  const targets: Extent[] = [
    ...(catchAll === null ? [] : [catchAll]),
    ...[...new Set([...regular.map(({ partition }) => partition), ...fresh])]
      .map(partition => ({ partition, ...spanOf(partition) }))
      .toSorted((one, other) => coarse.indexOf(unitOf(one)) - coarse.indexOf(unitOf(other))),
  ]

  // The targets stand from coarse to fine: a date belongs to the first that answers for it.
  const steps = new Map<Extent, string[]>()
  for (const date of dates) {
    const target = targets.find(extent => holds(extent, date))
    if (target === undefined) throw new Error(`no partition for ${date}`)
    const own = steps.get(target) ?? []
    own.push(date)
    steps.set(target, own)
  }
  return [...steps].map(([target, own]) => ({
    partition: target.partition,
    dates: own,
    sources: (target === catchAll
      ? stored.filter(extent => overlaps(target, extent))
      : regular.filter(extent => contains(target, extent))
    ).map(({ partition }) => partition),
  }))
}

/**
 * The catch-all's days, widened by every partition that shares days with it; null if no incoming date is among them.
 * Adopted files may hold the same day in several partitions, and a row is replaced wherever it is stored.
 */
function widened(stored: readonly Extent[], dates: readonly string[]): Extent | null {
  let widest = stored.find(extent => extent.partition === CATCH_ALL) ?? null
  for (let touching = 0; widest !== null; ) {
    const span: Extent = widest
    const near = stored.filter(extent => overlaps(extent, span))
    if (near.length === touching) break
    touching = near.length
    const from = near.reduce((least, extent) => (extent.from < least ? extent.from : least), span.from)
    const to = near.reduce((greatest, extent) => (extent.to > greatest ? extent.to : greatest), span.to)
    widest = { partition: CATCH_ALL, from, to }
  }
  return dates.some(date => widest !== null && holds(widest, date)) ? widest : null
}

const unitOf = ({ partition }: Extent): Unit =>
  partition.startsWith('year=') ? 'year' : partition.startsWith('month=') ? 'month' : 'day'

/** Whether `span` reaches from the first to the last trading session of the period around `date`. */
function isFilled(unit: Unit, date: string, span: Span): boolean {
  const { from, to } = spanOf(partitionOf(unit, date))
  const first = firstSession(from, to)
  const last = lastSession(from, to)
  return first !== null && last !== null && span.from <= first && last <= span.to
}
