import type { Lake } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import type { Request } from '../request.ts'
import { dateOf, tickerOf } from '../rows.ts'
import { shownColumns } from '../shown.ts'

export function answer(lake: Lake, request: Request): unknown {
  const date = dateOf(lake, request, ['price_levels'])
  const levels = lake.find('price_levels', { ticker: tickerOf(request), date })
  return {
    date,
    data: ordered(
      levels,
      ascending(level => level.price ?? null),
    ).map(level => shownColumns(level, 'price dark_pool_volume regular_volume')),
  }
}
