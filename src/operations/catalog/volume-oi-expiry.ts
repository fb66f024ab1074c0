import { busiestUnderlyings } from '../answering/example.ts'
import { contractsOfUnderlying } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { from, type OperationFields } from '../fields/notation.ts'

const contract = from('contract_days')
const NO_OPEN_INTEREST = 'no contract of the expiry has a known open interest'

const fields: OperationFields = {
  dating: ['contract_days'],
  parts: [
    {
      at: 'data[]',
      record: 'VolumeOiExpiryRow',
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
  ...contractsOfUnderlying,
})
