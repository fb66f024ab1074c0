import { busiestUnderlyings } from '../answering/example.ts'
import { oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { from, type OperationFields } from '../fields/notation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'
import { marketDate } from '../parameters/time.ts'

const contract = from('contract_days')
const NO_OPEN_INTEREST = 'no contract of the expiry has a known open interest'

const fields: OperationFields = {
  dating: ['contract_days'],
  parts: [
    {
      at: 'data[]',
      fields: [
        contract.made('expires', 'date', 'expiry'),
        contract.made(
          'oi',
          'integer',
          'open_interest',
          'sum over the contracts of the expiry',
          NO_OPEN_INTEREST,
        ),
        contract.made('volume', 'integer', 'volume', 'sum over the contracts of the expiry'),
      ],
    },
  ],
  parameters: [contract.made('ticker', 'string', 'underlying_symbol'), contract.made('date', 'date', 'date')],
}

export const volumeOiExpiry = operation({
  id: 'volume-oi-expiry',
  fields,
  examples: [busiestUnderlyings],
  parameters: {
    ticker: inPath(ticker('The underlying.')),
    date: marketDate,
  },
  plan: (asked, snapshot) =>
    oneDay(snapshot, 'contract_days', asked.date, { underlying_symbol: [asked.ticker] }),
})
