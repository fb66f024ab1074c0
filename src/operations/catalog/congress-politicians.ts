import { date } from '../../engine/bind.ts'
import { nowDate } from '../answering/now.ts'
import { operation } from '../answering/operation.ts'
import { count } from '../parameters/number.ts'

export const congressPoliticians = operation({
  id: 'congress-politicians',
  path: '/api/congress/politicians',
  summary: 'Politicians, each with the latest trade that they disclosed',
  description:
    'One record a politician: the trade of the latest `transaction_date`, of several on that day the one filed last, then by ticker. Newest trade first, then by name. `issuer`, `ticker` and `notes` are null where the filing has none. Dates are as filed, a trade dated after its filing included.',
  parameters: {
    last_traded_within_months: count({
      description:
        'Only politicians whose latest trade is at most so many calendar months old, counted back from the last filing date that the lake holds, or today in New York if that is earlier.',
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
