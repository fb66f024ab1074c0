import { daysFrom } from '../calendar.ts'
import { compare, decimal, isDecimal, larger } from '../decimal.ts'
import type { Lake, Row, Value } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Sample } from '../readers.ts'
import {
  amongTest,
  flagOf,
  isWithin,
  parameter,
  parameters,
  type Request,
  refused,
  tickerTest,
} from '../request.ts'
import { someRows } from '../rows.ts'
import { change, ratio, spreadOf } from '../shares.ts'
import { shownColumns } from '../shown.ts'
import { timeOf, timeText } from '../time.ts'
import { isBefore, isCrossed, olderThan, timePage } from '../time-pages.ts'

const LIMIT = 100

type Figures = Readonly<Record<string, Value>>

export function answer(lake: Lake, request: Request): unknown {
  if (isCrossed(request)) return refused(422)
  const passes = filterOf(request)
  const alerts = ordered(
    lake.rows('flow_alerts').filter(alert => passes(alert, figuresOf(alert))),
    descending(({ created_at: time }) => time ?? null),
    ascending(({ id }) => id ?? null),
  )
  const limit = Number(parameter(request, 'limit') ?? LIMIT)
  return { data: timePage(alerts, olderThan(request), limit).map(recordOf) }
}

const known = new WeakMap<Row, Figures>()

function figuresOf(alert: Row): Figures {
  const figures = known.get(alert) ?? computed(alert)
  known.set(alert, figures)
  return figures
}

/** What filters compare, by their names or the stems of their bounds. */
function computed(row: Row): Figures {
  const [ask, bid] = [
    ratio(row.total_ask_side_prem, row.total_premium),
    ratio(row.total_bid_side_prem, row.total_premium),
  ]
  const isCall = row.type === 'call'
  const { next_earnings_date: earnings } = row
  return {
    premium: row.total_premium ?? null,
    size: row.total_size ?? null,
    volume: row.volume ?? null,
    open_interest: row.open_interest ?? null,
    diff: row.diff ?? null,
    volume_oi_ratio: row.volume_oi_ratio ?? null,
    dte: row.dte ?? null,
    ask_perc: ask,
    bid_perc: bid,
    bull_perc: isCall ? ask : bid,
    bear_perc: isCall ? bid : ask,
    skew: ask && bid && larger(ask, bid),
    price: row.underlying_price ?? null,
    iv_change: change(row.iv_end, row.iv_start),
    size_vol_ratio: ratio(row.total_size, row.volume),
    spread: spreadOf(row.ask, row.bid),
    marketcap: row.marketcap ?? null,
    days_between_expiry_and_earnings:
      typeof earnings === 'string' ? daysFrom(earnings, String(row.expiry)) : null,
  }
}

const isAbove = (row: Row, column: string) =>
  row.open_interest !== null && Number(row[column]) > Number(row.open_interest)
const isOtm = ({ diff }: Row) => isDecimal(diff) && diff.units > 0n

/** The presets of `unusual`, each lifted by its filter or either bound of its stem. */
const UNUSUAL: Readonly<Record<string, (row: Row, figures: Figures) => boolean>> = {
  vol_greater_oi: row => isAbove(row, 'volume'),
  size_greater_oi: row => isAbove(row, 'total_size'),
  all_opening: row => row.all_opening_trades === true,
  is_otm: isOtm,
  is_multi_leg: row => row.has_multileg === false,
  dte: ({ dte }) => Number(dte) <= 60,
  ask_perc: (_, { ask_perc: share }) => isDecimal(share) && compare(share, decimal('0.5')) >= 0,
  premium: (_, { premium }) => isDecimal(premium) && compare(premium, decimal(10_000)) >= 0,
  size: ({ total_size: size }) => Number(size) >= 5,
  'issue_types[]': ({ issue_type: type }) => ['ADR', 'Common Stock', 'ETF'].includes(String(type)),
}

