import type { Lake, Row } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import { parameter, type Request } from '../request.ts'
import { dateOf, groups, tickerOf } from '../rows.ts'
import { shown } from '../shown.ts'

const GREEKS = ['delta', 'gamma', 'theta', 'vega', 'rho', 'charm', 'vanna']

export function answer(lake: Lake, request: Request): unknown {
  const date = dateOf(lake, request, ['option_chain_days'])
  const ticker = tickerOf(request)
  const listed = lake.find('option_chain_days', {
    underlying_symbol: ticker,
    date,
    expiry: parameter(request, 'expiry'),
  })
  const strikes = [...groups(listed, contract => String(shown(contract.strike))).values()]
  return {
    data: ordered(
      strikes,
      ascending(([first]) => first.strike ?? null),
    ).map(contracts => {
      const sideOf = (type: string) =>
        ordered(
          contracts.filter(contract => contract.option_type === type),
          descending(contract => rootOf(contract) === ticker?.replace('.', '')),
          descending(contract => contract.open_interest ?? null),
          ascending(contract => contract.option_symbol ?? null),
        )[0]
      const [{ strike, expiry }] = contracts
      return {
        strike: shown(strike),
        date,
        expiry,
        ...fieldsOf(lake, 'call', sideOf('call')),
        ...fieldsOf(lake, 'put', sideOf('put')),
      }
    }),
  }
}

/** The option symbol without its date, type and strike. */
const rootOf = (contract: Row) => String(contract.option_symbol).slice(0, -15)

/** The figures of the chain, otherwise those that were computed. */
function fieldsOf(lake: Lake, side: string, contract: Row | undefined) {
  const [computed] = contract
    ? lake.find('option_greek_days', {
        underlying_symbol: contract.underlying_symbol ?? null,
        date: contract.date ?? null,
        option_symbol: contract.option_symbol ?? null,
      })
    : []
  const value = (column: string) => shown(contract?.[column] ?? computed?.[column] ?? null)
  return {
    [`${side}_option_symbol`]: contract?.option_symbol ?? null,
    ...Object.fromEntries(GREEKS.map(greek => [`${side}_${greek}`, value(greek)])),
    [`${side}_volatility`]: value('implied_volatility'),
  }
}
