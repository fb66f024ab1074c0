/**
 * The operations of the specification with their paths and parameters, as the specification and the decisions define
 * them, typed in by hand. The order is that of the specification's numbers.
 */

/**
 * A parameter's type: `string`, `date`, `boolean`, `integer`, `number`, or values separated by `|`, with `[]` before it
 * for an array. Then bounds such as `>=0` and `<=1`, `=x` for the default and `!` for a required parameter.
 */
export type ParameterFacts = string

interface SpecifiedOperation {
  readonly path: string
  readonly parameters: Readonly<Record<string, ParameterFacts>>
}

const SECTORS =
  'Basic Materials|Communication Services|Consumer Cyclical|Consumer Defensive|Energy|Financial Services|Healthcare|Industrials|Real Estate|Technology|Utilities'
const ISSUE_TYPES = 'Common Stock|ETF|Index|ADR'
const NOTI_TYPES =
  'stock|news|earnings|dividends|splits|option_contract|price_target|analyst_rating|option_contract_interval|insider_trades|trading_state|fda|economic_release|politician_trades|market_tide|sec_filings|flow_alerts|chain_oi_change|gex'
const DIRECTION = 'asc|desc =desc'

/** `min_` and `max_` of stems with the same type. */
const ranges = (type: ParameterFacts, stems: string) =>
  Object.fromEntries(
    stems.split(' ').flatMap(stem => [`min_${stem}`, `max_${stem}`].map(name => [name, type])),
  )

