import { shownValues } from '../../market/enumeration.ts'
import { OptionType } from '../../market/enumerations.ts'
import { STANCE_NAMES, STANCES } from '../analytics/option-stances.ts'
import { among, type Field, from, joined, type OperationFields, without } from './notation.ts'

/** Operations 5, 11, 15 and 20: the contracts of one underlying. */

const contract = from('contract_days')
const volatility = from('option_volatility_days')
const chain = from('option_chain_days')

const NO_OPEN_INTEREST = 'no contract of the expiry has a known open interest'

export const VOLUME_OI_EXPIRY: OperationFields = {
  id: 'volume-oi-expiry',
  dating: ['contract_days'],
  parts: [
    {
      at: 'data[]',
      fields: [
        contract.made('expires', 'date', 'expiry'),
        contract.made(
          'oi',
          'integer',
          'open_interest',
          'sum over the contracts of the expiry',
          NO_OPEN_INTEREST,
        ),
        contract.made('volume', 'integer', 'volume', 'sum over the contracts of the expiry'),
      ],
    },
  ],
  parameters: [contract.made('ticker', 'string', 'underlying_symbol'), contract.made('date', 'date', 'date')],
}

const openInterest = (name: string, side: string) =>
  contract.made(
    name,
    'integer',
    'open_interest option_type',
    `sum over the ${side} of the expiry`,
    `no ${side.slice(0, -1)} of the expiry has a known open interest`,
  )

export const OI_PER_EXPIRY: OperationFields = {
  id: 'oi-per-expiry',
  dating: ['contract_days'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...contract.columns('date', 'date expiry'),
        openInterest('call_oi', 'calls'),
        openInterest('put_oi', 'puts'),
      ],
    },
  ],
  parameters: [contract.made('ticker', 'string', 'underlying_symbol')],
}

/** Decisions, operation 20: greeks stored with the chain, completed when it is imported. */
const side = (type: 'call' | 'put'): Field[] => {
  const of = `of the strike's ${type}; of several roots the standard one, then the larger open interest, then the symbol`
  const nullWhen = `the strike has no ${type}, or neither its source nor its quotes give one`
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
      `of the same ${type}, a fraction a year`,
      nullWhen,
    ),
  ]
}

export const GREEKS: OperationFields = {
  id: 'greeks',
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

const NO_VOLATILITY = 'the lake has no chain of the ticker for the day'
const NO_GREEKS = 'neither the chain nor a trade of the day gives one'
const SCORELESS = 'the contract has no IV or no delta'

export const OPTION_STANCE: OperationFields = {
  id: 'option-stance',
  dating: ['contract_days'],
  parts: [
    {
      at: '',
      fields: [
        contract.made(
          'as_of_date',
          'date',
          'date',
          'the date asked for, else the last trading date',
          'none is asked for, and the lake has no contracts',
        ),
        ...among(STANCE_NAMES, without('request', 'stance', 'string', 'the stance asked for')),
        without('request', 'ticker', 'string', 'the ticker asked for, upper-case'),
        without('constant', 'disclaimer', 'string', 'that scores describe the past and are no advice'),
        without('nested', 'context', 'object', 'see below'),
      ],
    },
    {
      at: 'context',
      fields: [
        ...volatility.columns('number', 'iv_30d', NO_VOLATILITY),
        ...volatility.columns(
          'number',
          'iv_percentile iv_rank',
          `${NO_VOLATILITY}, or its IVs of the last 252 sessions do not tell`,
        ),
        ...volatility.columns('number', 'stock_price', NO_VOLATILITY),
      ],
    },
    {
      at: 'data[]',
      fields: [
        ...contract.columns('string', 'option_symbol'),
        ...among(shownValues(OptionType), ...contract.columns('string', 'option_type')),
        ...contract.columns('number', 'strike'),
        contract.made('expires', 'date', 'expiry'),
        ...contract.columns('integer', 'dte'),
        joined(
          'fit_score',
          'number',
          'contract_days.delta contract_days.iv contract_days.dte contract_days.volume contract_days.open_interest contract_days.bid contract_days.ask contract_days.next_earnings_date option_volatility_days.iv_rank option_volatility_days.iv_percentile',
          '5 × the weighted mean of the components',
          SCORELESS,
        ),
        without('nested', 'components', 'object', 'see below', SCORELESS),
        without('constant', 'explanation', 'array of string', 'a sentence for each component'),
        without('nested', 'rank_metric', 'object', 'see below'),
        contract.made('pop', 'number', 'delta', '1 − |delta|', NO_GREEKS),
        ...contract.columns('number', 'roc', 'the contract did not trade on the day'),
        ...contract.columns('number', 'delta gamma theta vega iv', NO_GREEKS),
        ...contract.columns('number', 'premium'),
        ...contract.columns('number', 'avg_price', 'the contract did not trade on the day'),
        ...contract.columns('integer', 'volume'),
        ...contract.columns('integer', 'open_interest', NO_GREEKS),
        ...contract.columns('date', 'next_earnings_date', 'none is known'),
        contract.made(
          'earnings_before_expiry',
          'boolean',
          'next_earnings_date date expiry',
          'next_earnings_date lies between date and expiry; false when none is known',
        ),
      ],
    },
    {
      at: 'data[].components',
      fields: [
        joined(
          'iv_regime',
          'number',
          'option_volatility_days.iv_rank option_volatility_days.iv_percentile',
          'how well the rank or percentile suits the stance, 0 to 1; 0.5 where it is not known',
        ),
        contract.made('greeks_fit', 'number', 'delta', 'how well |delta| suits the stance, 0 to 1'),
        contract.made('dte_fit', 'number', 'dte', 'how well the days to expiry suit the stance, 0 to 1'),
        contract.made(
          'liquidity',
          'number',
          'volume open_interest bid ask',
          'volume, open interest and spread, 0 to 1',
        ),
        contract.made(
          'earnings_timing',
          'number',
          'next_earnings_date date expiry',
          'how well the earnings date suits the stance, 0 to 1',
        ),
      ],
    },
    {
      at: 'data[].rank_metric',
      fields: [
        ...among(
          STANCE_NAMES.map(name => STANCES[name].metric),
          without('constant', 'name', 'string', "the stance's figure"),
        ),
        contract.made(
          'value',
          'number',
          'roc vega iv delta gamma dte bid ask avg_price strike stock_price option_type',
          'sell_premium: roc; sell_vega: vega × iv; directional: |delta| per dollar; leaps: dte per dollar of extrinsic value; cheapies: gamma per dollar',
          'a figure that it needs is not known, or extrinsic value is not above 0.01',
        ),
      ],
    },
  ],
  parameters: [contract.made('type', 'string', 'option_type', '`Calls` or `Puts`')],
}
