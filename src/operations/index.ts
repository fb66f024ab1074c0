import { alerts } from './alerts.ts'
import { analyticsWindow } from './analytics-window.ts'
import { cashFlows } from './cash-flows.ts'
import { congressLateReports } from './congress-late-reports.ts'
import { congressPoliticians } from './congress-politicians.ts'
import { contractFlow } from './contract-flow.ts'
import { contractVolumeProfile } from './contract-volume-profile.ts'
import { cryptoOhlc } from './crypto-ohlc.ts'
import { darkpoolPriceLevels } from './darkpool-price-levels.ts'
import { economy } from './economy.ts'
import { etfHoldings } from './etf-holdings.ts'
import { etfInfo } from './etf-info.ts'
import { fecCompanies } from './fec-companies.ts'
import { flowAlerts } from './flow-alerts.ts'
import { forexRate } from './forex-rate.ts'
import { greeks } from './greeks.ts'
import { insiderBuySells } from './insider-buy-sells.ts'
import { insiders } from './insiders.ts'
import { institutionHoldings } from './institution-holdings.ts'
import { institutionSectors } from './institution-sectors.ts'
import { institutions } from './institutions.ts'
import { multiLegLegs } from './multi-leg-legs.ts'
import { oiPerExpiry } from './oi-per-expiry.ts'
import type { Operation } from './operation.ts'
import { optionStance } from './option-stance.ts'
import { potusPosts } from './potus-posts.ts'
import { predictionInsiders } from './prediction-insiders.ts'
import { predictionLiquidity } from './prediction-liquidity.ts'
import { screenerOptionContracts } from './screener-option-contracts.ts'
import { volumeOiExpiry } from './volume-oi-expiry.ts'

/** All operations of the API, in the specification's order. */
export const operations: readonly Operation[] = [
  screenerOptionContracts,
  institutionHoldings,
  alerts,
  contractVolumeProfile,
  volumeOiExpiry,
  congressPoliticians,
  institutionSectors,
  analyticsWindow,
  congressLateReports,
  etfInfo,
  optionStance,
  insiderBuySells,
  cryptoOhlc,
  insiders,
  oiPerExpiry,
  economy,
  darkpoolPriceLevels,
  predictionInsiders,
  contractFlow,
  greeks,
  fecCompanies,
  potusPosts,
  flowAlerts,
  institutions,
  etfHoldings,
  cashFlows,
  multiLegLegs,
  predictionLiquidity,
  forexRate,
]
