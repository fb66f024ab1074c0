import { operation } from '../answering/operation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

export const insiders = operation({
  id: 'insiders',
  path: '/api/insider/{ticker}',
  summary: "A company's insiders",
  description:
    'One record an insider, by name. `is_person` is false for funds, companies and the like. `logo_url` is null where none is known, `social_links` empty.',
  parameters: { ticker: inPath(ticker('The company.')) },
  plan: ({ ticker }) => ({ reads: { insiders: { keys: { ticker: [ticker] } } } }),
})
