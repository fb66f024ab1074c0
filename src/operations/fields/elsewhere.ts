/** What the lake holds beyond the answers' fields, and why. Keys and partition columns need no reason. */

/** Datasets that no operation reads, each with what it is for. */
export const INTERNAL: Readonly<Record<string, string>> = {
  chain_frags: 'the streaming message ChainFrag, field by field',
  daily_bars: 'stock_days are made of it',
  fec_committees: 'fec_companies are made of it',
  fec_contributions: 'fec_companies are made of it',
  institution_holdings: 'institution_positions are made of it',
  lobbying_reports: 'fec_companies are made of it',
  prediction_markets:
    'prediction-positions takes questions, outcomes, ends and pictures from it where a source lacks them',
  stock_trades: 'price_levels are made of it',
}

const COMPLETION = 'what missing implied volatilities and greeks are computed from'
const SCREENED = 'contract_days carry it'
const DOCUMENTED = 'kept as filed, so that nothing of the source is lost; no answer shows it'
const UNASKED = 'no answer, filter or order asks for it'

/** Columns that no field or parameter of an operation uses, by dataset, each with what it is for. */
export const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  congress_trades: { asset_description: DOCUMENTED },
  contract_days: {
    multiplier: 'premium = avg_price × volume × multiplier',
    ask_side_premium: 'option_ticker_days add it up to bullish_premium and bearish_premium',
    bid_side_premium: 'option_ticker_days add it up to bullish_premium and bearish_premium',
    recent_volumes: 'history that the next day is made from',
    recent_sides: 'history that the next day is made from',
    full_name: UNASKED,
  },
  flow_alerts: {
    start_time: UNASKED,
    sector: UNASKED,
    er_time: UNASKED,
    ex_dividend_date: UNASKED,
  },
  insider_trades: {
    cik: DOCUMENTED,
    transaction_date: DOCUMENTED,
    security_title: DOCUMENTED,
    is_acquired: DOCUMENTED,
    shares_after: DOCUMENTED,
  },
  institution_positions: { filing_date: 'institution_totals show it' },
  multi_leg_legs: { underlying_symbol: UNASKED },
  option_chain_days: {
    multiplier: SCREENED,
    settlement: COMPLETION,
    bid: SCREENED,
    ask: SCREENED,
    last: COMPLETION,
    volume: 'as the chain reports it; answers count the trades instead',
    underlying_price: COMPLETION,
  },
  option_ticker_days: { call_open_interest: UNASKED, put_open_interest: UNASKED, premium: UNASKED },
  option_trades: {
    option_symbol_id: 'multi_leg_legs carry it',
    multiplier: SCREENED,
    trade_code: 'kept as the tape has it; the kind of a trade follows from its condition',
    sale_condition: 'late and out-of-sequence trades have no side',
    multi_leg_id: 'multi_leg_legs are made by it',
  },
  option_volatility_days: { sessions: 'how many sessions stand behind rank and percentile' },
  stock_bars: { volume: 'stock_days add it up where there is no daily bar' },
  tickers: {
    short_name: UNASKED,
    shares_outstanding: 'institution_positions carry it',
    ex_dividend_date: SCREENED,
    has_options: UNASKED,
  },
}
