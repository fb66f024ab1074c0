import { ofTicker, onLast } from '../answering/example.ts'
import { operation } from '../answering/operation.ts'
import { from, type OperationFields } from '../fields/notation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

const insiderTrade = from('insider_trades')
const transactions = (name: string, code: string) =>
  insiderTrade.made(name, 'integer', 'transaction_code', `number of transactions of code ${code}`)
const notional = (name: string, code: string, sign: string) =>
  insiderTrade.made(
    name,
    'string(dec)',
    'shares price transaction_code',
    `${sign}Σ shares × price over transactions of code ${code}, a missing price counts as 0`,
  )

const fields: OperationFields = {
  dating: ['insider_trades'],
  parts: [
    {
      at: 'data[]',
      record: 'InsiderBuySellDay',
      fields: [
        ...insiderTrade.columns('date', 'filing_date'),
        transactions('purchases', 'P'),
        notional('purchases_notional', 'P', ''),
        transactions('sells', 'S'),
        notional('sells_notional', 'S', '−'),
      ],
    },
  ],
  parameters: [insiderTrade.made('ticker', 'string', 'ticker')],
}

export const insiderBuySells = operation({
  id: 'insider-buy-sells',
  fields,
  examples: [
    // The operation only counts purchases and sales.
    ofTicker('insider_trades', 'count(*)', `transaction_code IN ('P', 'S') AND ${onLast('filing_date')}`),
    { ...ofTicker('insider_trades', 'max(filing_date)', `transaction_code IN ('P', 'S')`), everywhere: true },
  ],
  parameters: { ticker: inPath(ticker('The company.')) },
  plan: ({ ticker }) => ({ reads: { insider_trades: { keys: { ticker: [ticker] } } } }),
})
