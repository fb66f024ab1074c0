import { date } from '../../engine/bind.ts'
import { shownValues } from '../../market/enumeration.ts'
import { Sector } from '../../market/enumerations.ts'
import { ofTicker, onLast } from '../answering/example.ts'
import { newestFirst } from '../answering/newest-first.ts'
import { operation } from '../answering/operation.ts'
import { among, type Field, from, joined, type OperationFields } from '../fields/notation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

const day = from('stock_days')
const options = from('option_ticker_days')
const holding = from('etf_holdings')
const UNKNOWN = 'unknown to the lake'
const OF_OPTIONS = 'the lake has no options of the ticker for the last closed trading date'
const OF_STOCK = 'the lake has no bar of the ticker for the last closed trading date, or the bar has none'
/** Figures of the holding's stock: columns of another dataset, joined by the ticker of the holding. */
const ofStock = (name: string, column: string): Field => day.made(name, 'string(dec)', column, null, OF_STOCK)

const fields: OperationFields = {
  dating: ['etf_holdings'],
  parts: [
    {
      at: 'data[]',
      record: 'EtfHolding',
      fields: [
        ...holding.columns('string', 'ticker name'),
        ...holding.columns('string', 'short_name type', UNKNOWN),
        ...among(
          [...shownValues(Sector), ''],
          holding.made('sector', 'string', 'sector', 'empty when unknown or not applicable'),
        ),
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
      "the fund's latest list; its holdings' figures of the last closed trading date",
    ),
  ],
}

export const etfHoldings = operation({
  id: 'etf-holdings',
  fields,
  examples: [ofTicker('etf_holdings', 'count(*)', onLast('date'), 'etf')],
  parameters: { ticker: inPath(ticker('The ETF.', 'SPY')) },
  plan: ({ ticker: fund }, snapshot) => {
    const history = { keys: { etf: [fund] } }
    const day = snapshot.closedDate('stock_days', 'option_ticker_days') ?? snapshot.lastDate('etf_holdings')
    const ofDay = day === null ? null : { from: day, to: day }
    return {
      date: day,
      reads: { etf_holdings: history, stock_days: ofDay, option_ticker_days: ofDay },
      bindings: { date: date(day) },
      newest: newestFirst(snapshot, 'etf_holdings', history, 1),
    }
  },
})
