import { date } from '../../engine/bind.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import type { Plan } from './operation.ts'

/** The date asked for, else the last that the snapshot holds of a dataset; null where it holds none. */
export const dateOf = (snapshot: Snapshot, dataset: string, asked: string | null): string | null =>
  asked ?? snapshot.lastDate(dataset)

/** The plan of a request for one day of one dataset, bound as `$date`; nothing is read where there is no such day. */
export function oneDay(
  snapshot: Snapshot,
  dataset: string,
  asked: string | null,
  keys: Readonly<Record<string, readonly string[]>> = {},
): Plan {
  const day = dateOf(snapshot, dataset, asked)
  return {
    reads: { [dataset]: day === null ? null : { from: day, to: day, keys } },
    bindings: { date: date(day) },
  }
}
