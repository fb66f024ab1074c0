import type { Engine } from '../../engine/engine.ts'
import { isFilled } from '../../lake/contents/fill.ts'
import { dataset } from '../../lake/store/datasets.ts'
import { isSession } from '../../market/sessions.ts'
import { marketDate } from '../parameters/time.ts'
import type { Pinned } from './answer.ts'
import { isAnyKnown, tickersOf } from './known-tickers.ts'

/** Why an answer has no rows, by the value of the header X-Tapehouse-Empty. */
export const EMPTY_REASONS = {
  dataset_missing: 'the dataset that the rows come from was never imported',
  unknown_ticker: 'the ticker, contract or pair is nowhere in the dataset nor in `tickers`',
  no_session: 'the requested date is no trading day of the exchange',
  outside_lake: 'the requested dates are before the first or after the last one in the lake',
  no_match: 'no row passes the filters, or there is none of the ticker on the date',
} as const

export type EmptyReason = keyof typeof EMPTY_REASONS
export const emptyReasons = Object.keys(EMPTY_REASONS) as EmptyReason[]

/** The dataset that the rows of an answer come from. Of several, the last one that the request reads. */
export function rowsFrom({ operation, plan }: Pinned): string {
  const { dating } = operation.fields
  return dating.findLast(name => plan.reads[name] !== null) ?? dating.at(-1) ?? ''
}

/** Why the answer to a request has no rows. Runs a query only to look for a ticker, in few files. */
export async function whyEmpty(pinned: Pinned, engine: Engine, signal: AbortSignal): Promise<EmptyReason> {
  const { operation, values, plan, snapshot } = pinned
  const name = rowsFrom(pinned)
  if (!isFilled(name, new Set(snapshot.datasets))) return 'dataset_missing'
  const tickers = tickersOf(values)
  if (tickers.length > 0 && !(await isAnyKnown(tickers, dataset(name), pinned, engine, signal)))
    return 'unknown_ticker'
  const { date } = values
  if (operation.parameters.date === marketDate && typeof date === 'string' && !isSession(date))
    return 'no_session'
  const { from = '', to = '9999-12-31' } = plan.reads[name] ?? {}
  const [first, last] = [snapshot.firstDate(name), snapshot.lastDate(name)]
  if (first !== null && last !== null && (to < first || from > last)) return 'outside_lake'
  return 'no_match'
}
