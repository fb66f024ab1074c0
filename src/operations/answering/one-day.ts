import { date } from '../../engine/bind.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'
import type { Values } from '../parameters/parameter.ts'
import { marketDate } from '../parameters/time.ts'
import type { Plan } from './operation.ts'

/**
 * The requested date, else the last closed day of a dataset, on which `others` are read too; null if the snapshot has
 * none.
 */
export const dateOf = (
  snapshot: Snapshot,
  dataset: string,
  requested: string | null,
  ...others: readonly string[]
): string | null => requested ?? snapshot.closedDate(dataset, ...others)

/** The plan of a request for one day of one dataset, bound as `$date`. It reads nothing if there is no such day. */
export function oneDay(
  snapshot: Snapshot,
  dataset: string,
  requested: string | null,
  keys: Readonly<Record<string, readonly string[]>> = {},
): Plan {
  const day = dateOf(snapshot, dataset, requested)
  return {
    date: day,
    reads: { [dataset]: day === null ? null : { from: day, to: day, keys } },
    bindings: { date: date(day) },
  }
}

const ofUnderlying = { ticker: inPath(ticker('The underlying.')), date: marketDate }

/** Parameters and plan of operations on all contracts of one underlying on one day. */
export const contractsOfUnderlying = {
  parameters: ofUnderlying,
  plan: (values: Values<typeof ofUnderlying>, snapshot: Snapshot): Plan =>
    oneDay(snapshot, 'contract_days', values.date, { underlying_symbol: [values.ticker] }),
}
