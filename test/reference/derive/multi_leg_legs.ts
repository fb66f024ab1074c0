import { type Decimal, decimal, isDecimal, plus, quotient, rounded, sum, times, ZERO } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import type { Row, Value } from '../parquet.ts'
import { groups, total } from '../rows.ts'

/** The executions of each contract within one order. */
export function derive(lake: Lake): Row[] {
  const executions = lake
    .rows('option_trades')
    .filter(row => row.multi_leg_id !== null && row.canceled === false && Number(row.size) > 0)
  return [
    ...groups(executions, row => `${row.multi_leg_id} ${row.date} ${row.option_chain_id}`).values(),
  ].map(legOf)
}

function legOf(fills: readonly [Row, ...Row[]]): Row {
  const [first] = fills
  const [ask, bid] = [total(fills, 'ask_vol'), total(fills, 'bid_vol')]
  const same = (name: string): Value => first[name] ?? null
  return {
    multi_leg_id: same('multi_leg_id'),
    date: same('date'),
    underlying_symbol: same('underlying_symbol'),
    option_symbol: same('option_chain_id'),
    option_symbol_id: same('option_symbol_id'),
    option_type: same('option_type'),
    strike: same('strike'),
    expiry: same('expiry'),
    side: ask > bid ? 'ask' : bid > ask ? 'bid' : null,
    size: total(fills, 'size'),
    price: weighted(fills, 'price'),
    premium: rounded(fills.map(({ premium }) => premium as Decimal).reduce(plus, ZERO), 4),
    delta: weighted(fills, 'delta'),
    theta: weighted(fills, 'theta'),
    nbbo_bid: weighted(fills, 'nbbo_bid'),
    nbbo_ask: weighted(fills, 'nbbo_ask'),
    open_interest: same('open_interest'),
    volume: Math.max(...fills.map(({ volume }) => Number(volume))),
  }
}

/** The mean by size over the executions that have the value. */
function weighted(fills: readonly Row[], column: string): Decimal | null {
  const known = fills.filter(row => row[column] !== null)
  const products = known.map(row => {
    const value = row[column] ?? null
    return isDecimal(value) ? times(value, decimal(Number(row.size))) : ZERO
  })
  return quotient(sum(products), decimal(total(known, 'size')))
}
