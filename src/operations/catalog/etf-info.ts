import { date } from '../../engine/bind.ts'
import { heldValue, ofTicker, onLast, otherThan } from '../answering/example.ts'
import { unknownBecause } from '../answering/lacking.ts'
import { operation } from '../answering/operation.ts'
import { InvalidRequest } from '../answering/validate.ts'
import { from, joined, type OperationFields } from '../fields/notation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

const day = from('stock_days')
const options = from('option_ticker_days')
const etf = from('etfs')
const UNKNOWN = 'unknown to the lake'
const OF_OPTIONS = 'the lake has no options of the ticker for the last closed trading date'
const OF_STOCK = 'the lake has no bar of the ticker for the last closed trading date, or the bar has none'

const fields: OperationFields = {
  dating: ['stock_days'],
  parts: [
    {
      at: 'data',
      record: 'EtfInfo',
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
      'etfs.ticker etfs.date stock_days.ticker stock_days.date option_ticker_days.ticker option_ticker_days.date',
      "the fund's latest row on or before the last closed trading date; if there is none, its first row; its figures of that date",
    ),
  ],
}

export const etfInfo = operation({
  id: 'etf-info',
  fields,
  examples: [ofTicker('etf_holdings', 'count(*)', onLast('date'), 'etf')],
  parameters: { ticker: inPath(ticker('The ETF.', 'SPY')) },
  plan: ({ ticker: fund }, snapshot) => {
    // A lake without stocks also answers.
    const day = snapshot.closedDate('stock_days', 'option_ticker_days') ?? snapshot.lastDate('etfs')
    const keys = { ticker: [fund] }
    const ofDay = day === null ? null : { from: day, to: day, keys }
    return {
      date: day,
      reads: {
        etfs: day === null ? null : { keys },
        stock_days: ofDay,
        option_ticker_days: ofDay,
      },
      bindings: { date: date(day) },
    }
  },
  missing: ({ ticker: fund }, snapshot) =>
    new InvalidRequest([
      {
        in: 'path',
        name: 'ticker',
        problem: `is ${fund}, ${unknownBecause(snapshot, 'etfs', 'which is not an ETF in the lake')}`,
        example: `ticker=${otherThan(fund, heldValue(snapshot, 'etfs', 'ticker'), 'SPY', 'QQQ')}`,
      },
    ]),
})
