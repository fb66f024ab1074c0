import { operation } from '../answering/operation.ts'
import { inPath } from '../parameters/kinds.ts'
import { uuid } from '../parameters/market.ts'

export const multiLegLegs = operation({
  id: 'multi-leg-legs',
  path: '/api/option-trades/multi-leg/{id}/legs',
  summary: 'The legs of one multi-leg order',
  description:
    "One record a contract of the order, by expiry, strike, type (calls first) and symbol, all ascending; an unknown order has none. A leg adds up all of the order's executions of its contract, canceled ones left out. Price, delta, theta and the quote are weighted by size, over the executions that have the value. `side` is the aggressor of the greater part of the leg, `volume` the contract's volume of the day up to and with the leg's last execution.",
  parameters: {
    id: inPath(uuid('The multi-leg order, as the trades feed names it.')),
  },
  plan: ({ id }) => ({ reads: { multi_leg_legs: { keys: { multi_leg_id: [id] } } } }),
})
