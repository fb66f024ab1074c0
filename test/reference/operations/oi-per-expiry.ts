import type { Lake } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import type { Request } from '../request.ts'
import { dateOf, groups, tickerOf, totalOrNull } from '../rows.ts'

export function answer(lake: Lake, request: Request): unknown {
  const date = dateOf(lake, request, ['contract_days'])
  const contracts = lake.find('contract_days', { underlying_symbol: tickerOf(request), date })
  const expiries = [...groups(contracts, contract => String(contract.expiry)).entries()]
  return {
    data: ordered(
      expiries,
      ascending(([expiry]) => expiry),
    ).map(([expiry, listed]) => ({
      date,
      expiry,
      call_oi: totalOrNull(
        listed.filter(contract => contract.option_type === 'call'),
        'open_interest',
      ),
      put_oi: totalOrNull(
        listed.filter(contract => contract.option_type === 'put'),
        'open_interest',
      ),
    })),
  }
}
