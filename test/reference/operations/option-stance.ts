import {
  absolute,
  compare,
  type Decimal,
  decimal,
  isDecimal,
  minus,
  numberOf,
  plus,
  quotient,
  rounded,
  sum,
  textOf,
  times,
} from '../decimal.ts'
import type { Lake, Row, Value } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import type { Sample } from '../readers.ts'
import { parameter, type Request, refused } from '../request.ts'
import { dateOf, someRows, contractOf as symbolOf, tickerOf } from '../rows.ts'
import { type Contract, contractOf, isQuoted, STANCES, type Stance } from '../stances.ts'

const LIMIT = 25
const DISCLAIMER =
  'Scores are arithmetic on past market data by published rules. They are no forecast, no recommendation and no financial advice.'
const WEIGHTS = {
  iv_regime: '0.25',
  greeks_fit: '0.30',
  dte_fit: '0.20',
  liquidity: '0.15',
  earnings_timing: '0.10',
}

type Components = Readonly<Record<keyof typeof WEIGHTS, Decimal>>

export function answer(lake: Lake, request: Request): unknown {
  const date = dateOf(lake, request, ['contract_days'])
  const ticker = tickerOf(request)
  const name = parameter(request, 'stance')?.toLowerCase() ?? ''
  const stance = STANCES[name] as Stance
  const [day] = lake.find('option_volatility_days', { ticker, date })
  const contracts = lake.find('contract_days', { underlying_symbol: ticker, date }).map(contractOf)
  const symbol = symbolOf(request, 'option_symbol')
  const type = parameter(request, 'type')?.toLowerCase().replace(/s$/, '') ?? null
  // The symbol of a contract says whether it is a call or a put.
  if (symbol !== null && type !== null && symbol.at(-9)?.toLowerCase() !== type[0]) return refused(422)
  const chosen = contracts.filter(contract =>
    symbol === null ? isRanked(stance, contract) : contract.row.option_symbol === symbol,
  )
  const scored = chosen
    .filter(({ row }) => type === null || row.option_type === type)
    .map(contract => scoredOf(stance, day, contract))
  const best = ordered(
    scored,
    descending(({ score }) => score),
    descending(({ contract }) => metricOf(stance, contract)),
    descending(({ contract }) => contract.row.volume ?? null),
    ascending(({ contract }) => contract.row.option_symbol ?? null),
  )
  return {
    as_of_date: date,
    stance: name,
    ticker,
    disclaimer: DISCLAIMER,
    context: {
      iv_30d: numberOrNull(day?.iv_30d),
      iv_percentile: numberOrNull(day?.iv_percentile),
      iv_rank: numberOrNull(day?.iv_rank),
      stock_price: numberOrNull(day?.stock_price),
    },
    data: best
      .slice(0, Number(parameter(request, 'limit') ?? LIMIT))
      .map(each => recordOf(stance, day, each)),
  }
}

const numberOrNull = (value: Value | undefined): number | null =>
  isDecimal(value) ? numberOf(value) : typeof value === 'number' ? value : null

const deltaOf = ({ row: { delta } }: Contract): Decimal | null => (isDecimal(delta) ? absolute(delta) : null)

function isRanked({ days, delta: range, ranks }: Stance, contract: Contract): boolean {
  const [dte, delta] = [Number(contract.row.dte), deltaOf(contract)]
  if (dte < days[0] || dte > days[1] || !ranks(contract)) return false
  if (range === null) return true
  return delta !== null && compare(delta, decimal(range[0])) >= 0 && compare(delta, decimal(range[1])) <= 0
}

function metricOf(stance: Stance, contract: Contract): Decimal | null {
  const metric = stance.value(contract)
  return metric && rounded(metric, 10)
}

interface Scored {
  readonly contract: Contract
  readonly components: Components | null
  readonly score: Decimal | null
}

function scoredOf(stance: Stance, day: Row | undefined, contract: Contract): Scored {
  const delta = deltaOf(contract)
  if (delta === null || contract.row.iv === null) return { contract, components: null, score: null }
  const dte = decimal(Number(contract.row.dte))
  const [bestDays] = stance.bestDays
  const isAsGood = stance.isLonger && compare(dte, decimal(bestDays)) > 0
  const components = {
    iv_regime: regimeOf(stance, day),
    greeks_fit: fitOf(delta, stance.bestDelta),
    dte_fit: isAsGood ? decimal(1) : fitOf(dte, stance.bestDays),
    liquidity: liquidityOf(contract.row),
    earnings_timing: decimal(contract.hasEarnings ? stance.earnings[0] : stance.earnings[1]),
  }
  const mean = sum(
    Object.entries(WEIGHTS).map(([name, weight]) =>
      times(components[name as keyof Components], decimal(weight)),
    ),
  )
  return { contract, components, score: times(mean, decimal(5)) }
}

/** Rank or percentile / 100, or 1 minus that where a low one is wanted; 0.5 where it is unknown. */
function regimeOf({ regime }: Stance, day: Row | undefined): Decimal {
  const figure = day?.[regime.figure]
  if (!isDecimal(figure)) return decimal('0.5')
  const share = times(figure, decimal('0.01'))
  return rounded(regime.isHigh ? share : minus(decimal(1), share), 4)
}

