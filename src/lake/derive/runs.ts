import type { Derivation } from '../store/derivation.ts'
import type { HeldDays } from '../store/held-days.ts'

/** As many rows of the datasets that days come from are computed in one statement, even if they are of more days than a run. */
const ROWS_A_RUN = 1_000_000

/**
 * How many days from the one at `first` on are computed in one statement: the wanted ones of a run of the derivation, or
 * more if they have few rows; 0 if the first one is not wanted. Each statement reads the history of its first day once
 * more, so that one for all days of a small lake takes three quarters of the time of several. A run of one day stays
 * one, because each day needs the rows of the day before.
 *
 * @param sources the days of the datasets that `days` come from
 */
export function runLength(
  { run }: Pick<Derivation, 'run'>,
  days: readonly string[],
  first: number,
  sources: readonly Pick<HeldDays, 'rows'>[],
  isWanted: (day: string) => boolean,
  rowsMax = ROWS_A_RUN,
): number {
  let length = 0
  let rows = 0
  for (let day = days[first]; day !== undefined && isWanted(day); day = days[first + length]) {
    for (const source of sources) rows += source.rows(day)
    if (length >= run && (run === 1 || rows > rowsMax)) break
    length += 1
  }
  return length
}
