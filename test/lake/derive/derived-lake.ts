import type { Writer } from '../../../src/engine/writer.ts'
import { type DeriveOptions, derive } from '../../../src/lake/derive/derive.ts'
import { type Draft, withDraft } from '../../../src/lake/land/draft.ts'
import { land } from '../../../src/lake/land/land.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import { identifier } from '../../../src/lake/store/sorted-files.ts'
import { silent } from '../store/days.ts'

/** Puts the rows of a SELECT into a draft; missing columns are NULL. */
export async function landRows(draft: Draft, name: string, select: string): Promise<void> {
  const columns = dataset(name).columns.map(each => `${identifier(each.name)} ${each.type}`)
  await draft.writer.run(`CREATE OR REPLACE TEMP TABLE incoming (${columns.join(', ')})`)
  await draft.writer.run(`INSERT INTO incoming BY NAME (${select})`)
  await land(draft, dataset(name))
}

/** Lands rows, derives, publishes; answers which days of which derived dataset were computed and dropped. */
export function change(
  writer: Writer,
  lake: string,
  rows: Readonly<Record<string, string>>,
  options: DeriveOptions = {},
): Promise<Record<string, readonly string[]>> {
  return withDraft(writer, lake, silent, async draft => {
    for (const [name, select] of Object.entries(rows)) await landRows(draft, name, select)
    const derived = await derive(draft, options)
    await draft.publish()
    return Object.fromEntries(
      derived.map(({ dataset: name, computed, dropped }) => [
        name,
        [...computed, ...dropped.map(day => `-${day}`)],
      ]),
    )
  })
}

/** The sessions from 2 to 9 January 2024. */
export const SESSIONS = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08', '2024-01-09']

const CONTRACT = `'ACME240216C00100000' AS option_symbol, 'call' AS option_type, 100 AS strike, DATE '2024-02-16' AS expiry, 100 AS multiplier`

/** The chain of one contract on one day. */
export const chain = (day: string, openInterest: number) =>
  `SELECT DATE '${day}' AS date, 'ACME' AS underlying_symbol, ${CONTRACT}, 'PM' AS settlement, 1.9 AS bid, 2.1 AS ask,
     ${openInterest} AS open_interest, 100 AS underlying_price, 0.3 AS implied_volatility, 0.5 AS delta`

/** A chain of one contract over several days. */
export const chains = (interests: Readonly<Record<string, number>>) =>
  Object.entries(interests)
    .map(([day, interest]) => chain(day, interest))
    .join(' UNION ALL ')

/** One trade a day of ten contracts at the offer, ten minutes after the open. */
export const trades = (days: readonly string[]) =>
  days
    .map(
      (day, index) =>
        `SELECT '00000000-0000-0000-0000-00000000000${index}' AS id, DATE '${day}' AS date, 'ACME' AS underlying_symbol,
           ${CONTRACT.replace('option_symbol', 'option_chain_id')}, TIMESTAMP '${day} 14:40:00' AS executed_at,
           2.1 AS price, 10 AS size, 2100 AS premium, 10 AS volume, 100 AS underlying_price, false AS canceled,
           false AS is_agg, 10 AS ask_vol, 0 AS bid_vol, 0 AS mid_vol, 0 AS no_side_vol, 0 AS multi_vol,
           0 AS stock_multi_vol, 1.9 AS nbbo_bid, 2.1 AS nbbo_ask, [] AS tags, [] AS report_flags`,
    )
    .join(' UNION ALL ')
