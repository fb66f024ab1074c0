import { operation } from '../answering/operation.ts'
import { ticker } from '../parameters/market.ts'
import { limit } from '../parameters/number.ts'
import { day } from '../parameters/time.ts'

export const congressLateReports = operation({
  id: 'congress-late-reports',
  path: '/api/congress/late-reports',
  summary: 'Trades that members of Congress disclosed too late',
  description:
    'Trades that were filed more than 45 days after they were made, the last filed first; those of one day in the order of their id. A trade dated after its filing is not late. `issuer`, `ticker` and `notes` are null where the filing has none.',
  parameters: {
    limit: limit(200, 100),
    date: day('Filed on this day or before it. Left out: up to the last that the lake holds.'),
    ticker: ticker('Trades of this ticker only.'),
  },
  plan: ({ date, ticker }) => ({
    reads: {
      congress_trades: {
        ...(date === null ? {} : { to: date }),
        ...(ticker === null ? {} : { keys: { ticker: [ticker] } }),
      },
    },
  }),
})
