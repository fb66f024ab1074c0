import { shownValues } from '../../market/enumeration.ts'
import { AnnounceTime, OptionType } from '../../market/enumerations.ts'
import { FLOW_RULES, LEG_SIDES } from '../../market/vocabulary.ts'
import { among, from, joined, type OperationFields } from './notation.ts'

/** Operations 4, 19, 23 and 27: trades of options and what is made of them. */

const trade = from('option_trades')
const ticker = from('tickers')
const alert = from('flow_alerts')
const leg = from('multi_leg_legs')

const FLOOR = 'slft, mlft, mfsl, tlft or tfsl'
const CROSS = 'slcn, slci, mlct or tlct'
const kind = (name: string, codes: string) =>
  trade.made(
    name,
    'integer',
    'size upstream_condition_detail',
    `sum of sizes where the condition is ${codes}`,
  )

/** Canceled trades are left out of every sum. */
export const CONTRACT_VOLUME_PROFILE: OperationFields = {
  id: 'contract-volume-profile',
  dating: ['option_trades'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...trade.columns('string(dec)', 'price'),
        ...trade.columns('date', 'date'),
        trade.made(
          'volume',
          'integer',
          'size canceled',
          'sum; canceled trades are left out, as in all that follow',
        ),
        trade.made('transactions', 'integer', 'id', 'number of trades'),
        trade.made('ask_vol', 'integer', 'ask_vol', 'sum'),
        trade.made('bid_vol', 'integer', 'bid_vol', 'sum'),
        trade.made('mid_vol', 'integer', 'mid_vol', 'sum'),
        kind('cross_vol', CROSS),
        kind('floor_vol', FLOOR),
        kind('sweep_vol', 'isoi'),
        trade.made('multi_vol', 'integer', 'multi_vol', 'sum'),
      ],
    },
  ],
  parameters: [trade.made('id', 'string', 'option_chain_id')],
}

const NO_QUOTE = 'the trade met no valid quote'
const UNKNOWN = 'the lake does not know it'
const SOURCELESS = 'the source has none'
const ALERTLESS = 'no flow alert is made of the trade'

export const CONTRACT_FLOW: OperationFields = {
  id: 'contract-flow',
  dating: ['option_trades'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...trade.columns('string(UUID)', 'id'),
        ...trade.columns('string', 'option_chain_id underlying_symbol'),
        ...among(shownValues(OptionType), ...trade.columns('string', 'option_type')),
        ...trade.columns('string(dec)', 'strike'),
        ...trade.columns('date', 'expiry'),
        ...trade.columns('ts(us)', 'executed_at'),
        ...trade.columns('string(dec)', 'price'),
        ...trade.columns('integer', 'size'),
        ...trade.columns('string(dec)', 'premium'),
        ...trade.columns('integer', 'volume'),
        ...trade.columns('integer', 'open_interest', UNKNOWN),
        ...trade.columns('string(dec)', 'underlying_price', UNKNOWN),
        ...trade.columns('string', 'exchange', SOURCELESS),
        ...trade.columns('boolean', 'canceled is_agg'),
        ...trade.columns('integer', 'ask_vol bid_vol mid_vol no_side_vol multi_vol stock_multi_vol'),
        ...trade.columns('string(dec)', 'nbbo_bid nbbo_ask', NO_QUOTE),
        ...trade.columns('integer', 'nbbo_bid_size nbbo_ask_size', 'quote metadata is unavailable'),
        ...trade.columns('ts', 'nbbo_bid_time nbbo_ask_time', 'quote metadata is unavailable'),
        ...trade.columns('string(dec)', 'ewma_nbbo_bid ewma_nbbo_ask', SOURCELESS),
        ...trade.columns('string(dec)', 'delta gamma theta vega rho theo implied_volatility', SOURCELESS),
        joined(
          'flow_alert_id',
          'string',
          'flow_alerts.id flow_alerts.trade_ids flow_alerts.option_chain flow_alerts.created_at option_trades.id',
          'the alert on its contract among whose trades this one is; of several the earliest, then the least id',
          ALERTLESS,
        ),
        ...among(
          FLOW_RULES,
          joined(
            'rule_id',
            'string',
            'flow_alerts.alert_rule flow_alerts.trade_ids',
            'the rule of that alert, by its name',
            ALERTLESS,
          ),
        ),
        ...trade.columns('array of string', 'tags report_flags'),
        ...trade.columns('string', 'upstream_condition_detail', SOURCELESS),
        joined(
          'full_name',
          'string',
          'tickers.full_name tickers.ticker tickers.date option_trades.date',
          'what holds on the day of the trade, as in all that follow',
          UNKNOWN,
        ),
        ...ticker.columns('string', 'industry_type issue_type sector', UNKNOWN),
        ...ticker.columns('string(dec)', 'marketcap', UNKNOWN),
        ...among(shownValues(AnnounceTime), ...ticker.columns('string', 'er_time', UNKNOWN)),
        ...ticker.columns('date', 'next_earnings_date', UNKNOWN),
      ],
    },
  ],
  parameters: [
    trade.made(
      'side',
      'string',
      'ask_vol bid_vol mid_vol',
      'ASK: ask_vol > 0; BID: bid_vol > 0; MID: mid_vol > 0; ALL: every trade',
    ),
    trade.made('min_premium', 'number', 'premium'),
  ],
}

