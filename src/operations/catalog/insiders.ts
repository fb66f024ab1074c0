import { ofTicker } from '../answering/example.ts'
import { operation } from '../answering/operation.ts'
import { from, type OperationFields } from '../fields/notation.ts'
import { inPath } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'

const insider = from('insiders')

const fields: OperationFields = {
  dating: ['insiders'],
  parts: [
    {
      at: 'data[]',
      record: 'Insider',
      fields: [
        ...insider.columns('integer', 'id'),
        ...insider.columns('string', 'cik name display_name name_slug'),
        ...insider.columns('boolean', 'is_person'),
        ...insider.columns('string(URL)', 'logo_url', 'unknown'),
        ...insider.columns('array of string(URL)', 'social_links'),
        ...insider.columns('string', 'ticker'),
      ],
    },
  ],
  parameters: [],
}

export const insiders = operation({
  id: 'insiders',
  fields,
  examples: [ofTicker('insiders', 'count(*)', 'true')],
  parameters: { ticker: inPath(ticker('The company.')) },
  plan: ({ ticker }) => ({ reads: { insiders: { keys: { ticker: [ticker] } } } }),
})
