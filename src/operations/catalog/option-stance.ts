import { text } from '../../engine/bind.ts'
import type { Engine, Query } from '../../engine/engine.ts'
import { readTemplate } from '../../engine/template.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { shownValues } from '../../market/enumeration.ts'
import { OptionType } from '../../market/enumerations.ts'
import { parseOptionSymbol } from '../../market/osi.ts'
import { describeStance, STANCE_NAMES, STANCES, stanceBindings } from '../analytics/option-stances.ts'
import { dateOf, oneDay } from '../answering/one-day.ts'
import { operation, type Plan, type Shaped } from '../answering/operation.ts'
import { among, from, joined, type OperationFields, without } from '../fields/notation.ts'
import { choice, inPath, required } from '../parameters/kinds.ts'
import { optionSymbol, ticker } from '../parameters/market.ts'
import { limit } from '../parameters/number.ts'
import type { Fault, Values } from '../parameters/parameter.ts'
import { marketDate } from '../parameters/time.ts'

const DISCLAIMER =
  'Scores are arithmetic on past market data by published rules. They are no forecast, no recommendation and no financial advice.'

const parameters = {
  ticker: inPath(ticker('The underlying.')),
  stance: required(
    choice({ description: 'The stance to score contracts for.', example: 'sell_premium' }, STANCE_NAMES),
  ),
  limit: limit(100, 25),
  type: choice({ description: 'Keeps contracts of this type.', example: 'Calls' }, ['Calls', 'Puts']),
  option_symbol: optionSymbol('Scores only this contract, even if the stance does not rank it.'),
  date: marketDate,
}
type Request = Values<typeof parameters>

const contextTemplate = readTemplate('option-stance-context')

const contract = from('contract_days')
const volatility = from('option_volatility_days')
const NO_VOLATILITY = 'the lake has no chain of the ticker for the day'
const NO_GREEKS = 'neither the chain nor a trade of the day has one'
/** Columns that the components are computed from. */
const SCORED = [
  'contract_days.delta contract_days.iv contract_days.dte contract_days.volume contract_days.open_interest',
  'contract_days.bid contract_days.ask contract_days.next_earnings_date contract_days.date contract_days.expiry',
  'option_volatility_days.iv_rank option_volatility_days.iv_percentile',
].join(' ')
/** Other columns that the range of a stance compares with. */
const RANGED =
  'contract_days.avg_price contract_days.strike contract_days.stock_price contract_days.option_type'
const SCORELESS = 'the contract has no IV or no delta'

const fields: OperationFields = {
  dating: ['contract_days'],
  parts: [
    {
      at: '',
      fields: [
        contract.made(
          'as_of_date',
          'date',
          'date',
          'the requested date; default: the last closed trading date',
          'none is requested and the lake has no contracts',
        ),
        ...among(STANCE_NAMES, without('request', 'stance', 'string', 'the requested stance')),
        without('request', 'ticker', 'string', 'the requested ticker, in upper case'),
        without(
          'constant',
          'disclaimer',
          'string',
          'a statement that scores describe the past and are not advice',
        ),
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
          `${NO_VOLATILITY}, or too few IVs of the last 252 sessions are known`,
        ),
        ...volatility.columns('number', 'stock_price', NO_VOLATILITY),
      ],
    },
    {
      at: 'data[]',
      record: 'ScoredContract',
      fields: [
        ...contract.columns('string', 'option_symbol'),
        ...among(shownValues(OptionType), ...contract.columns('string', 'option_type')),
        ...contract.columns('number', 'strike'),
        contract.made('expires', 'date', 'expiry'),
        ...contract.columns('integer', 'dte'),
        joined('fit_score', 'number', SCORED, '5 × the weighted mean of the components', SCORELESS),
        without('nested', 'components', 'object', 'see below', SCORELESS),
        joined(
          'explanation',
          'array of string',
          `${SCORED} ${RANGED}`,
          'a sentence per component, and one for a contract that the stance does not rank',
        ),
        without('nested', 'rank_metric', 'object', 'see below'),
        contract.made('pop', 'number', 'delta', '1 − |delta|', NO_GREEKS),
        ...contract.columns('number', 'roc', 'the contract did not trade on the day'),
        ...contract.columns('number', 'delta gamma theta vega iv', NO_GREEKS),
        ...contract.columns('number', 'premium'),
        ...contract.columns('number', 'avg_price', 'the contract did not trade on the day'),
        ...contract.columns('integer', 'volume'),
        ...contract.columns('integer', 'open_interest', NO_GREEKS),
        ...contract.columns('date', 'next_earnings_date', 'unknown'),
        contract.made(
          'earnings_before_expiry',
          'boolean',
          'next_earnings_date date expiry',
          'next_earnings_date is between date and expiry; false if unknown',
        ),
      ],
    },
    {
      at: 'data[].components',
      record: 'ScoreComponents',
      fields: [
        joined(
          'iv_regime',
          'number',
          'option_volatility_days.iv_rank option_volatility_days.iv_percentile',
          'how well the rank or percentile fits the stance, 0 to 1; 0.5 if unknown',
        ),
        contract.made('greeks_fit', 'number', 'delta', 'how well |delta| fits the stance, 0 to 1'),
        contract.made('dte_fit', 'number', 'dte', 'how well the days to expiry fit the stance, 0 to 1'),
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
          'how well the earnings date fits the stance, 0 to 1',
        ),
      ],
    },
    {
      at: 'data[].rank_metric',
      record: 'RankMetric',
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
          'an input is unknown, or the extrinsic value is not above 0.01',
        ),
      ],
    },
  ],
  parameters: [
    joined(
      'ticker',
      'string',
      'contract_days.underlying_symbol option_volatility_days.ticker',
      'the contracts and the volatility of the underlying',
    ),
    joined('date', 'date', 'contract_days.date option_volatility_days.date', 'the day of both'),
    contract.made(
      'stance',
      'string',
      'dte delta bid ask avg_price strike stock_price option_type next_earnings_date date expiry',
      'contracts in its range of dte, |delta|, price, moneyness and earnings',
    ),
    contract.made('type', 'string', 'option_type', '`Calls` or `Puts`'),
  ],
}

