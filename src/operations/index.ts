import type { Operation } from './answering/operation.ts'
import { alerts } from './catalog/alerts.ts'
import { analyticsWindow } from './catalog/analytics-window.ts'
import { cashFlows } from './catalog/cash-flows.ts'
import { congressLateReports } from './catalog/congress-late-reports.ts'
import { congressPoliticians } from './catalog/congress-politicians.ts'
import { contractFlow } from './catalog/contract-flow.ts'
import { contractVolumeProfile } from './catalog/contract-volume-profile.ts'
import { cryptoOhlc } from './catalog/crypto-ohlc.ts'
import { darkpoolPriceLevels } from './catalog/darkpool-price-levels.ts'
import { economy } from './catalog/economy.ts'
import { etfHoldings } from './catalog/etf-holdings.ts'
import { etfInfo } from './catalog/etf-info.ts'
import { fecCompanies } from './catalog/fec-companies.ts'
import { flowAlerts } from './catalog/flow-alerts.ts'
import { forexRate } from './catalog/forex-rate.ts'
import { greeks } from './catalog/greeks.ts'
import { insiderBuySells } from './catalog/insider-buy-sells.ts'
import { insiders } from './catalog/insiders.ts'
import { institutionHoldings } from './catalog/institution-holdings.ts'
import { institutionSectors } from './catalog/institution-sectors.ts'
import { institutions } from './catalog/institutions.ts'
import { multiLegLegs } from './catalog/multi-leg-legs.ts'
import { oiPerExpiry } from './catalog/oi-per-expiry.ts'
import { optionStance } from './catalog/option-stance.ts'
import { potusPosts } from './catalog/potus-posts.ts'
import { predictionInsiders } from './catalog/prediction-insiders.ts'
import { predictionLiquidity } from './catalog/prediction-liquidity.ts'
import { screenerOptionContracts } from './catalog/screener-option-contracts.ts'
import { volumeOiExpiry } from './catalog/volume-oi-expiry.ts'

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
