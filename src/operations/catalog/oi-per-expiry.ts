import { oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'
import { marketDate } from '../parameters/time.ts'

export const oiPerExpiry = operation({
  id: 'oi-per-expiry',
  path: '/api/stock/{ticker}/oi-per-expiry',
  summary: 'Open interest of calls and puts of an underlying by expiry',
  description:
    "One record an expiry, ascending. Open interest is the clearing house's figure known before the day's open; contracts without one are passed over, and a side is null where none of its contracts has one, which is not the same as 0. A ticker without contracts on the day has no records.",
  parameters: {
    ticker: inPath(ticker('The underlying.')),
    date: marketDate,
  },
  plan: (asked, snapshot) =>
    oneDay(snapshot, 'contract_days', asked.date, { underlying_symbol: [asked.ticker] }),
})