/** All figures are those of the last trade of the alert unless the column says otherwise. */
export const FLOW_ALERTS: OperationFields = {
  id: 'flow-alerts',
  dating: ['flow_alerts'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...among(FLOW_RULES, ...alert.columns('string', 'alert_rule')),
        ...alert.columns('string', 'ticker option_chain'),
        ...among(shownValues(OptionType), ...alert.columns('string', 'type')),
        ...alert.columns('string(dec)', 'strike'),
        ...alert.columns('date', 'expiry'),
        ...alert.columns('integer', 'expiry_count'),
        ...alert.columns('string', 'issue_type', UNKNOWN),
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
      'volume open_interest total_size all_opening_trades diff has_multileg dte total_ask_side_prem total_premium issue_type',
      'volume > open_interest, size > open_interest, all opening, out of the money, single-leg, dte <= 60, ask_perc >= 0.5, premium >= 10000, size >= 5, issue type ADR, Common Stock or ETF',
    ),
    alert.made('premium', 'number', 'total_premium'),
    alert.made('size', 'number', 'total_size'),
    alert.made('all_opening', 'boolean', 'all_opening_trades'),
    alert.made('is_floor', 'boolean', 'has_floor'),
    alert.made('is_sweep', 'boolean', 'has_sweep'),
    alert.made('is_call', 'boolean', 'type', 'type is call'),
    alert.made('is_put', 'boolean', 'type', 'type is put'),
    alert.made(
      'is_ask_side',
      'boolean',
      'total_ask_side_prem total_bid_side_prem',
      'ask premium > bid premium',
    ),
    alert.made(
      'is_bid_side',
      'boolean',
      'total_ask_side_prem total_bid_side_prem',
      'bid premium > ask premium',
    ),
    alert.made('rule_name[]', 'array of string', 'alert_rule', 'one of those given'),
    alert.made('diff', 'string(dec)', 'diff'),
    alert.made('is_otm', 'boolean', 'diff', 'diff > 0'),
    alert.made('issue_types[]', 'array of string', 'issue_type', 'one of those given'),
    alert.made('dte', 'integer', 'dte'),
    alert.made(
      'ask_perc',
      'string(dec)',
      'total_ask_side_prem total_premium',
      'total_ask_side_prem / total_premium',
    ),
    alert.made(
      'bid_perc',
      'string(dec)',
      'total_bid_side_prem total_premium',
      'total_bid_side_prem / total_premium',
    ),
    alert.made(
      'bull_perc',
      'string(dec)',
      'type total_ask_side_prem total_bid_side_prem total_premium',
      'ask_perc of a call, bid_perc of a put',
    ),
    alert.made(
      'bear_perc',
      'string(dec)',
      'type total_ask_side_prem total_bid_side_prem total_premium',
      'bid_perc of a call, ask_perc of a put',
    ),
    alert.made(
      'skew',
      'string(dec)',
      'total_ask_side_prem total_bid_side_prem total_premium',
      'the greater of ask_perc and bid_perc',
    ),
    alert.made('price', 'number', 'underlying_price', "the underlying's, not the field of that name"),
    alert.made('iv_change', 'string(dec)', 'iv_end iv_start', 'iv_end / iv_start − 1'),
    alert.made('size_vol_ratio', 'string(dec)', 'total_size volume', 'total_size / volume'),
    alert.made('spread', 'string(dec)', 'ask bid', '(ask − bid) / mid, mid being (ask + bid) / 2'),
    alert.made('marketcap', 'string(dec)', 'marketcap'),
    alert.made('is_multi_leg', 'boolean', 'has_multileg'),
    alert.made('size_greater_oi', 'boolean', 'total_size open_interest', 'total_size > open_interest'),
    alert.made('vol_greater_oi', 'boolean', 'volume open_interest', 'volume > open_interest'),
    alert.made(
      'days_between_expiry_and_earnings',
      'integer',
      'expiry next_earnings_date',
      'expiry − next_earnings_date, calendar days',
    ),
    alert.made('newer_than', 'ts', 'created_at', 'created_at lies after it'),
    alert.made('older_than', 'ts', 'created_at', 'created_at lies before it'),
  ],
}

export const MULTI_LEG_LEGS: OperationFields = {
  id: 'multi-leg-legs',
  dating: ['multi_leg_legs'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...leg.columns('string', 'option_symbol'),
        ...leg.columns('integer', 'option_symbol_id', SOURCELESS),
        ...among(shownValues(OptionType), leg.made('type', 'string', 'option_type')),
        ...leg.columns('string(dec)', 'strike'),
        ...leg.columns('date', 'expiry'),
        ...among(LEG_SIDES, ...leg.columns('string', 'side', 'neither side leads')),
        ...leg.columns('integer', 'size'),
        ...leg.columns('string(dec)', 'price premium'),
        ...leg.columns('string(dec)', 'delta theta', "none of the leg's trades has one"),
        ...leg.columns('string(dec)', 'nbbo_bid nbbo_ask', "none of the leg's trades met a valid quote"),
        ...leg.columns('integer', 'open_interest', UNKNOWN),
        ...leg.columns('integer', 'volume'),
      ],
    },
  ],
  parameters: [leg.made('id', 'string(UUID)', 'multi_leg_id')],
}
