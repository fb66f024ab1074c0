import { date, text, texts } from '../../engine/bind.ts'
import { shownValues } from '../../market/enumeration.ts'
import { OptionType, Sector } from '../../market/enumerations.ts'
import { SECURITY_TYPES } from '../../market/vocabulary.ts'
import { largestInstitutions } from '../answering/example.ts'
import {
  cikIn,
  institutionName,
  institutionNameLookup,
  readsOf,
  settleName,
} from '../answering/institution-name.ts'
import { operation } from '../answering/operation.ts'
import { among, from, type OperationFields } from '../fields/notation.ts'
import { freeText } from '../parameters/kinds.ts'
import { listWithKnown } from '../parameters/list.ts'
import { tickerBindings, tickerFilter, tickerKeys } from '../parameters/market.ts'
import { limit, page } from '../parameters/number.ts'
import { ordering, orderOf } from '../parameters/order.ts'
import { day } from '../parameters/time.ts'

const SORTS = {
  date: 'date',
  ticker: 'ticker',
  security_type: 'security_type',
  put_call: 'put_call',
  first_buy: 'first_buy',
  price_first_buy: 'price_first_buy',
  units: 'units',
  units_change: 'units_change',
  historical_units: 'historical_units',
  value: 'value',
  avg_price: 'avg_price',
  close: 'close',
  shares_outstanding: 'shares_outstanding',
}

const position = from('institution_positions')
const UNKNOWN = 'unknown to the lake'
const PRICELESS = 'the lake has no price of the ticker'

const fields: OperationFields = {
  dating: ['institution_positions'],
  parts: [
    {
      at: 'data[]',
      record: 'InstitutionHolding',
      fields: [
        ...position.columns('string', 'ticker'),
        ...position.columns('string', 'full_name', UNKNOWN),
        ...among(shownValues(Sector), ...position.columns('string', 'sector', UNKNOWN)),
        ...among(SECURITY_TYPES, ...position.columns('string', 'security_type')),
        ...among(
          shownValues(OptionType),
          position.made('put_call', 'string', 'put_call', 'null if empty', 'the position is not in options'),
        ),
        position.made('date', 'date', 'report_date'),
        ...position.columns('date', 'first_buy'),
        ...position.columns('string(dec)', 'price_first_buy', PRICELESS),
        position.made(
          'units',
          'integer',
          'units',
          'without positions of 0 units, which were closed since the previous report',
        ),
        ...position.columns('integer', 'units_change'),
        ...position.columns('array of integer', 'historical_units'),
        position.made('value', 'integer', 'value', 'rounded to the dollar, half to even'),
        ...position.columns('string(dec)', 'avg_price close', PRICELESS),
        ...position.columns('string(dec)', 'shares_outstanding', UNKNOWN),
        ...position.columns(
          'number',
          'perc_of_share_value',
          'the position is not in shares, or all shares have no value',
        ),
        ...position.columns(
          'number',
          'perc_of_total',
          'the position is not in shares, or the shares outstanding are not known',
        ),
      ],
    },
  ],
  parameters: [
    institutionNameLookup,
    position.made('ticker_symbol', 'string', 'ticker'),
    position.made('start_date', 'date', 'report_date', 'report_date is on or after it'),
    position.made('end_date', 'date', 'report_date', 'report_date is on or before it'),
    position.made('security_types', 'array of string', 'security_type', 'one of the values'),
  ],
}

export const institutionHoldings = operation({
  id: 'institution-holdings',
  fields,
  examples: [largestInstitutions],
  parameters: {
    name: institutionName,
    ticker_symbol: tickerFilter('Tickers to keep.'),
    date: day(
      'The response has the latest report that was filed on or before this date. Default: the latest report in the lake. Ignored with `start_date` or `end_date`.',
    ),
    start_date: day('First report date, inclusive.', '2024-01-01'),
    end_date: day('Last report date, inclusive.'),
    security_types: listWithKnown(
      freeText({ description: 'Security types to keep, in any case.', example: 'Share', charactersMax: 50 }),
      SECURITY_TYPES,
      types => texts(types.map(type => type.toLowerCase())),
    ),
    limit: limit(500, 500),
    page: page(),
    ...ordering(SORTS, 'value'),
  },
  settle: settleName,
  plan: values => {
    const { name, ticker_symbol: tickers, start_date: from, end_date: to } = values
    const isRange = from !== null || to !== null
    return {
      date: isRange ? null : values.date,
      // The latest report is found among all tickers; only a range can be pruned by ticker.
      reads: readsOf(
        name,
        isRange ? { ...(from && { from }), ...(to && { to }), ...tickerKeys('ticker', tickers) } : {},
      ),
      bindings: {
        cik: text(cikIn(name)),
        date: date(isRange ? null : values.date),
        ...tickerBindings(tickers),
      },
      order: orderOf(SORTS, values),
    }
  },
})
