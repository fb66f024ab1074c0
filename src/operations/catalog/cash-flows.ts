import { operation } from '../answering/operation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

export const cashFlows = operation({
  id: 'cash-flows',
  path: '/api/stock/{ticker}/cash-flows',
  summary: 'Cash-flow statements of a company',
  description:
    'One record a fiscal period and kind of report, the newest `fiscal_date_ending` first, the annual one before the quarterly one that ends with it. Amounts are in `reported_currency`, with the sign of the source; a line that the statement lacks is null.',
  parameters: { ticker: inPath(ticker('The company.', 'AAPL')) },
  plan: values => ({ reads: { cash_flow_statements: { keys: { ticker: [values.ticker] } } } }),
})
