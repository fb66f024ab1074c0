import { type Bindings, boolean, dates, decimal, integer, ofFew, text, texts } from '../../engine/bind.ts'
import { readTemplate } from '../../engine/template.ts'
import { shownValues } from '../../market/enumeration.ts'
import {
  AnnounceTime,
  FILTERED_ISSUE_TYPES,
  IssueType,
  OptionType,
  Sector,
} from '../../market/enumerations.ts'
import { dateOf, oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { columnFields } from '../fields/column-comments.ts'
import { from, type OperationFields } from '../fields/notation.ts'
import { choice, flag } from '../parameters/kinds.ts'
import { choices, listOf } from '../parameters/list.ts'
import { tickerBindings, tickerFilter, tickerKeys } from '../parameters/market.ts'
import { limit, page } from '../parameters/number.ts'
import { ordering, orderOf } from '../parameters/order.ts'
import type { Values } from '../parameters/parameter.ts'
import { monthlyExpiries } from '../parameters/screener-opex.ts'
import { screenerRanges } from '../parameters/screener-ranges.ts'
import { day, marketDate } from '../parameters/time.ts'

/** Sort names, each with its column of the template. */
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
  'sectors[]': choices(
    { description: 'Sectors of the underlying to keep.', example: 'Technology' },
    shownValues(Sector),
  ),
  unusual: {
    ...flag(
      '`true` sets six conditions: `vol_greater_oi=true`, `is_otm=true`, `max_dte=60`, `min_ask_perc=0.5`, `min_premium=10000` and `issue_types[]` of ADR, Common Stock and ETF. A filter of one of these, or of either bound of its stem, replaces that condition and no other: `is_otm=false` replaces the second one, `is_itm=true` does not. `false` filters nothing.',
    ),
    bind: null,
  },
  is_otm: flag('`true` keeps contracts out of the money: diff above 0. `false` filters nothing.'),
  is_itm: flag(
    '`true` keeps contracts in the money: calls with a strike below the stock, puts with one above it. `false` filters nothing.',
  ),
  exclude_ex_div_ticker: flag(
    '`true` excludes underlyings whose ex-dividend date is the trading date. `false` filters nothing.',
  ),
  vol_greater_oi: flag(
    '`true` keeps contracts with more volume than open interest. `false` filters nothing.',
  ),
  type: choice({ description: 'Type of option to keep.', example: 'call' }, ['call', 'put']),
  'expiry_dates[]': listOf(day('Expiration dates to keep.', '2025-01-17'), dates),
  'issue_types[]': choices(
    { description: 'Issue types of the underlying to keep.', example: 'ETF' },
    FILTERED_ISSUE_TYPES,
  ),
  opex_only: {
    ...flag(
      '`true` keeps standard monthly expirations: the third Friday of the month, the Thursday before it if the exchange is closed on that Friday, and, until February 2015, the Saturday after it. `false` filters nothing.',
    ),
    bind: null,
  },
  is_new: flag('`true` keeps contracts that no earlier session of the lake has, `false` the others.'),
  ...screenerRanges,
  date: marketDate,
  ...ordering(ORDERS, 'volume'),
  limit: limit(250, 50),
  page: page(),
}

/** The conditions of the preset `unusual`: what each of them binds, and the parameters that replace it. */
const UNUSUAL: readonly {
  readonly binds: Bindings
  readonly replacedBy: readonly (keyof typeof parameters)[]
}[] = [
  { binds: { vol_greater_oi: boolean(true) }, replacedBy: ['vol_greater_oi'] },
  { binds: { is_otm: boolean(true) }, replacedBy: ['is_otm'] },
  { binds: { max_dte: integer(60) }, replacedBy: ['min_dte', 'max_dte'] },
  { binds: { min_ask_perc: decimal(5n, 1) }, replacedBy: ['min_ask_perc', 'max_ask_perc'] },
  { binds: { min_premium: integer(10_000) }, replacedBy: ['min_premium', 'max_premium'] },
  { binds: { issue_types: ofFew(texts(['ADR', 'Common Stock', 'ETF'])) }, replacedBy: ['issue_types[]'] },
]

/** The conditions that the preset adds to a request. */
const presetOf = (values: Values<typeof parameters>): Bindings =>
  values.unusual === true
    ? Object.assign(
        {},
        ...UNUSUAL.filter(({ replacedBy }) => replacedBy.every(name => values[name] === null)).map(
          ({ binds }) => binds,
        ),
      )
    : {}

const { made } = from('contract_days')

