import { onLast, search } from '../answering/example.ts'
import { dateOf, oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { type Field, from, joined, type OperationFields } from '../fields/notation.ts'
import { inPath, required } from '../parameters/kinds.ts'
import { ticker } from '../parameters/market.ts'
import { day, marketDate } from '../parameters/time.ts'

const chain = from('option_chain_days')
const NOT_IMPLIED = 'it is neither in the source nor implied by the quotes'
const bothOf = (column: string) => `option_chain_days.${column} option_greek_days.${column}`
const side = (type: 'call' | 'put'): Field[] => {
  const of = `of the strike's ${type}; of several roots the standard one, then the larger open interest, then the symbol`
  const nullWhen = `the strike has no ${type}, or ${NOT_IMPLIED}`
  return [
    chain.made(
      `${type}_option_symbol`,
      'string',
      'option_symbol option_type open_interest',
      of,
      `the strike has no ${type}`,
    ),
    ...['delta', 'gamma', 'theta', 'vega', 'rho', 'charm', 'vanna'].map(greek =>
      joined(
        `${type}_${greek}`,
        'string(dec)',
        bothOf(greek),
        `of the same ${type}: the chain's, otherwise computed from the volatility`,
        nullWhen,
      ),
    ),
    joined(
      `${type}_volatility`,
      'string(dec)',
      bothOf('implied_volatility'),
      `of the same ${type}, a fraction per year: the chain's, otherwise that of the midpoint or the last trade`,
      nullWhen,
    ),
  ]
}

const fields: OperationFields = {
  dating: ['option_chain_days'],
  parts: [
    {
      at: 'data[]',
      record: 'GreeksRow',
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
  plan(values, snapshot) {
    const day = dateOf(snapshot, 'option_chain_days', values.date)
    const keys = { underlying_symbol: [values.ticker] }
    const listed = oneDay(snapshot, 'option_chain_days', day, keys)
    return {
      ...listed,
      reads: { ...listed.reads, ...oneDay(snapshot, 'option_greek_days', day, keys).reads },
    }
  },
})
