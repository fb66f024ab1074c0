import { type Bindings, boolean, decimal, integer, ofFew, text, texts } from '../../engine/bind.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { DAY_MICROS, dayOfMicros } from '../../market/day.ts'
import { shownValues } from '../../market/enumeration.ts'
import { FILTERED_ISSUE_TYPES, IssueType, OptionType } from '../../market/enumerations.ts'
import { FLOW_RULES } from '../../market/vocabulary.ts'
import { newestFirst } from '../answering/newest-first.ts'
import { operation, type Plan } from '../answering/operation.ts'
import { among, from, type OperationFields } from '../fields/notation.ts'
import { flowAlertRanges } from '../parameters/flow-alerts-ranges.ts'
import { flag } from '../parameters/kinds.ts'
import { choices } from '../parameters/list.ts'
import { tickerBindings, tickerFilter, tickerKeys } from '../parameters/market.ts'
import { limit } from '../parameters/number.ts'
import type { Parameter, Values } from '../parameters/parameter.ts'
import { afterOlderThan, boundOfOlderThan, moment, olderThan } from '../parameters/time.ts'

/** A flag that the operation binds itself, together with others. */
const unbound = (parameter: Parameter<boolean | null>): Parameter<boolean | null> => ({
  ...parameter,
  bind: null,
})

const parameters = {
  ticker_symbol: tickerFilter('Underlyings to keep.'),
  unusual: unbound(
    flag(
      '`true` sets ten conditions: `vol_greater_oi=true`, `size_greater_oi=true`, `all_opening=true`, `is_otm=true`, `is_multi_leg=false`, `max_dte=60`, `min_ask_perc=0.5`, `min_premium=10000`, `min_size=5` and `issue_types[]` of ADR, Common Stock and ETF. A filter of one of these, or of either bound of its stem, replaces that condition and no other. `false` filters nothing.',
    ),
  ),
  all_opening: flag(
    '`true` keeps alerts all of whose trades open positions, by open interest, size and volume; `false` keeps those with a trade that may not. Rarely true for alerts of repeated hits.',
  ),
  is_floor: flag('`true` keeps alerts with a floor trade, `false` those without.'),
  is_sweep: flag('`true` keeps alerts with an intermarket sweep, `false` those without.'),
  is_call: unbound(flag('`true` keeps calls, `false` puts. If `is_put` is also true, neither filters.')),
  is_put: unbound(flag('`true` keeps puts, `false` calls. If `is_call` is also false, no alert matches.')),
  is_ask_side: unbound(
    flag(
      '`true` keeps alerts with more premium on the ask than on the bid, `false` all others. If `is_bid_side` is also true, neither filters; if both are false, no alert matches.',
    ),
  ),
  is_bid_side: unbound(
    flag(
      '`true` keeps alerts with more premium on the bid than on the ask, `false` all others. With `is_ask_side` as described there.',
    ),
  ),
  'rule_name[]': choices({ description: 'Rules to keep.', example: 'RepeatedHits' }, FLOW_RULES),
  is_otm: flag('`true` keeps contracts out of the money: diff above 0. `false` filters nothing.'),
  'issue_types[]': choices(
    { description: 'Issue types of the underlying to keep.', example: 'ETF' },
    FILTERED_ISSUE_TYPES,
  ),
  ...flowAlertRanges,
  is_multi_leg: flag('`true` keeps alerts with a trade of a multi-leg order, `false` those without.'),
  size_greater_oi: flag(
    "`true` keeps alerts whose trades' sizes exceed the open interest. `false` filters nothing.",
  ),
  vol_greater_oi: flag(
    '`true` keeps alerts whose volume exceeds the open interest. `false` filters nothing.',
  ),
  newer_than: moment('Keeps alerts created after this time.'),
  older_than: olderThan('Keeps alerts created before this time.'),
  limit: limit(200, 100),
}
type Request = Values<typeof parameters>

