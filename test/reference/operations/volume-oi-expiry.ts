import type { Lake } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import type { Request } from '../request.ts'
import { dateOf, groups, tickerOf, total, totalOrNull } from '../rows.ts'

export function answer(lake: Lake, request: Request): unknown {
  const date = dateOf(lake, request, ['contract_days'])
  const contracts = lake.find('contract_days', { underlying_symbol: tickerOf(request), date })
  const expiries = [...groups(contracts, contract => String(contract.expiry)).entries()]
  return {
    data: ordered(
      expiries,
      ascending(([expiry]) => expiry),
    ).map(([expires, listed]) => ({
      expires,
      oi: totalOrNull(listed, 'open_interest'),
      volume: total(listed, 'volume'),
    })),
  }
}
