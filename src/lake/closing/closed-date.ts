import { sessionsBefore } from '../../market/sessions.ts'
import type { DayRows } from './day-rows.ts'

/** When a trading day counts as complete. */
export interface ClosingRule {
  /** A dataset needs at least this percentage of its median rows per day. 0: every day is closed. */
  readonly percent: number
  /** The median is taken over the dataset's days in this number of sessions before. */
  readonly sessions: number
}

export const CLOSING_RULE: ClosingRule = { percent: 50, sessions: 20 }

/** What the lake knows about its days. */
export interface Calendar {
  /** Every day up to this one is closed, whatever its rows; null if no command has closed any. */
  readonly closed: string | null
  /** The rows of a dataset by day; empty if the lake lacks it. */
  rows(dataset: string): DayRows
  /** The datasets whose rows decide whether a day of `dataset` is complete: itself, or what it is derived from. */
  sources(dataset: string): readonly string[]
}

/**
 * The last closed day of the first dataset: a day that it holds and for which all `datasets` are complete. Null if
 * none is.
 */
export function closedDate(
  datasets: readonly [string, ...string[]],
  calendar: Calendar,
  rule: ClosingRule,
): string | null {
  const sources = new Set(datasets.flatMap(calendar.sources))
  const isComplete = [...sources].map(source => completeness(calendar.rows(source), rule))
  const isClosed = (day: string) =>
    (calendar.closed !== null && day <= calendar.closed) || isComplete.every(complete => complete(day))
  return [...calendar.rows(datasets[0]).keys()].findLast(isClosed) ?? null
}

/**
 * Whether a dataset is complete for a day. A dataset without rows on the day and in the sessions before it is not
 * expected on it: its import began later, or ended.
 */
function completeness(rows: DayRows, { percent, sessions }: ClosingRule): (day: string) => boolean {
  const days = [...rows.keys()]
  return day => {
    const end = days.findLastIndex(each => each < day) + 1
    const first = sessionsBefore(day, sessions)
    const before = days.slice(Math.max(0, end - sessions), end).filter(each => each >= first)
    if (percent === 0 || before.length === 0) return true
    return (rows.get(day) ?? 0) * 100 >= percent * median(before.map(each => rows.get(each) ?? 0))
  }
}

function median(counts: readonly number[]): number {
  const sorted = counts.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const [upper = 0, lower = 0] = [sorted[middle], sorted[middle - 1]]
  return sorted.length % 2 === 1 ? upper : (lower + upper) / 2
}