/** The conditions of the preset `unusual`: what each of them binds, and the parameters that replace it. */
const UNUSUAL: readonly { readonly binds: Bindings; readonly replacedBy: readonly (keyof Request)[] }[] = [
  { binds: { vol_greater_oi: boolean(true) }, replacedBy: ['vol_greater_oi'] },
  { binds: { size_greater_oi: boolean(true) }, replacedBy: ['size_greater_oi'] },
  { binds: { all_opening: boolean(true) }, replacedBy: ['all_opening'] },
  { binds: { is_otm: boolean(true) }, replacedBy: ['is_otm'] },
  { binds: { is_multi_leg: boolean(false) }, replacedBy: ['is_multi_leg'] },
  { binds: { max_dte: integer(60) }, replacedBy: ['min_dte', 'max_dte'] },
  { binds: { min_ask_perc: decimal(5n, 1) }, replacedBy: ['min_ask_perc', 'max_ask_perc'] },
  { binds: { min_premium: integer(10_000) }, replacedBy: ['min_premium', 'max_premium'] },
  { binds: { min_size: integer(5) }, replacedBy: ['min_size', 'max_size'] },
  { binds: { issue_types: ofFew(texts(['ADR', 'Common Stock', 'ETF'])) }, replacedBy: ['issue_types[]'] },
]

const alert = from('flow_alerts')
const UNKNOWN = 'unknown to the lake'

/** Figures are those of the last trade of the alert unless the comment of the column differs. */
const fields: OperationFields = {
  dating: ['flow_alerts'],
  parts: [
    {
      at: 'data[]',
      record: 'FlowAlert',
      fields: [
        ...among(FLOW_RULES, ...alert.columns('string', 'alert_rule')),
        ...alert.columns('string', 'ticker option_chain'),
        ...among(shownValues(OptionType), ...alert.columns('string', 'type')),
        ...alert.columns('string(dec)', 'strike'),
        ...alert.columns('date', 'expiry'),
        ...alert.columns('integer', 'expiry_count'),
        ...among(shownValues(IssueType), ...alert.columns('string', 'issue_type', UNKNOWN)),
        ...alert.columns('ts(us)', 'created_at'),
        ...alert.columns('string(dec)', 'price'),
        ...alert.columns('string(dec)', 'underlying_price', UNKNOWN),
        ...alert.columns('integer', 'open_interest', UNKNOWN),
        ...alert.columns('integer', 'volume'),
        ...alert.columns('string(dec)', 'volume_oi_ratio'),
        ...alert.columns('integer', 'total_size trade_count'),
        ...alert.columns('string(dec)', 'total_premium total_ask_side_prem total_bid_side_prem'),
        ...alert.columns('boolean', 'all_opening_trades has_floor has_sweep has_multileg has_singleleg'),
      ],
    },
  ],
  parameters: [
    alert.made('ticker_symbol', 'string', 'ticker'),
    alert.made(
      'unusual',
      'boolean',
      'volume open_interest total_size all_opening_trades diff has_multileg dte ask_perc total_premium issue_type',
      'volume > open_interest, size > open_interest, all opening, out of the money, single-leg, dte <= 60, ask_perc >= 0.5, premium >= 10000, size >= 5, issue type ADR, Common Stock or ETF',
    ),
    alert.made('premium', 'number', 'total_premium'),
    alert.made('size', 'number', 'total_size'),
    alert.made('all_opening', 'boolean', 'all_opening_trades'),
    alert.made('is_floor', 'boolean', 'has_floor'),
    alert.made('is_sweep', 'boolean', 'has_sweep'),
    alert.made('is_call', 'boolean', 'type', 'type is call'),
    alert.made('is_put', 'boolean', 'type', 'type is put'),
    alert.made('is_ask_side', 'boolean', 'leading_side', 'ask premium > bid premium'),
    alert.made('is_bid_side', 'boolean', 'leading_side', 'bid premium > ask premium'),
    alert.made('rule_name[]', 'array of string', 'alert_rule', 'one of the values'),
    alert.made('diff', 'string(dec)', 'diff'),
    alert.made('is_otm', 'boolean', 'diff', 'diff > 0'),
    alert.made('issue_types[]', 'array of string', 'issue_type', 'one of the values'),
    alert.made('dte', 'integer', 'dte'),
    alert.made('ask_perc', 'string(dec)', 'ask_perc', 'total_ask_side_prem / total_premium'),
    alert.made('bid_perc', 'string(dec)', 'bid_perc', 'total_bid_side_prem / total_premium'),
    alert.made('bull_perc', 'string(dec)', 'bull_perc', 'ask_perc of a call, bid_perc of a put'),
    alert.made('bear_perc', 'string(dec)', 'bear_perc', 'bid_perc of a call, ask_perc of a put'),
    alert.made('skew', 'string(dec)', 'skew', 'the greater of ask_perc and bid_perc'),
    alert.made('price', 'number', 'underlying_price', 'that of the underlying, not the field of that name'),
    alert.made('iv_change', 'string(dec)', 'iv_change', 'iv_end / iv_start − 1'),
    alert.made('size_vol_ratio', 'string(dec)', 'size_vol_ratio', 'total_size / volume'),
    alert.made('spread', 'string(dec)', 'spread', '(ask − bid) / mid, mid being (ask + bid) / 2'),
    alert.made('marketcap', 'string(dec)', 'marketcap'),
    alert.made('is_multi_leg', 'boolean', 'has_multileg'),
    alert.made('size_greater_oi', 'boolean', 'total_size open_interest', 'total_size > open_interest'),
    alert.made('vol_greater_oi', 'boolean', 'volume open_interest', 'volume > open_interest'),
    alert.made(
      'days_between_expiry_and_earnings',
      'integer',
      'days_between_expiry_and_earnings',
      'expiry − next_earnings_date, calendar days',
    ),
    alert.made('newer_than', 'ts', 'created_at', 'created_at is after it'),
    alert.made('older_than', 'ts', 'created_at', 'created_at is before it'),
  ],
}