export const SPECIFIED: Readonly<Record<string, SpecifiedOperation>> = {
  'screener-option-contracts': {
    path: '/api/screener/option-contracts',
    parameters: {
      ticker_symbol: 'string',
      'sectors[]': `[]${SECTORS}`,
      unusual: 'boolean',
      is_otm: 'boolean',
      is_itm: 'boolean',
      exclude_ex_div_ticker: 'boolean',
      vol_greater_oi: 'boolean',
      type: 'call|Call|put|Put',
      'expiry_dates[]': '[]date',
      'issue_types[]': `[]${ISSUE_TYPES}`,
      order:
        'bid_ask_vol|bull_bear_vol|contract_pricing|daily_perc_change|diff|dte|earnings|expires|expiry|floor_volume|floor_volume_ratio|from_high|from_low|iv|multileg_volume|open_interest|premium|spread|stock_price|tape_time|ticker|total_multileg_volume_ratio|trades|volume|volume_oi_ratio|volume_ticker_vol_ratio =volume',
      order_direction: DIRECTION,
      limit: 'integer >=1 <=250 =50',
      page: 'integer >=0 <=1000000 =0',
      date: 'date',
      is_new: 'boolean',
      opex_only: 'boolean',
      ...ranges('integer >=0', 'volume'),
      ...ranges(
        'integer',
        'dte ticker_30_d_avg_volume contract_30_d_avg_volume open_interest floor_volume days_of_oi_increases days_of_vol_greater_than_oi oi_change earnings_dte days_between_expiry_and_earnings transactions',
      ),
      ...ranges(
        'number',
        'underlying_price diff strike marketcap multileg_volume_ratio floor_volume_ratio daily_perc_change premium avg_price volume_oi_ratio ask_perc bid_perc skew_perc bull_perc bear_perc bid_side_perc_7_day ask_side_perc_7_day iv_perc return_on_capital_perc close',
      ),
      ...ranges('number >=-1', 'perc_change oi_change_perc from_low_perc from_high_perc'),
      ...ranges('number >=-1 <=1', 'delta'),
      ...ranges('number >=0', 'gamma vega'),
      ...ranges('number <=0', 'theta'),
      ...ranges('number >=0 <=1', 'volume_ticker_vol_ratio sweep_volume_ratio'),
    },
  },
  'institution-holdings': {
    path: '/api/institution/{name}/holdings',
    parameters: {
      name: 'string!',
      ticker_symbol: 'string',
      date: 'date',
      start_date: 'date',
      end_date: 'date',
      security_types: '[]string',
      limit: 'integer >=1 <=500 =500',
      page: 'integer >=0 <=1000000 =0',
      order:
        'date|ticker|security_type|put_call|first_buy|price_first_buy|units|units_change|historical_units|value|avg_price|close|shares_outstanding =value',
      order_direction: DIRECTION,
    },
  },
  alerts: {
    path: '/api/alerts',
    parameters: {
      limit: 'integer >=1 <=500 =50',
      intraday_only: 'boolean =true',
      'config_ids[]': '[]string',
      ticker_symbols: 'string',
      'noti_types[]': `[]${NOTI_TYPES}`,
      newer_than: 'string',
      older_than: 'string',
    },
  },
  'contract-volume-profile': {
    path: '/api/option-contract/{id}/volume-profile',
    parameters: { id: 'string!', date: 'date' },
  },
  'volume-oi-expiry': {
    path: '/api/stock/{ticker}/option/volume-oi-expiry',
    parameters: { ticker: 'string!', date: 'date' },
  },
  'congress-politicians': {
    path: '/api/congress/politicians',
    parameters: { last_traded_within_months: 'integer >=1 <=240' },
  },
  'institution-sectors': {
    path: '/api/institution/{name}/sectors',
    parameters: {
      name: 'string!',
      date: 'date',
      limit: 'integer >=1 <=500 =500',
      page: 'integer >=0 <=1000000 =0',
    },
  },
  'analytics-window': {
    path: '/api/analytics/window',
    parameters: {
      symbols: 'string!',
      range: 'string!',
      range_end: 'string',
      interval: '1min|5min|15min|30min|60min|DAILY|WEEKLY|MONTHLY =DAILY',
      ohlc: 'open|high|low|close =close',
      calculations: 'string!',
    },
  },
  'congress-late-reports': {
    path: '/api/congress/late-reports',
    parameters: { limit: 'integer >=1 <=200 =100', date: 'date', ticker: 'string' },
  },
  'etf-info': { path: '/api/etfs/{ticker}/info', parameters: { ticker: 'string!' } },
  'option-stance': {
    path: '/api/stock/{ticker}/option-stance',
    parameters: {
      ticker: 'string!',
      stance: 'sell_premium|sell_vega|directional|leaps|cheapies !',
      limit: 'integer >=1 <=100 =25',
      type: 'Calls|Puts',
      option_symbol: 'string',
      date: 'date',
    },
  },
  'insider-buy-sells': {
    path: '/api/stock/{ticker}/insider-buy-sells',
    parameters: { ticker: 'string!' },
  },
  'crypto-ohlc': {
    path: '/api/crypto/{pair}/ohlc/{candle_size}',
    parameters: {
      pair: 'string!',
      candle_size: '1m|5m|10m|15m|30m|1h|4h|1d|1w !',
      limit: 'integer >=1 <=500 =500',
      date: 'date',
    },
  },
  insiders: { path: '/api/insider/{ticker}', parameters: { ticker: 'string!' } },
  'oi-per-expiry': {
    path: '/api/stock/{ticker}/oi-per-expiry',
    parameters: { ticker: 'string!', date: 'date' },
  },
  economy: {
    path: '/api/economy/{indicator}',
    parameters: {
      indicator:
        'gdp|gdp-per-capita|treasury-yield|fed-funds|cpi|inflation|retail-sales|durables|unemployment|payrolls !',
      interval: 'daily|weekly|monthly|quarterly|annual|semiannual',
      maturity: '3month|2year|5year|7year|10year|30year =10year',
    },
  },
  'darkpool-price-levels': {
    path: '/api/darkpool/{ticker}/price-levels',
    parameters: { ticker: 'string!', date: 'date' },
  },
  'prediction-insiders': { path: '/api/predictions/insiders', parameters: {} },
  'contract-flow': {
    path: '/api/option-contract/{id}/flow',
    parameters: {
      id: 'string!',
      side: 'ALL|ASK|BID|MID =ALL',
      // The specification: an "integer-like number".
      min_premium: 'integer >=0 =0',
      limit: 'integer >=1',
      date: 'date',
    },
  },
  greeks: {
    path: '/api/stock/{ticker}/greeks',
    parameters: { ticker: 'string!', expiry: 'date!', date: 'date' },
  },
  'fec-companies': {
    path: '/api/politics/fec/companies',
    parameters: {
      // The years that dates support; not in the specification.
      cycle: 'integer >=1900 <=9998',
      min_total: 'integer',
      page: 'integer >=1 <=1000001 =1',
      limit: 'integer >=1 <=200 =50',
    },
  },
  'potus-posts': {
    path: '/api/potus/posts',
    parameters: { limit: 'integer >=1 <=200 =200', page: 'integer >=0 <=1000000 =0', search_term: 'string' },
  },
  'flow-alerts': {
    path: '/api/option-trades/flow-alerts',
    parameters: {
      ticker_symbol: 'string',
      unusual: 'boolean',
      all_opening: 'boolean',
      is_floor: 'boolean',
      is_sweep: 'boolean',
      is_call: 'boolean',
      is_put: 'boolean',
      is_ask_side: 'boolean',
      is_bid_side: 'boolean',
      'rule_name[]':
        '[]FloorTradeSmallCap|FloorTradeMidCap|RepeatedHits|RepeatedHitsAscendingFill|RepeatedHitsDescendingFill|FloorTradeLargeCap|OtmEarningsFloor|LowHistoricVolumeFloor|SweepsFollowedByFloor',
      is_otm: 'boolean',
      'issue_types[]': `[]${ISSUE_TYPES}`,
      is_multi_leg: 'boolean',
      size_greater_oi: 'boolean',
      vol_greater_oi: 'boolean',
      newer_than: 'string',
      older_than: 'string',
      limit: 'integer >=1 <=200 =100',
      ...ranges('number', 'diff iv_change'),
      ...ranges('integer', 'days_between_expiry_and_earnings'),
      ...ranges('integer >=0', 'dte'),
      ...ranges(
        'number >=0',
        'premium size volume open_interest volume_oi_ratio price size_vol_ratio spread marketcap',
      ),
      ...ranges('number >=0 <=1', 'ask_perc bid_perc bull_perc bear_perc skew'),
    },
  },
  institutions: {
    path: '/api/institutions',
    parameters: {
      name: 'string',
      ...ranges('number', 'total_value share_value'),
      'tags[]':
        '[]advisor|value_investor|brokerage|hedge_fund|private_fund|biotech|activist|top_fund|tiger_club|esg|credit|13d_activist|energy|small_cap|event|real_estate|technology|all|public_companies|known',
      order:
        'name|call_value|put_value|share_value|call_holdings|put_holdings|share_holdings|total_value|warrant_value|fund_value|pfd_value|debt_value|total_holdings|warrant_holdings|fund_holdings|pfd_holdings|debt_holdings|percent_of_total|date|buy_value|sell_value =total_value',
      order_direction: DIRECTION,
      limit: 'integer >=1 <=500 =500',
      page: 'integer >=0 <=1000000 =0',
    },
  },
  'etf-holdings': { path: '/api/etfs/{ticker}/holdings', parameters: { ticker: 'string!' } },
  'cash-flows': { path: '/api/stock/{ticker}/cash-flows', parameters: { ticker: 'string!' } },
  'multi-leg-legs': {
    path: '/api/option-trades/multi-leg/{id}/legs',
    parameters: { id: 'string!' },
  },
  'prediction-liquidity': {
    path: '/api/predictions/market/{asset_id}/liquidity',
    parameters: { asset_id: 'string!' },
  },
  'forex-rate': { path: '/api/forex/rate', parameters: { from: 'string!', to: 'string!' } },
}
