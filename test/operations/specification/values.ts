/**
 * The fields with a closed set of values, as the specification and the decisions define them, typed in by hand: per
 * operation the path of the field, `[]` after arrays, and its values separated by `|`.
 */

const OPTION_TYPE = 'call|put'
const ER_TIME = 'premarket|postmarket|unknown'
const ISSUE_TYPES = 'ADR|Common Stock|ETF|Other|Preferred Stock|Right|Structured Product|Unit|Warrant|Index'
const SECTORS =
  'Basic Materials|Communication Services|Consumer Cyclical|Consumer Defensive|Energy|Financial Services|Healthcare|Industrials|Real Estate|Technology|Utilities'
const RULES =
  'FloorTradeSmallCap|FloorTradeMidCap|RepeatedHits|RepeatedHitsAscendingFill|RepeatedHitsDescendingFill|FloorTradeLargeCap|OtmEarningsFloor|LowHistoricVolumeFloor|SweepsFollowedByFloor'
const CATEGORIES = 'Crypto|Culture|Finance|Games|Mentions|Other|Politics|Sports|Weather'
const TAGS = 'contrarian_whales|momentum|closing_soon|insider_trades|smart_money'

export const SPECIFIED_VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'screener-option-contracts': {
    'data[].option_type': OPTION_TYPE,
    'data[].er_time': ER_TIME,
    'data[].issue_type': ISSUE_TYPES,
    'data[].sector': `${SECTORS}|`,
  },
  'institution-holdings': {
    'data[].security_type': 'Share|Option|Fund|Preferred|Debt|Warrant',
    'data[].put_call': OPTION_TYPE,
    'data[].sector': SECTORS,
  },
  'institution-sectors': { 'data[].sector': SECTORS },
  alerts: {
    'data[].noti_type':
      'stock|news|earnings|dividends|splits|option_contract|price_target|analyst_rating|option_contract_interval|insider_trades|trading_state|fda|economic_release|politician_trades|market_tide|sec_filings|flow_alerts|chain_oi_change|gex',
    'data[].symbol_type': 'stock|option_chain',
  },
  'congress-politicians': { 'data[].member_type': 'house|senate' },
  'analytics-window': {
    'data.meta.ohlc': 'Open|High|Low|Close',
    'data.meta.interval': '1min|5min|15min|30min|60min|DAILY|WEEKLY|MONTHLY',
  },
  'congress-late-reports': { 'data[].member_type': 'house|senate' },
  'option-stance': {
    stance: 'sell_premium|sell_vega|directional|leaps|cheapies',
    'data[].option_type': OPTION_TYPE,
    'data[].rank_metric.name': 'roc|vega_iv|delta_per_dollar|dte_per_extrinsic_dollar|gamma_per_dollar',
  },
  economy: {
    'data.unit':
      'billions of dollars|chained dollars|percent|index 1982-1984=100|millions of dollars|thousands of persons',
    'data.interval': 'annual|quarterly|monthly|weekly|daily|semiannual',
  },
  'prediction-insiders': {
    'data.categories[]': CATEGORIES,
    'data.data[].category': CATEGORIES,
    'data.data[].tags[]': TAGS,
    'data.tag_info[].tag': TAGS,
  },
  'contract-flow': {
    'data[].option_type': OPTION_TYPE,
    'data[].rule_id': RULES,
    'data[].er_time': ER_TIME,
    'data[].issue_type': ISSUE_TYPES,
    'data[].sector': SECTORS,
  },
  'flow-alerts': {
    'data[].alert_rule': RULES,
    'data[].type': OPTION_TYPE,
    'data[].issue_type': ISSUE_TYPES,
  },
  'etf-holdings': { 'data[].sector': `${SECTORS}|` },
  'cash-flows': { 'data[].report_type': 'annual|quarterly' },
  'multi-leg-legs': { 'data[].type': OPTION_TYPE, 'data[].side': 'ask|bid' },
  'forex-rate': { 'data.time_zone': 'UTC' },
}
