import { REPORT_TYPES } from '../../market/vocabulary.ts'
import { among, type Field, from, joined, type OperationFields, without } from './notation.ts'

/** Operations 8, 10, 17, 25 and 26: stocks, funds and companies. */

const day = from('stock_days')
const options = from('option_ticker_days')
const level = from('price_levels')
const etf = from('etfs')
const holding = from('etf_holdings')
const cashFlow = from('cash_flow_statements')

const NO_DATA = 'no symbol has data in the window'
const UNKNOWN = 'the lake does not know it'

export const ANALYTICS_WINDOW: OperationFields = {
  id: 'analytics-window',
  dating: ['stock_days', 'stock_bars'],
  parts: [
    {
      at: 'data',
      fields: [
        without('nested', 'meta', 'object', 'see below', NO_DATA),
        without('nested', 'payload', 'object', 'see below', NO_DATA),
      ],
    },
    {
      at: 'data.meta',
      fields: [
        without('request', 'symbols', 'string', 'the symbols asked for, comma-joined'),
        joined(
          'min_dt',
          'string',
          'stock_days.date stock_bars.start',
          'first data point used: a day, or an instant',
        ),
        joined(
          'max_dt',
          'string',
          'stock_days.date stock_bars.start',
          'last data point used: a day, or an instant',
        ),
        without('request', 'ohlc', 'string', 'the price asked for, else `Close`'),
        without('request', 'interval', 'string', 'the interval asked for, else `DAILY`'),
      ],
    },
    {
      at: 'data.payload',
      fields: [
        joined(
          'RETURNS_CALCULATIONS',
          'object',
          'stock_days.adjusted_close stock_days.open stock_days.high stock_days.low stock_days.close stock_bars.open stock_bars.high stock_bars.low stock_bars.close',
          'each calculation on the chosen price, adjusted by the factor of its day where there is one; intraday on minute bars',
        ),
      ],
    },
  ],
  parameters: [
    joined(
      'range',
      'string',
      'stock_days.date stock_bars.date stock_bars.start',
      'the days or instants of the window',
    ),
  ],
}

const OF_OPTIONS = 'the lake has no options of the ticker for the last trading date'
const OF_STOCK = 'the lake has no bar of the ticker for the last trading date, or the bar has none'

export const ETF_INFO: OperationFields = {
  id: 'etf-info',
  dating: ['stock_days'],
  parts: [
    {
      at: 'data',
      fields: [
        ...etf.columns('string', 'name'),
        ...etf.columns('string', 'etf_company domicile description', UNKNOWN),
        ...etf.columns('string(URL)', 'website', UNKNOWN),
        ...etf.columns('date', 'inception_date', UNKNOWN),
        ...etf.columns('string(dec)', 'expense_ratio', UNKNOWN),
        ...etf.columns('integer', 'holdings_count', UNKNOWN),
        ...etf.columns('string(dec)', 'aum', UNKNOWN),
        ...etf.columns('boolean', 'has_options', UNKNOWN),
        ...day.columns('string(dec)', 'avg30_volume', OF_STOCK),
        day.made('stock_vol', 'integer', 'volume', null, OF_STOCK),
        options.made('opt_vol', 'integer', 'volume', null, OF_OPTIONS),
        options.made('call_vol', 'integer', 'call_volume', null, OF_OPTIONS),
        options.made('put_vol', 'integer', 'put_volume', null, OF_OPTIONS),
      ],
    },
  ],
  parameters: [
    joined(
      'ticker',
      'string',
      'etfs.ticker etfs.date',
      "the fund's latest row not after the last trading date",
    ),
  ],
}

export const DARKPOOL_PRICE_LEVELS: OperationFields = {
  id: 'darkpool-price-levels',
  dating: ['price_levels'],
  parts: [
    {
      at: '',
      fields: [
        level.made(
          'date',
          'date',
          'date',
          'the date asked for, else the last trading date',
          'none is asked for, and the lake holds no trading date',
        ),
      ],
    },
    {
      at: 'data[]',
      fields: [
        ...level.columns('string(dec)', 'price'),
        ...level.columns('integer', 'dark_pool_volume regular_volume'),
      ],
    },
  ],
  parameters: [level.made('ticker', 'string', 'ticker')],
}

/** Figures of a holding's own stock and options: the columns of another dataset, joined by the holding's ticker. */
const ofStock = (name: string, column: string): Field => day.made(name, 'string(dec)', column, null, OF_STOCK)

export const ETF_HOLDINGS: OperationFields = {
  id: 'etf-holdings',
  dating: ['etf_holdings'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...holding.columns('string', 'ticker name'),
        ...holding.columns('string', 'short_name type', UNKNOWN),
        holding.made('sector', 'string', 'sector', 'empty when unknown or not applicable'),
        ...holding.columns('boolean', 'has_options', UNKNOWN),
        ...holding.columns('string(dec)', 'weight'),
        holding.made('shares', 'integer', 'shares', 'rounded to whole units'),
        ...day.columns('string(dec)', 'open high low close', OF_STOCK),
        ofStock('prev_price', 'previous_close'),
        ...day.columns('integer', 'volume', OF_STOCK),
        ...day.columns('string(dec)', 'avg30_volume week52_high week52_low', OF_STOCK),
        ofStock('week_52_high', 'week52_high'),
        ofStock('week_52_low', 'week52_low'),
        ...options.columns('integer', 'call_volume put_volume', OF_OPTIONS),
        ...options.columns(
          'string(dec)',
          'call_premium put_premium bullish_premium bearish_premium',
          OF_OPTIONS,
        ),
      ],
    },
  ],
  parameters: [
    joined(
      'ticker',
      'string',
      'etf_holdings.etf etf_holdings.date stock_days.ticker stock_days.date option_ticker_days.ticker option_ticker_days.date',
      "the fund's latest list; its holdings' figures of the last trading date",
    ),
  ],
}

export const CASH_FLOWS: OperationFields = {
  id: 'cash-flows',
  dating: ['cash_flow_statements'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...cashFlow.columns('date', 'fiscal_date_ending'),
        ...cashFlow.columns('ts', 'inserted_at'),
        ...cashFlow.columns(
          'string(dec)',
          [
            'net_income operating_cashflow cashflow_from_financing cashflow_from_investment capital_expenditures',
            'change_in_cash_and_cash_equivalents change_in_exchange_rate change_in_inventory',
            'change_in_operating_assets change_in_operating_liabilities change_in_receivables',
            'depreciation_depletion_and_amortization',
            'dividend_payout dividend_payout_common_stock dividend_payout_preferred_stock',
            'payments_for_operating_activities payments_for_repurchase_of_common_stock',
            'payments_for_repurchase_of_equity payments_for_repurchase_of_preferred_stock',
            'proceeds_from_issuance_of_common_stock proceeds_from_issuance_of_long_term_debt',
            'proceeds_from_issuance_of_preferred_stock proceeds_from_operating_activities',
            'proceeds_from_repurchase_of_equity stock_based_compensation',
          ].join(' '),
          'the statement has no such line',
        ),
        ...cashFlow.columns('string', 'ticker'),
        ...among(REPORT_TYPES, ...cashFlow.columns('string', 'report_type')),
        ...cashFlow.columns('string', 'reported_currency'),
        ...cashFlow.columns(
          'string(dec)',
          'profit_loss proceeds_from_repayments_of_short_term_debt proceeds_from_sale_of_treasury_stock',
          'the statement has no such line',
        ),
        ...cashFlow.columns('ts', 'updated_at'),
      ],
    },
  ],
  parameters: [],
}