export const optionStance = operation({
  id: 'option-stance',
  details: STANCE_NAMES.map(name => `- ${describeStance(name)}`).join('\n'),
  fields,
  examples: [
    {
      dataset: 'contract_days',
      sql: `SELECT underlying_symbol AS ticker, stance
FROM read_parquet($files, hive_partitioning = false),
  (SELECT unnest(['sell_premium', 'sell_vega', 'directional', 'cheapies', 'leaps']) AS stance)
WHERE date = $last
GROUP BY ALL
ORDER BY sum(volume) DESC, ticker, stance DESC
LIMIT 15`,
    },
  ],
  parameters,
  check,
  plan,
  shape,
})

/** The symbol of a contract determines whether it is a call or a put. */
function check({ option_symbol, type }: Partial<Request>): Fault[] {
  if (!option_symbol || !type) return []
  const own = parseOptionSymbol(option_symbol)?.type === 'put' ? 'Puts' : 'Calls'
  return own === type
    ? []
    : [
        {
          in: 'query',
          name: 'type',
          problem: `is ${type}, but ${option_symbol} is not one of them`,
          example: `type=${own}`,
        },
      ]
}

function plan(request: Request, snapshot: Snapshot): Plan {
  const day = dateOf(snapshot, 'contract_days', request.date, 'option_volatility_days')
  const contracts = oneDay(snapshot, 'contract_days', day, {
    underlying_symbol: [request.ticker],
    ...(request.option_symbol === null ? {} : { option_symbol: [request.option_symbol] }),
  })
  return {
    ...contracts,
    reads: {
      ...contracts.reads,
      option_volatility_days:
        day === null ? null : { from: day, to: day, keys: { ticker: [request.ticker] } },
    },
    bindings: {
      ...contracts.bindings,
      ...stanceBindings(request.stance),
      option_type: text(request.type === null ? null : request.type === 'Calls' ? 'call' : 'put'),
      disclaimer: text(DISCLAIMER),
    },
  }
}

/** The object of the context, with the contracts as its last field. */
async function shape(_request: Request, query: Query, engine: Engine, signal: AbortSignal): Promise<Shaped> {
  return {
    json: async () => {
      const context = await engine.encode({ ...query, template: contextTemplate }, 'json', signal)
      const { bytes: contracts, rows } = await engine.encode(query, 'json', signal)
      const head = [context.bytes.subarray(0, -1), Buffer.from(',"data":[')]
      return { bytes: Buffer.concat([...head, contracts, Buffer.from(']}')]), rows }
    },
    rows: async () => query,
  }
}
