import { GREEKS, OI_PER_EXPIRY, OPTION_STANCE, VOLUME_OI_EXPIRY } from './record-fields-contracts.ts'
import {
  ALERTS,
  CONGRESS_LATE_REPORTS,
  CONGRESS_POLITICIANS,
  FEC_COMPANIES,
  INSIDER_BUY_SELLS,
  INSIDERS,
  POTUS_POSTS,
} from './record-fields-disclosures.ts'
import { INSTITUTION_HOLDINGS, INSTITUTION_SECTORS, INSTITUTIONS } from './record-fields-institutions.ts'
import {
  CRYPTO_OHLC,
  ECONOMY,
  FOREX_RATE,
  PREDICTION_INSIDERS,
  PREDICTION_LIQUIDITY,
} from './record-fields-markets.ts'
import type { OperationFields } from './record-fields-notation.ts'
import { SCREENER } from './record-fields-screener.ts'
import {
  ANALYTICS_WINDOW,
  CASH_FLOWS,
  DARKPOOL_PRICE_LEVELS,
  ETF_HOLDINGS,
  ETF_INFO,
} from './record-fields-stocks.ts'
import {
  CONTRACT_FLOW,
  CONTRACT_VOLUME_PROFILE,
  FLOW_ALERTS,
  MULTI_LEG_LEGS,
} from './record-fields-trades.ts'

/** Where every field of every answer comes from, in the specification's order of operations. */
export const RECORD_FIELDS: readonly OperationFields[] = [
  SCREENER,
  INSTITUTION_HOLDINGS,
  ALERTS,
  CONTRACT_VOLUME_PROFILE,
  VOLUME_OI_EXPIRY,
  CONGRESS_POLITICIANS,
  INSTITUTION_SECTORS,
  ANALYTICS_WINDOW,
  CONGRESS_LATE_REPORTS,
  ETF_INFO,
  OPTION_STANCE,
  INSIDER_BUY_SELLS,
  CRYPTO_OHLC,
  INSIDERS,
  OI_PER_EXPIRY,
  ECONOMY,
  DARKPOOL_PRICE_LEVELS,
  PREDICTION_INSIDERS,
  CONTRACT_FLOW,
  GREEKS,
  FEC_COMPANIES,
  POTUS_POSTS,
  FLOW_ALERTS,
  INSTITUTIONS,
  ETF_HOLDINGS,
  CASH_FLOWS,
  MULTI_LEG_LEGS,
  PREDICTION_LIQUIDITY,
  FOREX_RATE,
]
