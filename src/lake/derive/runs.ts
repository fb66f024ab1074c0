import type { Derivation } from '../store/derivation.ts'
import type { HeldDays } from '../store/held-days.ts'

/** As many rows of the datasets that days come from are computed in one statement, even if they are of more days than a run. */
const ROWS_A_RUN = 1_000_000

/**
 * How many days from the one at `first` on are computed in one statement: a run of the derivation, or more if they have
 * few rows. Each statement reads the history of its first day once more, so that one for all days of a small lake takes
 * three quarters of the time of several. A run of one day stays one, because each day needs the rows of the day before.
 *
 * @param sources the days of the datasets that `days` come from
 */
export function runLength(
  { run }: Pick<Derivation, 'run'>,
  days: readonly string[],
  first: number,
  sources: readonly Pick<HeldDays, 'rows'>[],
  rowsMax = ROWS_A_RUN,
): number {
  if (run === 1) return 1
  let length = 0
  let rows = 0
  for (const day of days.slice(first)) {
    for (const source of sources) rows += source.rows(day)
    if (length >= run && rows > rowsMax) break
    length += 1
  }
  return length
}