/** 1 at the best value, falling to 0 at the reach. */
function fitOf(value: Decimal, [best, reach]: readonly [string, string]): Decimal {
  const left = minus(decimal(reach), absolute(minus(value, decimal(best))))
  return left.units <= 0n ? decimal(0) : (quotient(left, decimal(reach), 4) as Decimal)
}

/** The mean of volume / 100, open interest / 1000, each at most 1, and 1 − 5 × spread / midpoint, at least 0. */
function liquidityOf(row: Row): Decimal {
  const traded = Math.min(Number(row.volume) * 10, 1000)
  const open = Math.min(Number(row.open_interest ?? 0), 1000)
  const thousandths = decimal(traded + open)
  const { bid, ask } = row
  if (!isDecimal(bid) || !isDecimal(ask) || !isQuoted(row))
    return quotient(thousandths, decimal(3000), 4) as Decimal
  // Both sides times the midpoint, so that one division remains.
  const midpoint = times(plus(bid, ask), decimal('0.5'))
  const tight = minus(midpoint, times(decimal(5), absolute(minus(ask, bid))))
  const above = plus(
    times(thousandths, midpoint),
    times(decimal(1000), tight.units > 0n ? tight : decimal(0)),
  )
  return quotient(above, times(decimal(3000), midpoint), 4) as Decimal
}

function recordOf(stance: Stance, day: Row | undefined, { contract, components, score }: Scored) {
  const { row } = contract
  const delta = deltaOf(contract)
  const metric = metricOf(stance, contract)
  const number = (name: string) => numberOrNull(row[name])
  return {
    option_symbol: row.option_symbol,
    option_type: row.option_type,
    strike: number('strike'),
    expires: row.expiry,
    dte: row.dte,
    fit_score: score && numberOf(score),
    components:
      components &&
      Object.fromEntries(Object.entries(components).map(([name, value]) => [name, numberOf(value)])),
    explanation: [
      ...(components
        ? explanationOf(stance, day, contract, components)
        : ['Not scored: its implied volatility or its delta is not known.']),
      ...(isRanked(stance, contract)
        ? []
        : ['It is outside the range of the stance, which does not rank it.']),
    ],
    rank_metric: { name: stance.metric, value: metric && numberOf(metric) },
    pop: delta && numberOf(minus(decimal(1), delta)),
    roc: number('roc'),
    delta: number('delta'),
    gamma: number('gamma'),
    theta: number('theta'),
    vega: number('vega'),
    iv: number('iv'),
    premium: number('premium'),
    avg_price: number('avg_price'),
    volume: row.volume,
    open_interest: row.open_interest,
    next_earnings_date: row.next_earnings_date,
    earnings_before_expiry: contract.hasEarnings,
  }
}

function explanationOf(
  stance: Stance,
  day: Row | undefined,
  contract: Contract,
  components: Components,
): string[] {
  const { row, hasEarnings } = contract
  const text = (name: keyof Components) => textOf(rounded(components[name], 4))
  const { figure, isHigh } = stance.regime
  const regime = day?.[figure]
  const name = figure === 'iv_rank' ? 'IV rank' : 'IV percentile'
  const wanted = isHigh ? 'the higher the better' : 'the lower the better'
  const delta = deltaOf(contract) ?? decimal(0)
  const earnings = row.next_earnings_date
  const due = hasEarnings
    ? `Earnings are due on ${earnings}, before it expires`
    : earnings === null
      ? 'No earnings date is known'
      : `The earnings date known, ${earnings}, is not before it expires`
  return [
    isDecimal(regime)
      ? `The ${name} is ${textOf(rounded(regime, 2))} of 100, ${wanted}: ${text('iv_regime')}.`
      : `The ${name} is not known and counts as middling: ${text('iv_regime')}.`,
    `The delta is ${textOf(rounded(delta, 4))} in size, ${stance.bestDelta[0]} is ideal: ${text('greeks_fit')}.`,
    `It expires in ${row.dte} days, ${stance.bestDays[0]}${stance.isLonger ? ' or more' : ''} are ideal: ${text('dte_fit')}.`,
    `The volume is ${row.volume}, the open interest ${row.open_interest ?? 'not known'} and the spread ${spreadText(row)}: ${text('liquidity')}.`,
    `${due}: ${text('earnings_timing')}.`,
  ]
}

function spreadText(row: Row): string {
  const { bid, ask } = row
  if (!isDecimal(bid) || !isDecimal(ask) || !isQuoted(row)) return 'not known'
  const percent = quotient(times(decimal(200), minus(ask, bid)), plus(bid, ask), 2) as Decimal
  return `${textOf(percent)} % of the midpoint`
}

export const samples = (lake: Lake): readonly Sample[] =>
  someRows(lake, 'contract_days').map(row => ({
    ticker: row.underlying_symbol,
    date: row.date,
    stance: Object.entries(STANCES).find(([, stance]) => isRanked(stance, contractOf(row)))?.[0],
    option_symbol: row.option_symbol,
    type: row.option_type === 'call' ? 'Calls' : 'Puts',
  }))
