import { onLast, search } from '../answering/example.ts'
import { oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { type Field, from, type OperationFields } from '../fields/notation.ts'
import { inPath, required } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'
import { day, marketDate } from '../parameters/time.ts'

const chain = from('option_chain_days')
const side = (type: 'call' | 'put'): Field[] => {
  const of = `of the strike's ${type}; of several roots the standard one, then the larger open interest, then the symbol`
  const nullWhen = `the strike has no ${type}, or it is neither in the source nor implied by the quotes`
  return [
    chain.made(
      `${type}_option_symbol`,
      'string',
      'option_symbol option_type open_interest',
      of,
      `the strike has no ${type}`,
    ),
    ...['delta', 'gamma', 'theta', 'vega', 'rho', 'charm', 'vanna'].map(greek =>
      chain.made(`${type}_${greek}`, 'string(dec)', greek, `of the same ${type}`, nullWhen),
    ),
    chain.made(
      `${type}_volatility`,
      'string(dec)',
      'implied_volatility',
      `of the same ${type}, a fraction per year`,
      nullWhen,
    ),
  ]
}

const fields: OperationFields = {
  dating: ['option_chain_days'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...chain.columns('string(dec)', 'strike'),
        ...chain.columns('date', 'date expiry'),
        ...side('call'),
        ...side('put'),
      ],
    },
  ],
  parameters: [chain.made('ticker', 'string', 'underlying_symbol')],
}

export const greeks = operation({
  id: 'greeks',
  fields,
  examples: [
    search(
      'option_chain_days',
      'underlying_symbol AS ticker, expiry',
      `${onLast('date')} AND expiry > $last GROUP BY ALL ORDER BY count(*) DESC, ticker, expiry LIMIT 5`,
    ),
  ],
  parameters: {
    ticker: inPath(ticker('The underlying.')),
    expiry: required(day('The expiration day.', '2025-01-17')),
    date: marketDate,
  },
  plan: (values, snapshot) =>
    oneDay(snapshot, 'option_chain_days', values.date, { underlying_symbol: [values.ticker] }),
})
