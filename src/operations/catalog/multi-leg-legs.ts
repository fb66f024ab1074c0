import { shownValues } from '../../market/enumeration.ts'
import { OptionType } from '../../market/enumerations.ts'
import { LEG_SIDES } from '../../market/vocabulary.ts'
import { onLast, search } from '../answering/example.ts'
import { operation } from '../answering/operation.ts'
import { among, from, type OperationFields } from '../fields/notation.ts'
import { inPath } from '../parameters/kinds.ts'
import { uuid } from '../parameters/market.ts'

const leg = from('multi_leg_legs')
const UNKNOWN = 'unknown to the lake'
const SOURCELESS = 'the source has none'

const fields: OperationFields = {
  dating: ['multi_leg_legs'],
  parts: [
    {
      at: 'data[]',
      record: 'MultiLegLeg',
      fields: [
        ...leg.columns('string', 'option_symbol'),
        ...leg.columns('integer', 'option_symbol_id', SOURCELESS),
        ...among(shownValues(OptionType), leg.made('type', 'string', 'option_type')),
        ...leg.columns('string(dec)', 'strike'),
        ...leg.columns('date', 'expiry'),
        ...among(LEG_SIDES, ...leg.columns('string', 'side', 'the sides are equal')),
        ...leg.columns('integer', 'size'),
        ...leg.columns('string(dec)', 'price premium'),
        ...leg.columns('string(dec)', 'delta theta', "none of the leg's trades has one"),
        ...leg.columns('string(dec)', 'nbbo_bid nbbo_ask', "none of the leg's trades had a valid quote"),
        ...leg.columns('integer', 'open_interest', UNKNOWN),
        ...leg.columns('integer', 'volume'),
      ],
    },
  ],
  parameters: [leg.made('id', 'string(UUID)', 'multi_leg_id')],
}

export const multiLegLegs = operation({
  id: 'multi-leg-legs',
  fields,
  examples: [
    search(
      'multi_leg_legs',
      'multi_leg_id AS id',
      `${onLast('date')} GROUP BY id ORDER BY count(*) DESC, id LIMIT 5`,
    ),
  ],
  parameters: {
    id: inPath(uuid('The id of the multi-leg order in the trades feed.')),
  },
  plan: ({ id }) => ({ reads: { multi_leg_legs: { keys: { multi_leg_id: [id] } } } }),
})
