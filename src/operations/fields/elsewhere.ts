/**
 * Datasets and columns of the lake that no answer shows, and why they exist. Keys and partition columns need no reason.
 */

/** Datasets that no operation reads, each with its purpose. */
export const INTERNAL: Readonly<Record<string, string>> = {
  chain_frags: 'it stores the fields of the streaming message ChainFrag',
  daily_bars: 'stock_days is derived from it',
  fec_committees: 'fec_companies is derived from it',
  fec_contributions: 'fec_companies is derived from it',
  institution_holdings: 'institution_positions is derived from it',
  lobbying_reports: 'fec_companies is derived from it',
  prediction_markets:
    'the import format prediction-positions takes questions, outcomes, ends and pictures from it where a source lacks them',
  stock_dividends: 'price_adjustments is derived from it',
  stock_splits:
    'stock_days and institution_positions compare days and reports on the basis of the later one with it',
  stock_trades: 'price_levels is derived from it',
  treasury_days: 'option_greek_days is derived from it',
}

const COMPLETION = 'option_greek_days: missing implied volatilities and greeks are computed from it'
const MODEL = 'missing implied volatilities and greeks were computed with it'
const SCREENED = 'copied to contract_days'
const DOCUMENTED = 'stored as filed, to preserve the source; no answer shows it'
const UNUSED = 'no answer, filter or order uses it'

/** Columns that no field or parameter of an operation uses, by dataset, each with its purpose. */
export const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  congress_trades: { asset_description: DOCUMENTED },
  contract_days: {
    multiplier: 'premium = avg_price × volume × multiplier',
    ask_side_premium: 'summed to bullish_premium and bearish_premium of option_ticker_days',
    bid_side_premium: 'summed to bullish_premium and bearish_premium of option_ticker_days',
    recent_volumes: 'history for the next day',
    recent_sides: 'history for the next day',
    full_name: UNUSED,
  },
  flow_alerts: {
    bid: 'spread is computed from it',
    ask: 'spread is computed from it',
    iv_start: 'iv_change is computed from it',
    iv_end: 'iv_change is computed from it',
    next_earnings_date: 'days_between_expiry_and_earnings is computed from it',
    start_time: UNUSED,
    sector: UNUSED,
    er_time: UNUSED,
    ex_dividend_date: UNUSED,
  },
  institution_positions: { previous_units: 'units − units_change; 0 in the first report' },
  institution_totals: {
    percent_of_total: 'the share of what was filed by filing_date; the order of that name counts all filings',
  },
  insider_trades: {
    cik: DOCUMENTED,
    transaction_date: DOCUMENTED,
    security_title: DOCUMENTED,
    is_acquired: DOCUMENTED,
    shares_after: DOCUMENTED,
  },
  multi_leg_legs: { underlying_symbol: UNUSED },
  option_chain_days: {
    multiplier: SCREENED,
    settlement: COMPLETION,
    bid: SCREENED,
    ask: SCREENED,
    last: COMPLETION,
    volume: 'volume of contract_days where the lake has no trades of the underlying',
    underlying_price: COMPLETION,
  },
  option_greek_days: {
    underlying_symbol: 'the rows of a ticker are read by it',
    option_type: COMPLETION,
    strike: COMPLETION,
    expiry: COMPLETION,
    settlement: COMPLETION,
    underlying_price: MODEL,
    figures_source: MODEL,
    price: MODEL,
    rate: MODEL,
    forward: MODEL,
  },
  option_ticker_days: { call_open_interest: UNUSED, put_open_interest: UNUSED, premium: UNUSED },
  option_trades: {
    option_symbol_id: 'copied to multi_leg_legs',
    multiplier: SCREENED,
    trade_code: 'stored as on the tape; the kind of a trade follows from its condition',
    sale_condition: 'late and out-of-sequence trades have no side',
    multi_leg_id: 'multi_leg_legs is grouped by it',
  },
  option_volatility_days: { sessions: 'number of sessions of rank and percentile' },
  stock_bars: { volume: 'summed in stock_days where there is no daily bar' },
  tickers: {
    short_name: UNUSED,
    shares_outstanding: 'copied to institution_positions',
    ex_dividend_date: SCREENED,
    has_options: UNUSED,
  },
}
