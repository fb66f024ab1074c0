import { operation } from '../answering/operation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

export const insiderBuySells = operation({
  id: 'insider-buy-sells',
  path: '/api/stock/{ticker}/insider-buy-sells',
  summary: "Purchases and sales by a company's insiders, by filing date",
  description:
    'One record a filing date on which insiders reported purchases or sales on the open market (transaction codes P and S), newest first; days with other transactions alone, such as grants and exercises, have none. `purchases` and `sells` count transactions. The notionals are shares × price in dollars, that of sales 0 or negative; a transaction whose price is not stated counts as 0 in them.',
  parameters: { ticker: inPath(ticker('The company.')) },
  plan: ({ ticker }) => ({ reads: { insider_trades: { keys: { ticker: [ticker] } } } }),
})
