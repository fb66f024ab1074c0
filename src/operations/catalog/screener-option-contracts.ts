import { type Bindings, boolean, dates, decimal, integer, text, texts } from '../../engine/bind.ts'
import { shownValues } from '../../market/enumeration.ts'
import { FILTERED_ISSUE_TYPES, Sector } from '../../market/enumerations.ts'
import { dateOf, oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { choice, flag, listOf } from '../parameters/kinds.ts'
import { tickerBindings, tickerFilter, tickerKeys } from '../parameters/market.ts'
import { limit, page } from '../parameters/number.ts'
import { ordering, orderOf } from '../parameters/order.ts'
import type { Values } from '../parameters/parameter.ts'
import { monthlyExpiries } from '../parameters/screener-opex.ts'
import { screenerRanges } from '../parameters/screener-ranges.ts'
import { day, marketDate } from '../parameters/time.ts'

/** Sort names, each with the template's column. */
const ORDERS = {
  bid_ask_vol: 'bid_ask_vol',
  bull_bear_vol: 'bull_bear_vol',
  contract_pricing: 'close',
  daily_perc_change: 'daily_perc_change',
  diff: 'diff',
  dte: 'dte',
  earnings: 'next_earnings_date',
  expires: 'expiry',
  expiry: 'expiry',
  floor_volume: 'floor_volume',
  floor_volume_ratio: 'floor_volume_ratio',
  from_high: 'from_high_perc',
  from_low: 'from_low_perc',
  iv: 'iv',
  multileg_volume: 'multileg_volume',
  open_interest: 'open_interest',
  premium: 'premium',
  spread: 'spread',
  stock_price: 'stock_price',
  tape_time: 'last_fill',
  ticker: 'ticker_symbol',
  total_multileg_volume_ratio: 'total_multileg_volume_ratio',
  trades: 'trades',
  volume: 'volume',
  volume_oi_ratio: 'volume_oi_ratio',
  volume_ticker_vol_ratio: 'volume_ticker_vol_ratio',
} as const

const parameters = {
  ticker_symbol: tickerFilter('Underlyings to keep.'),
  'sectors[]': listOf(
    choice({ description: 'Sectors of the underlying to keep.', example: 'Technology' }, shownValues(Sector)),
  ),
  unusual: {
    ...flag(
      '`true` sets six conditions: `vol_greater_oi=true`, `is_otm=true`, `max_dte=60`, `min_ask_perc=0.5`, `min_premium=10000` and `issue_types[]` of ADR, Common Stock and ETF. Passing one of these filters, or either bound of its stem, lifts that condition and no other; so `is_otm=false` lifts the second, and `is_itm=true` does not. `false` filters nothing.',
    ),
    bind: null,
  },
  is_otm: flag('`true` keeps contracts out of the money: diff above 0. `false` filters nothing.'),
  is_itm: flag(
    '`true` keeps contracts in the money: calls with a strike below the stock, puts with one above it. `false` filters nothing.',
  ),
  exclude_ex_div_ticker: flag(
    '`true` leaves out underlyings whose ex-dividend date is the market date. `false` filters nothing.',
  ),
  vol_greater_oi: flag(
    '`true` keeps contracts with more volume than open interest. `false` filters nothing.',
  ),
  type: choice(
    { description: 'Type of option to keep.', example: 'call', spellings: ['call', 'Call', 'put', 'Put'] },
    ['call', 'put'],
  ),
  'expiry_dates[]': listOf(day('Expiration dates to keep.', '2025-01-17'), dates),
  'issue_types[]': listOf(
    choice({ description: 'Issue types of the underlying to keep.', example: 'ETF' }, FILTERED_ISSUE_TYPES),
  ),
  opex_only: {
    ...flag(
      '`true` keeps standard monthly expirations: the third Friday of the month, the Thursday before it where the exchange is closed that Friday, and, until February 2015, the Saturday after it. `false` filters nothing.',
    ),
    bind: null,
  },
  is_new: flag('`true` keeps contracts that no earlier session of the lake had, `false` those that one had.'),
  ...screenerRanges,
  date: marketDate,
  ...ordering(ORDERS, 'volume'),
  limit: limit(250, 50),
  page: page(),
}

/** The conditions of the preset `unusual`: what each binds, and the parameters of which any one lifts it. */
const UNUSUAL: readonly {
  readonly binds: Bindings
  readonly liftedBy: readonly (keyof typeof parameters)[]
}[] = [
  { binds: { vol_greater_oi: boolean(true) }, liftedBy: ['vol_greater_oi'] },
  { binds: { is_otm: boolean(true) }, liftedBy: ['is_otm'] },
  { binds: { max_dte: integer(60) }, liftedBy: ['min_dte', 'max_dte'] },
  { binds: { min_ask_perc: decimal(5n, 1) }, liftedBy: ['min_ask_perc', 'max_ask_perc'] },
  { binds: { min_premium: integer(10_000) }, liftedBy: ['min_premium', 'max_premium'] },
  { binds: { issue_types: texts(['ADR', 'Common Stock', 'ETF']) }, liftedBy: ['issue_types[]'] },
]

/** The conditions that the preset adds to a request. */
const presetOf = (values: Values<typeof parameters>): Bindings =>
  values.unusual === true
    ? Object.assign(
        {},
        ...UNUSUAL.filter(({ liftedBy }) => liftedBy.every(name => values[name] === null)).map(
          ({ binds }) => binds,
        ),
      )
    : {}

export const screenerOptionContracts = operation({
  id: 'screener-option-contracts',
  path: '/api/screener/option-contracts',
  summary: 'The hottest option contracts of a day, by filter',
  description:
    'One record a contract that is listed, traded or carried over on the day, the most traded first; nulls sort last, ties by contract. Every filter given must hold. `min_` and `max_` are inclusive and compare the value as the record shows it, or as the filter describes it at 10 places; a null never passes. Shares, changes and volatilities are fractions (0.5 is 50 %). The volumes on the ask, the bid, at the midpoint and without a side add up to `volume`; sweep, floor, cross and multi-leg volumes overlap with them. Open interest is the figure known before the session opens. Canceled trades are left out.',
  parameters,
  plan: (values, snapshot) => {
    const date = dateOf(snapshot, 'contract_days', values.date)
    const keys = tickerKeys('underlying_symbol', values.ticker_symbol).keys
    const one = oneDay(snapshot, 'contract_days', date, keys)
    return {
      ...one,
      bindings: {
        ...one.bindings,
        ...tickerBindings(values.ticker_symbol),
        opex_expiries: values.opex_only && date !== null ? dates(monthlyExpiries(date)) : text(null),
        ...presetOf(values),
      },
      order: orderOf(ORDERS, values),
    }
  },
})
