import { type Decimal, plus, rounded, ZERO } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import type { Row } from '../parquet.ts'
import { groups, total } from '../rows.ts'

/** Totals over the contracts of an underlying on a day. */
export function derive(lake: Lake): Row[] {
  const days = groups(lake.rows('contract_days'), row => `${row.underlying_symbol} ${row.date}`)
  return [...days.values()].map(contracts => {
    const [calls, puts] = ['call', 'put'].map(type => contracts.filter(row => row.option_type === type))
    if (calls === undefined || puts === undefined) throw new Error('a contract is a call or a put')
    return {
      date: contracts[0].date ?? null,
      ticker: contracts[0].underlying_symbol ?? null,
      volume: total(contracts, 'volume'),
      call_volume: total(calls, 'volume'),
      put_volume: total(puts, 'volume'),
      call_open_interest: total(calls, 'open_interest'),
      put_open_interest: total(puts, 'open_interest'),
      premium: dollars(contracts, 'premium'),
      call_premium: dollars(calls, 'premium'),
      put_premium: dollars(puts, 'premium'),
      // Calls filled on the ask and puts on the bid, and the reverse.
      bullish_premium: plus(dollars(calls, 'ask_side_premium'), dollars(puts, 'bid_side_premium')),
      bearish_premium: plus(dollars(calls, 'bid_side_premium'), dollars(puts, 'ask_side_premium')),
    }
  })
}

const dollars = (rows: readonly Row[], column: string): Decimal =>
  rounded(rows.map(row => row[column] as Decimal).reduce(plus, ZERO), 4)
