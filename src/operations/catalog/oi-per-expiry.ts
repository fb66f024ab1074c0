import { busiestUnderlyings } from '../answering/example.ts'
import { contractsOfUnderlying } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { from, type OperationFields } from '../fields/notation.ts'

const contract = from('contract_days')
const openInterest = (name: string, side: string) =>
  contract.made(
    name,
    'integer',
    'open_interest option_type',
    `sum over the ${side} of the expiry`,
    `no ${side.slice(0, -1)} of the expiry has a known open interest`,
  )

const fields: OperationFields = {
  dating: ['contract_days'],
  parts: [
    {
      at: 'data[]',
      record: 'OiPerExpiryRow',
      fields: [
        ...contract.columns('date', 'date expiry'),
        openInterest('call_oi', 'calls'),
        openInterest('put_oi', 'puts'),
      ],
    },
  ],
  parameters: [contract.made('ticker', 'string', 'underlying_symbol')],
}

export const oiPerExpiry = operation({
  id: 'oi-per-expiry',
  fields,
  examples: [busiestUnderlyings],
  ...contractsOfUnderlying,
})
