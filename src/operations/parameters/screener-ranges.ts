import { ranges } from './number.ts'

const COUNT = { integer: true } as const
/** A change from a price above 0, as a fraction. */
const CHANGE = { least: -1 } as const
const SHARE = { least: 0, most: 1 } as const

/** The range filters, in the specification's order. Shares and changes are fractions: 0.5 is 50 %. */
export const screenerRanges = ranges({
  underlying_price: { of: 'price of the underlying stock, dollars', example: '100' },
  dte: { of: 'calendar days to expiry', example: '60', ...COUNT },
  diff: { of: 'distance out of the money: (strike − stock)/stock, negated for puts', example: '0.05' },
  strike: { of: 'strike, dollars', example: '100' },
  marketcap: { of: 'market capitalisation of the underlying, dollars', example: '1e9' },
  volume: { of: 'volume of the contract', example: '500', ...COUNT, least: 0 },
  ticker_30_d_avg_volume: { of: '30-day average volume of the stock', example: '1000000', ...COUNT },
  contract_30_d_avg_volume: { of: '30-day average volume of the contract', example: '100', ...COUNT },
  multileg_volume_ratio: { of: 'multi-leg volume/volume', example: '0.1' },
  floor_volume_ratio: { of: 'floor volume/volume', example: '0.1' },
  perc_change: { of: 'change of the close since the previous traded day', example: '0.25', ...CHANGE },
  daily_perc_change: { of: 'change of the close since the open', example: '0.25' },
  premium: { of: 'premium, dollars', example: '10000' },
  avg_price: { of: 'average price, dollars per unit', example: '1.5' },
  volume_oi_ratio: { of: 'volume/open interest, an open interest of 0 counts as 1', example: '2' },
  open_interest: { of: 'open interest', example: '100', ...COUNT },
  floor_volume: { of: 'floor volume', example: '100', ...COUNT },
  ask_perc: { of: 'share of the volume on the ask', example: '0.5' },
  bid_perc: { of: 'share of the volume on the bid', example: '0.5' },
  skew_perc: { of: 'share of the volume on the busier of ask and bid', example: '0.8' },
  bull_perc: { of: 'bullish share of the volume: ask of calls, bid of puts', example: '0.5' },
  bear_perc: { of: 'bearish share of the volume: bid of calls, ask of puts', example: '0.5' },
  bid_side_perc_7_day: {
    of: 'share of the traded days among the last 7 sessions that were mainly on the bid',
    example: '0.5',
  },
  ask_side_perc_7_day: {
    of: 'share of the traded days among the last 7 sessions that were mainly on the ask',
    example: '0.5',
  },
  days_of_oi_increases: { of: 'consecutive sessions of rising open interest', example: '3', ...COUNT },
  days_of_vol_greater_than_oi: {
    of: 'consecutive sessions of volume above open interest',
    example: '3',
    ...COUNT,
  },
  iv_perc: { of: 'implied volatility per year, a fraction', example: '0.4' },
  delta: { of: 'delta', example: '0.3', least: -1, most: 1 },
  gamma: { of: 'gamma', example: '0.01', least: 0 },
  theta: { of: 'theta, dollars per calendar day', example: '-0.05', most: 0 },
  vega: { of: 'vega, dollars per point of volatility', example: '0.1', least: 0 },
  return_on_capital_perc: { of: 'return on the margin of a short position, a fraction', example: '0.02' },
  oi_change_perc: { of: 'change of open interest since the previous session', example: '0.1', ...CHANGE },
  oi_change: {
    of: 'change of open interest since the previous session, contracts',
    example: '100',
    ...COUNT,
  },
  volume_ticker_vol_ratio: {
    of: 'volume/option volume of all contracts of the underlying',
    example: '0.1',
    ...SHARE,
  },
  sweep_volume_ratio: { of: 'sweep volume/volume', example: '0.2', ...SHARE },
  from_low_perc: { of: "change of the close from the day's low", example: '0.5', ...CHANGE },
  from_high_perc: { of: "change of the close from the day's high", example: '-0.1', ...CHANGE },
  earnings_dte: { of: "calendar days to the underlying's next earnings", example: '7', ...COUNT },
  days_between_expiry_and_earnings: {
    of: 'calendar days from the next earnings to expiry, negative if it expires before them; unknown earnings never match',
    example: '1',
    ...COUNT,
  },
  transactions: { of: 'number of trades', example: '10', ...COUNT },
  close: { of: 'close of the contract, dollars per unit', example: '1.5' },
})
