import { date } from '../../engine/bind.ts'
import { nowDate } from '../answering/now.ts'
import { operation } from '../answering/operation.ts'
import { congressTrade } from '../fields/congress-trade.ts'
import { from, type OperationFields } from '../fields/notation.ts'
import { count } from '../parameters/number.ts'

const congress = from('congress_trades')

const fields: OperationFields = {
  dating: ['congress_trades'],
  parts: [{ at: 'data[]', record: 'CongressTradeRecord', fields: congressTrade }],
  parameters: [
    congress.made(
      'last_traded_within_months',
      'integer',
      'transaction_date',
      "a politician's latest transaction_date is within this number of months before now",
    ),
  ],
}

export const congressPoliticians = operation({
  id: 'congress-politicians',
  fields,
  examples: [],
  parameters: {
    last_traded_within_months: count({
      description:
        'Keeps politicians whose latest trade is at most this number of calendar months old, counted back from the latest filing date in the lake, or from today in New York if that is earlier.',
      example: '12',
      least: 1,
      most: 240,
    }),
  },
  plan: ({ last_traded_within_months }, snapshot) => ({
    reads: {},
    bindings: {
      as_of: date(last_traded_within_months === null ? null : nowDate(snapshot, 'congress_trades')),
    },
  }),
})
