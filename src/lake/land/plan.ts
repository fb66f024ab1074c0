import { firstSession, lastSession } from '../../market/sessions.ts'
import type { Dataset, Unit } from '../store/datasets.ts'
import type { Manifest } from '../store/manifest.ts'
import {
  CATCH_ALL,
  contains,
  holds,
  overlaps,
  partitionOf,
  type Span,
  spanOf,
  unitOf,
} from '../store/partition.ts'

/** One partition to write, its incoming dates, and the stored partitions that are merged into it. */
export interface LandingStep {
  readonly partition: string
  readonly dates: readonly string[]
  readonly sources: readonly string[]
}

/** A stored partition and the days that belong to it. */
export interface Extent extends Span {
  readonly partition: string
}

/**
 * The days that belong to a stored partition: its period; for the catch-all, the days from its first to its last row.
 */
export function extentOf({ partition, files }: Manifest): Extent {
  if (partition !== CATCH_ALL) return { partition, ...spanOf(partition) }
  const days = files.flatMap(({ dates }) => dates).toSorted()
  return { partition, from: days[0] ?? '', to: days.at(-1) ?? '' }
}

/**
 * The partitions of incoming rows. A date that belongs to a stored partition goes there. Any other date goes into the
 * coarsest unit whose period `around` covers from its first to its last trading session, and otherwise into a day. A
 * coarse partition absorbs the finer ones in its period. The sources of a date's step have all stored rows of that
 * date.
 *
 * `dates` are the distinct incoming dates, ascending. `around` is the range of days that decides whether periods are
 * full, if later calls bring more days. Default: the range of `dates`.
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
  // Partitions that share days with the catch-all are merged into it, and nowhere else.
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
      .toSorted(
        (one, other) => coarse.indexOf(unitOf(one.partition)) - coarse.indexOf(unitOf(other.partition)),
      ),
  ]

  // The targets are in order from coarse to fine: a date belongs to the first one that contains it.
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
 * The catch-all's days, extended by every partition that shares days with it; null if none of `dates` is among them.
 * Adopted files may have the same day in several partitions, and a row is replaced wherever it is stored.
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

/** Whether `span` covers the period around `date` from its first to its last trading session. */
function isFilled(unit: Unit, date: string, span: Span): boolean {
  const { from, to } = spanOf(partitionOf(unit, date))
  const first = firstSession(from, to)
  const last = lastSession(from, to)
  return first !== null && last !== null && span.from <= first && last <= span.to
}
