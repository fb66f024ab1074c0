import { oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { inPath, required } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'
import { day, marketDate } from '../parameters/time.ts'

export const greeks = operation({
  id: 'greeks',
  path: '/api/stock/{ticker}/greeks',
  summary: 'Greeks of an expiry by strike, calls and puts side by side',
  description: [
    'One record a strike, ascending; the side that a strike does not list is null. Greeks come from the chain; those that its source lacks were computed when it was imported, by Black-Scholes without interest and dividends, the time to expiry being calendar days / 365. On the day of expiry it is what is left to 16:00 New York, or to 09:30 for contracts that settle by opening prices. A figure is null where neither the source nor the quotes give one.',
    'Units: delta in dollars a dollar of the underlying, gamma in delta a dollar of the underlying, theta in dollars and charm in delta a calendar day that passes, vega and rho in dollars and vanna in delta a point (0.01), volatility a fraction a year.',
    'Where contracts of several roots share a strike, the standard root stands for them (SPX rather than SPXW or an adjusted SPX1), then the larger open interest, then the first by its symbol.',
  ].join('\n\n'),
  parameters: {
    ticker: inPath(ticker('The underlying.')),
    expiry: required(day('The expiration day.', '2025-01-17')),
    date: marketDate,
  },
  plan: (asked, snapshot) =>
    oneDay(snapshot, 'option_chain_days', asked.date, { underlying_symbol: [asked.ticker] }),
})
