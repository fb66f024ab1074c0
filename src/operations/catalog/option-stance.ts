import { text } from '../../engine/bind.ts'
import type { Engine, Query } from '../../engine/engine.ts'
import { readTemplate } from '../../engine/template.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { parseOptionSymbol } from '../../market/osi.ts'
import { STANCE_NAMES, stanceBindings, stanceSaid } from '../analytics/option-stances.ts'
import { oneDay } from '../answering/one-day.ts'
import { operation, type Plan, type Shaped } from '../answering/operation.ts'
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
    choice({ description: 'What the contracts are scored for.', example: 'sell_premium' }, STANCE_NAMES),
  ),
  limit: limit(100, 25),
  type: choice({ description: 'Only contracts of this side.', example: 'Calls' }, ['Calls', 'Puts']),
  option_symbol: optionSymbol('Scores just this contract, also where the stance does not rank it.'),
  date: marketDate,
}
type Asked = Values<typeof parameters>

const contextTemplate = readTemplate('option-stance-context')

export const optionStance = operation({
  id: 'option-stance',
  path: '/api/stock/{ticker}/option-stance',
  summary: 'Option contracts of an underlying, scored for a stance',
  description: [
    'Ranks the contracts of one day that lie in the range of a stance, by fit_score, then the figure of the stance (rank_metric), then volume, all descending, nulls last. fit_score is 5 × (0.25 iv_regime + 0.30 greeks_fit + 0.20 dte_fit + 0.15 liquidity + 0.10 earnings_timing). Each of these components is a number from 0 to 1, rounded to 4 places, and straight between the points named here.',
    'iv_regime is the IV rank or percentile of the underlying / 100 where a high one is wanted, 1 less that where a low one is, and 0.5 where it is not known. greeks_fit and dte_fit are 1 where the contract suits best and fall with the distance from there; at the ends of a range they are 0.5. liquidity is the mean of volume / 100, open interest / 1000 (each 1 at most) and 1 − 5 × spread / midpoint (0 from a spread of 20 % on, or without a quote). earnings_timing tells whether earnings are due before expiry.',
    ...STANCE_NAMES.map(stanceSaid),
    'The price of a contract is the midpoint of its last bid and offer, else the average price of the day, in dollars a unit of the underlying. Earnings are before expiry when their date lies between the date and the expiry, both included; an unknown date counts as none. pop, the probability of profit of a seller, is taken as 1 − |delta|. A contract without IV or delta has neither components nor a score.',
    '`option_symbol` scores one contract, and its explanation says when the stance does not rank it. A contract that the lake does not hold for the ticker on the day gives no record. For an unknown ticker, or a day without data, the context is null and `data` empty.',
    'As rows (CSV, NDJSON, Arrow, Parquet) an answer is its scored contracts, without the context.',
  ].join('\n\n'),
  parameters,
  check,
  plan,
  shape,
})

/** A contract is a call or a put by its symbol. */
function check({ option_symbol, type }: Asked): Fault[] {
  if (option_symbol === null || type === null) return []
  const own = parseOptionSymbol(option_symbol)?.type === 'put' ? 'Puts' : 'Calls'
  return own === type
    ? []
    : [
        {
          in: 'query',
          name: 'type',
          problem: `is ${type}, which ${option_symbol} is not of`,
          example: `type=${own}`,
        },
      ]
}

function plan(asked: Asked, snapshot: Snapshot): Plan {
  const contracts = oneDay(snapshot, 'contract_days', asked.date, {
    underlying_symbol: [asked.ticker],
    ...(asked.option_symbol === null ? {} : { option_symbol: [asked.option_symbol] }),
  })
  const day = asked.date ?? snapshot.lastDate('contract_days')
  return {
    reads: {
      ...contracts.reads,
      option_volatility_days: day === null ? null : { from: day, to: day, keys: { ticker: [asked.ticker] } },
    },
    bindings: {
      ...contracts.bindings,
      ...stanceBindings(asked.stance),
      option_type: text(asked.type === null ? null : asked.type === 'Calls' ? 'call' : 'put'),
      disclaimer: text(DISCLAIMER),
    },
  }
}

/** The one object of the context, with the contracts as its last field. */
async function shape(_asked: Asked, query: Query, engine: Engine, signal: AbortSignal): Promise<Shaped> {
  return {
    json: async () => {
      const context = await engine.encode({ ...query, template: contextTemplate }, 'json', signal)
      const contracts = await engine.encode(query, 'json', signal)
      return Buffer.concat([context.subarray(0, -1), Buffer.from(',"data":['), contracts, Buffer.from(']}')])
    },
    rows: () => query,
  }
}
