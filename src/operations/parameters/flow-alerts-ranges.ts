import { ranges } from './number.ts'

const POSITIVE = { least: 0 } as const
const SHARE = { least: 0, most: 1 } as const

/** The range filters of flow alerts, in the specification's order. Shares and changes are fractions: 0.5 is 50 %. */
export const flowAlertRanges = ranges({
  premium: { of: "premium of the alert's trades, dollars", example: '10000', ...POSITIVE },
  size: { of: "sum of the trades' sizes, contracts", example: '100', ...POSITIVE },
  volume: { of: 'volume of the contract on the day when the alert was raised', example: '500', ...POSITIVE },
  open_interest: { of: 'open interest of the contract', example: '100', ...POSITIVE },
  diff: {
    of: 'distance out of the money: (strike − underlying)/underlying, negated for puts',
    example: '0.05',
  },
  volume_oi_ratio: {
    of: 'volume/open interest, an open interest of 0 counts as 1',
    example: '2',
    ...POSITIVE,
  },
  dte: { of: 'calendar days to expiry', example: '60', integer: true, ...POSITIVE },
  ask_perc: { of: 'share of the premium filled on the ask', example: '0.5', ...SHARE },
  bid_perc: { of: 'share of the premium filled on the bid', example: '0.5', ...SHARE },
  bull_perc: { of: 'bullish share of the premium: ask of calls, bid of puts', example: '0.5', ...SHARE },
  bear_perc: { of: 'bearish share of the premium: bid of calls, ask of puts', example: '0.5', ...SHARE },
  skew: { of: 'share of the premium on the greater of ask and bid', example: '0.8', ...SHARE },
  price: { of: "price of the underlying in dollars, not the record's `price`", example: '100', ...POSITIVE },
  iv_change: { of: 'change of implied volatility from the first trade to the last', example: '0.01' },
  size_vol_ratio: { of: "sum of the trades' sizes/volume", example: '0.2', ...POSITIVE },
  spread: { of: 'spread of the quote at the last trade, (ask − bid)/mid', example: '0.1', ...POSITIVE },
  marketcap: { of: 'market capitalisation of the underlying, dollars', example: '1e9', ...POSITIVE },
  days_between_expiry_and_earnings: {
    of: 'calendar days from the next earnings to expiry, negative if it expires before them; unknown earnings never match',
    example: '1',
    integer: true,
  },
})