/** Flags that keep alerts with the attribute, or those without it. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  all_opening: 'all_opening_trades',
  is_floor: 'has_floor',
  is_sweep: 'has_sweep',
  is_multi_leg: 'has_multileg',
}

const SIDES: Readonly<Record<string, (row: Row) => boolean>> = {
  is_call: ({ type }) => type === 'call',
  is_put: ({ type }) => type === 'put',
  is_ask_side: row => leads(row.total_ask_side_prem, row.total_bid_side_prem),
  is_bid_side: row => leads(row.total_bid_side_prem, row.total_ask_side_prem),
}
const PAIRS = [
  ['is_call', 'is_put'],
  ['is_ask_side', 'is_bid_side'],
] as const

const leads = (one: Value | undefined, other: Value | undefined) =>
  isDecimal(one) && isDecimal(other) && compare(one, other) > 0

function filterOf(request: Request): (row: Row, figures: Figures) => boolean {
  const isGiven = (name: string) => parameters(request, name) !== null
  const is = (name: string) => flagOf(request, name) === true
  const presets = Object.entries(UNUSUAL)
    .filter(([name]) => is('unusual') && ![name, `min_${name}`, `max_${name}`].some(isGiven))
    .map(([, passes]) => passes)
  const isTicker = tickerTest(request, 'ticker_symbol')
  const [isRule, isIssue] = [amongTest(request, 'rule_name[]'), amongTest(request, 'issue_types[]')]
  const newer = parameter(request, 'newer_than')
  const [after, older] = [newer && timeOf(newer), olderThan(request)]
  return (row, figures) =>
    isTicker(row.ticker) &&
    isRule(row.alert_rule) &&
    isIssue(row.issue_type) &&
    (after === null || after === '' || (row.created_at as bigint) > after) &&
    (older === null || isBefore(row.created_at as bigint, older)) &&
    (!is('is_otm') || isOtm(row)) &&
    (!is('vol_greater_oi') || isAbove(row, 'volume')) &&
    (!is('size_greater_oi') || isAbove(row, 'total_size')) &&
    Object.entries(ATTRIBUTES).every(([flag, column]) => {
      const wanted = flagOf(request, flag)
      return wanted === null || row[column] === wanted
    }) &&
    PAIRS.every(pair => passesPair(request, pair, row)) &&
    Object.entries(figures).every(([stem, value]) => isWithin(request, stem, value)) &&
    presets.every(passes => passes(row, figures))
}

/** Of a pair, both `true` filters nothing and both `false` is empty; otherwise each flag keeps its side or the rest. */
function passesPair(request: Request, pair: readonly [string, string], row: Row): boolean {
  const wanted = pair.map(name => flagOf(request, name))
  if (wanted.every(flag => flag === true)) return true
  if (wanted.every(flag => flag === false)) return false
  return pair.every((name, at) => wanted[at] === null || SIDES[name]?.(row) === wanted[at])
}

const recordOf = (row: Row) => ({
  ...shownColumns(row, 'alert_rule ticker option_chain type strike expiry expiry_count issue_type'),
  created_at: timeText(row.created_at as bigint, 6),
  ...shownColumns(
    row,
    `price underlying_price open_interest volume volume_oi_ratio total_size trade_count total_premium total_ask_side_prem
    total_bid_side_prem all_opening_trades has_floor has_sweep has_multileg has_singleleg`,
  ),
})

export const samples = (lake: Lake): readonly Sample[] =>
  someRows(lake, 'flow_alerts').map(row => ({
    ...figuresOf(row),
    ticker_symbol: row.ticker,
    'rule_name[]': row.alert_rule,
    'issue_types[]': row.issue_type,
    ...Object.fromEntries(Object.entries(ATTRIBUTES).map(([flag, column]) => [flag, row[column]])),
    ...Object.fromEntries(Object.entries(SIDES).map(([flag, holds]) => [flag, holds(row)])),
    is_otm: isOtm(row),
    newer_than: row.created_at,
    older_than: row.created_at,
  }))