/** The fields are documented in the template. A filter compares the value as shown; nulls never match. */
const fields: OperationFields = {
  dating: ['contract_days'],
  parts: [
    {
      at: 'data[]',
      record: 'ScreenerContract',
      fields: columnFields(readTemplate('screener-option-contracts'), 'contract_days', {
        option_type: shownValues(OptionType),
        er_time: shownValues(AnnounceTime),
        issue_type: shownValues(IssueType),
        sector: [...shownValues(Sector), ''],
      }),
    },
  ],
  parameters: [
    made('date', 'date', 'date'),
    made('sectors[]', 'array of string', 'sector', 'one of the values'),
    made(
      'unusual',
      'boolean',
      'volume open_interest diff dte ask_perc premium issue_type',
      'volume > open_interest, out of the money, dte <= 60, ask_perc >= 0.5, premium >= 10000, issue type ADR, Common Stock or ETF',
    ),
    made('is_otm', 'boolean', 'diff', 'diff > 0'),
    made('is_itm', 'boolean', 'diff', 'diff < 0'),
    made('exclude_ex_div_ticker', 'boolean', 'ex_dividend_date date', 'ex_dividend_date is not the date'),
    made('vol_greater_oi', 'boolean', 'volume open_interest', 'volume > open_interest'),
    made('type', 'string', 'option_type'),
    made('expiry_dates[]', 'array of string', 'expiry', 'one of the values'),
    made('issue_types[]', 'array of string', 'issue_type', 'one of the values'),
    made(
      'opex_only',
      'boolean',
      'expiry',
      'third Friday of its month, or the previous session if that is not a trading day',
    ),
    made('underlying_price', 'string(dec)', 'stock_price'),
    made('diff', 'string(dec)', 'diff', '(strike − stock_price) / stock_price, negated for puts'),
    made('multileg_volume_ratio', 'string(dec)', 'multileg_volume_ratio', 'multileg_volume / volume'),
    made('floor_volume_ratio', 'string(dec)', 'floor_volume_ratio', 'floor_volume / volume'),
    made('perc_change', 'string(dec)', 'perc_change', 'close / chain_prev_close − 1'),
    made('daily_perc_change', 'string(dec)', 'daily_perc_change', 'close / open − 1'),
    made(
      'volume_oi_ratio',
      'string(dec)',
      'volume_oi_ratio',
      'volume / open_interest, an open interest of 0 counts as 1',
    ),
    made('ask_perc', 'string(dec)', 'ask_perc', 'ask_side_volume / volume'),
    made('bid_perc', 'string(dec)', 'bid_perc', 'bid_side_volume / volume'),
    made('skew_perc', 'string(dec)', 'skew_perc', 'the greater of ask_perc and bid_perc'),
    made('bull_perc', 'string(dec)', 'bull_perc', 'ask_perc of a call, bid_perc of a put'),
    made('bear_perc', 'string(dec)', 'bear_perc', 'bid_perc of a call, ask_perc of a put'),
    made('iv_perc', 'string(dec)', 'iv'),
    made('return_on_capital_perc', 'string(dec)', 'roc'),
    made('oi_change_perc', 'string(dec)', 'oi_change_perc', '(open_interest − prev_oi) / prev_oi'),
    made('oi_change', 'integer', 'oi_change', 'open_interest − prev_oi'),
    made('volume_ticker_vol_ratio', 'string(dec)', 'volume_ticker_vol_ratio', 'volume / ticker_vol'),
    made('sweep_volume_ratio', 'string(dec)', 'sweep_volume_ratio', 'sweep_volume / volume'),
    made('from_low_perc', 'string(dec)', 'from_low_perc', 'close / low − 1'),
    made('from_high_perc', 'string(dec)', 'from_high_perc', 'close / high − 1'),
    made('earnings_dte', 'integer', 'earnings_dte', 'next_earnings_date − date, calendar days'),
    made(
      'days_between_expiry_and_earnings',
      'integer',
      'days_between_expiry_and_earnings',
      'expiry − next_earnings_date, calendar days',
    ),
    made('transactions', 'integer', 'trades'),
    made('bid_ask_vol', 'integer', 'bid_ask_vol', 'ask_side_volume − bid_side_volume'),
    made(
      'bull_bear_vol',
      'integer',
      'bull_bear_vol',
      'ask_side_volume − bid_side_volume of a call, the reverse of a put',
    ),
    made('contract_pricing', 'string(dec)', 'close'),
    made('earnings', 'date', 'next_earnings_date'),
    made('expires', 'date', 'expiry'),
    made('from_high', 'string(dec)', 'from_high_perc', 'close / high − 1'),
    made('from_low', 'string(dec)', 'from_low_perc', 'close / low − 1'),
    made('spread', 'string(dec)', 'spread', '(ask − bid) / mid, mid being (ask + bid) / 2'),
    made('tape_time', 'ts', 'last_fill'),
    made('ticker', 'string', 'underlying_symbol'),
    made(
      'total_multileg_volume_ratio',
      'string(dec)',
      'total_multileg_volume_ratio',
      '(multileg_volume + stock_multi_leg_volume) / volume',
    ),
  ],
}

export const screenerOptionContracts = operation({
  id: 'screener-option-contracts',
  fields,
  examples: [],
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