export const flowAlerts = operation({
  id: 'flow-alerts',
  fields,
  examples: [],
  parameters,
  plan,
})

function plan(request: Request, snapshot: Snapshot): Plan {
  const selection = {
    ...daysOf(request),
    ...tickerKeys('ticker', request.ticker_symbol),
  }
  return {
    reads: { flow_alerts: selection },
    newest: newestFirst(snapshot, 'flow_alerts', selection, request.limit),
    timePages: { column: 'created_at', after: afterOlderThan(request.older_than) },
    bindings: {
      ...tickerBindings(request.ticker_symbol),
      ...presetOf(request),
      types: kept(['call', 'put'], [request.is_call, request.is_put]),
      sides: kept(['ask', 'bid', 'neither'], [request.is_ask_side, request.is_bid_side]),
    },
  }
}

/** The conditions that the preset adds to a request. */
const presetOf = (request: Request): Bindings =>
  request.unusual === true
    ? Object.assign(
        {},
        ...UNUSUAL.filter(({ replacedBy }) => replacedBy.every(name => request[name] === null)).map(
          ({ binds }) => binds,
        ),
      )
    : {}

/**
 * The `kinds` that a pair of flags keeps. The first flag is about the first kind, the second one about the second kind.
 * Null if nothing is filtered, as with two that are true. Two that are false keep nothing.
 */
function kept(kinds: readonly string[], flags: readonly [boolean | null, boolean | null]) {
  if (flags.every(each => each !== false) && flags[0] === flags[1]) return text(null)
  if (flags.every(each => each === false)) return texts([])
  return ofFew(
    texts(
      kinds.filter((_, kind) => flags.every((flag, index) => flag === null || flag === (kind === index))),
    ),
  )
}

/** The trading days of alerts between two times: a day of New York overlaps two of UTC. */
function daysOf({ newer_than, older_than }: Request) {
  return {
    ...(newer_than === null ? {} : { from: dayOfMicros(newer_than - DAY_MICROS) }),
    ...(older_than === null ? {} : { to: dayOfMicros(boundOfOlderThan(older_than) + DAY_MICROS) }),
  }
}
