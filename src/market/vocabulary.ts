/** Values of fields and filters that are not shared enumerations of the streaming messages. */

/** The rules that raise flow alerts. */
export const FLOW_RULES = [
  'FloorTradeSmallCap',
  'FloorTradeMidCap',
  'RepeatedHits',
  'RepeatedHitsAscendingFill',
  'RepeatedHitsDescendingFill',
  'FloorTradeLargeCap',
  'OtmEarningsFloor',
  'LowHistoricVolumeFloor',
  'SweepsFollowedByFloor',
] as const

/** Kinds of notification. */
export const NOTIFICATION_TYPES = [
  'stock',
  'news',
  'earnings',
  'dividends',
  'splits',
  'option_contract',
  'price_target',
  'analyst_rating',
  'option_contract_interval',
  'insider_trades',
  'trading_state',
  'fda',
  'economic_release',
  'politician_trades',
  'market_tide',
  'sec_filings',
  'flow_alerts',
  'chain_oi_change',
  'gex',
] as const

/** Kinds of symbol of a notification. */
export const SYMBOL_TYPES = ['stock', 'option_chain'] as const

/** Kinds of security on Form 13F. */
export const SECURITY_TYPES = ['Share', 'Option', 'Fund', 'Preferred', 'Debt', 'Warrant'] as const

/** Chambers of Congress. */
export const CHAMBERS = ['house', 'senate'] as const

/** The leading side of a leg of a multi-leg order. */
export const LEG_SIDES = ['ask', 'bid'] as const

/** Periods of a company's statements. */
export const REPORT_TYPES = ['annual', 'quarterly'] as const
