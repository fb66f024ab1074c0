import { oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { inPath } from '../parameters/kinds.ts'
import { optionSymbol } from '../parameters/market.ts'
import { marketDate } from '../parameters/time.ts'

export const contractVolumeProfile = operation({
  id: 'contract-volume-profile',
  path: '/api/option-contract/{id}/volume-profile',
  summary: 'Volume of a contract at each fill price of a day',
  description:
    'One record a fill price, ascending. A side is where the fill lies against the midpoint of the best bid and offer, as each trade is stored; sweep, floor, cross and multi-leg volumes overlap with the sides. Canceled trades are left out.',
  parameters: {
    id: inPath(optionSymbol('The contract.')),
    date: marketDate,
  },
  plan: ({ id, date }, snapshot) => oneDay(snapshot, 'option_trades', date, { option_chain_id: [id] }),
})
