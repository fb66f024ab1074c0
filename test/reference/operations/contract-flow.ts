import type { Lake, Row } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Sample } from '../readers.ts'
import { isWithin, paged, parameter, type Request } from '../request.ts'
import { contractOf, dateOf, someRows } from '../rows.ts'
import { shown, shownColumns } from '../shown.ts'
import { timeText } from '../time.ts'

const VOLUMES: Readonly<Record<string, string>> = { ASK: 'ask_vol', BID: 'bid_vol', MID: 'mid_vol' }

export function answer(lake: Lake, request: Request): unknown {
  const date = dateOf(lake, request, ['option_trades'])
  const contract = contractOf(request, 'id')
  const volume = VOLUMES[parameter(request, 'side')?.toUpperCase() ?? 'ALL']
  const trades = lake
    .find('option_trades', { option_chain_id: contract, date })
    .filter(trade => volume === undefined || Number(trade[volume]) > 0)
    .filter(trade => isWithin(request, 'premium', trade.premium))
  const newest = ordered(
    trades,
    descending(trade => trade.executed_at ?? null),
    ascending(trade => trade.id ?? null),
  )
  const alerts = ordered(
    lake.find('flow_alerts', { option_chain: contract, date }),
    ascending(alert => alert.created_at ?? null),
    ascending(alert => alert.id ?? null),
  )
  return { data: paged(request, newest, Number.MAX_SAFE_INTEGER).map(trade => recordOf(lake, trade, alerts)) }
}

function recordOf(lake: Lake, trade: Row, alerts: readonly Row[]) {
  const alert = alerts.find(({ trade_ids: ids }) => Array.isArray(ids) && ids.includes(trade.id ?? null))
  const profiles = lake
    .find('tickers', { ticker: trade.underlying_symbol ?? null })
    .filter(({ date }) => String(date) <= String(trade.date))
  const [profile] = ordered(
    profiles,
    descending(({ date }) => date ?? null),
  )
  const known = (names: string) =>
    Object.fromEntries(names.split(' ').map(name => [name, shown(profile?.[name] ?? null)]))
  return {
    ...shownColumns(trade, 'id option_chain_id underlying_symbol option_type strike expiry'),
    executed_at: timeText(trade.executed_at as bigint, 6),
    ...shownColumns(
      trade,
      'price size premium volume open_interest underlying_price exchange canceled is_agg ask_vol bid_vol mid_vol no_side_vol multi_vol stock_multi_vol nbbo_bid nbbo_ask nbbo_bid_size nbbo_ask_size nbbo_bid_time nbbo_ask_time ewma_nbbo_bid ewma_nbbo_ask delta gamma theta vega rho theo implied_volatility',
    ),
    flow_alert_id: alert?.id ?? null,
    rule_id: alert?.alert_rule ?? null,
    ...shownColumns(trade, 'tags report_flags upstream_condition_detail'),
    ...known('full_name industry_type issue_type sector marketcap er_time next_earnings_date'),
  }
}

export const samples = (lake: Lake): readonly Sample[] =>
  someRows(lake, 'option_trades').map(trade => ({
    id: trade.option_chain_id,
    date: trade.date,
    premium: trade.premium,
  }))
