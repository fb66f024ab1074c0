import { operation } from '../answering/operation.ts'
import { congressTrade } from '../fields/congress-trade.ts'
import { from, type OperationFields } from '../fields/notation.ts'
import { ticker } from '../parameters/market.ts'
import { limit } from '../parameters/number.ts'
import { day } from '../parameters/time.ts'

const congress = from('congress_trades')

const fields: OperationFields = {
  dating: ['congress_trades'],
  parts: [{ at: 'data[]', record: 'CongressTradeRecord', fields: congressTrade }],
  parameters: [congress.made('date', 'date', 'filed_at_date', 'filed_at_date is on or before it')],
}

export const congressLateReports = operation({
  id: 'congress-late-reports',
  fields,
  examples: [],
  parameters: {
    limit: limit(200, 100),
    date: day('Keeps trades filed on this date or before it. Default: the latest filing date in the lake.'),
    ticker: ticker('Keeps trades of this ticker.'),
  },
  plan: ({ date, ticker }, snapshot) => ({
    date: date ?? snapshot.lastDate('congress_trades'),
    reads: {
      congress_trades: {
        ...(date === null ? {} : { to: date }),
        ...(ticker === null ? {} : { keys: { ticker: [ticker] } }),
      },
    },
  }),
})
