import type { Lake } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import { parameter, type Request } from '../request.ts'
import { shownColumns } from '../shown.ts'

export function answer(lake: Lake, request: Request): unknown {
  const legs = lake.find('multi_leg_legs', { multi_leg_id: parameter(request, 'id')?.toLowerCase() ?? null })
  const keys = ['expiry', 'strike', 'option_type', 'option_symbol'].map(name =>
    ascending(leg => leg[name] ?? null),
  )
  return {
    data: ordered(legs, ...keys).map(leg => ({
      ...shownColumns(leg, 'option_symbol option_symbol_id'),
      type: leg.option_type,
      ...shownColumns(
        leg,
        'strike expiry side size price premium delta theta nbbo_bid nbbo_ask open_interest volume',
      ),
    })),
  }
}
