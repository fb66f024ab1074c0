import type { Lake, Row } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import type { Request } from '../request.ts'
import { contractOf, dateOf, groups, total } from '../rows.ts'
import { shown } from '../shown.ts'

const CROSS = ['slcn', 'slci', 'mlct', 'tlct']
const FLOOR = ['slft', 'mlft', 'mfsl', 'tlft', 'tfsl']
const SWEEP = ['isoi']

export function answer(lake: Lake, request: Request): unknown {
  const date = dateOf(lake, request, ['option_trades'])
  const trades = lake
    .find('option_trades', { option_chain_id: contractOf(request, 'id'), date })
    .filter(trade => trade.canceled === false)
  const byPrice = [...groups(trades, trade => String(shown(trade.price))).values()]
  const profile = ordered(
    byPrice,
    ascending(([first]) => first.price ?? null),
  )
  return { data: profile.map(fills => levelOf(fills)) }
}

function levelOf([first, ...others]: readonly [Row, ...Row[]]) {
  const fills = [first, ...others]
  const ofKinds = (kinds: readonly string[]) =>
    total(
      fills.filter(fill => kinds.includes(String(fill.upstream_condition_detail))),
      'size',
    )
  return {
    price: shown(first.price),
    date: first.date,
    volume: total(fills, 'size'),
    transactions: fills.length,
    ask_vol: total(fills, 'ask_vol'),
    bid_vol: total(fills, 'bid_vol'),
    mid_vol: total(fills, 'mid_vol'),
    cross_vol: ofKinds(CROSS),
    floor_vol: ofKinds(FLOOR),
    sweep_vol: ofKinds(SWEEP),
    multi_vol: total(fills, 'multi_vol'),
  }
}
