import { oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'
import { marketDate } from '../parameters/time.ts'

export const volumeOiExpiry = operation({
  id: 'volume-oi-expiry',
  path: '/api/stock/{ticker}/option/volume-oi-expiry',
  summary: 'Option volume and open interest of an underlying by expiry',
  description:
    "One record an expiry, ascending, over all contracts that are listed on the day, traded or not. Open interest is the clearing house's figure known before the day's open; contracts without one are passed over, and `oi` is null where no contract of the expiry has one. Canceled trades are left out. A ticker without contracts on the day has no records.",
  parameters: {
    ticker: inPath(ticker('The underlying.')),
    date: marketDate,
  },
  plan: (asked, snapshot) =>
    oneDay(snapshot, 'contract_days', asked.date, { underlying_symbol: [asked.ticker] }),
})
