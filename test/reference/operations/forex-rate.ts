import { column } from '../column.ts'
import { type Decimal, decimal, numberOf, times } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import { descending, ordered } from '../order.ts'
import type { Sample } from '../readers.ts'
import { parameter, type Request, refused } from '../request.ts'
import { timeText } from '../time.ts'

/** A rate as a fraction, so that an inverse is exact. */
interface Fraction {
  readonly above: Decimal
  readonly below: Decimal
}

interface Quote {
  readonly rate: Fraction
  readonly bid: Fraction | null
  readonly ask: Fraction | null
  readonly time: bigint
}

const ONE = decimal(1)

/** All pairs of currencies. */
export function samples(lake: Lake): Sample[] {
  const currencies = [...new Set(lake.rows('fx_quotes').flatMap(({ base, quote }) => [base, quote]))]
  return currencies.flatMap(from => currencies.map(to => ({ from, to })))
}

export function answer(lake: Lake, request: Request): unknown {
  const from = parameter(request, 'from')?.toUpperCase() ?? ''
  const to = parameter(request, 'to')?.toUpperCase() ?? ''
  const quote = from === to ? itself(lake, from) : rateOf(lake, from, to)
  if (quote === null) return refused(422)
  return {
    data: {
      from,
      to,
      rate: number(quote.rate),
      bid: quote.bid && number(quote.bid),
      ask: quote.ask && number(quote.ask),
      last_refreshed: timeText(quote.time).slice(0, 19).replace('T', ' '),
      time_zone: 'UTC',
    },
  }
}

const rateOf = (lake: Lake, from: string, to: string): Quote | null =>
  leg(lake, from, to) ?? crossed(lake, from, 'USD', to) ?? crossed(lake, from, 'EUR', to)

function crossed(lake: Lake, from: string, through: string, to: string): Quote | null {
  const [first, second] = [leg(lake, from, through), leg(lake, through, to)]
  if (first === null || second === null) return null
  return {
    rate: product(first.rate, second.rate),
    bid: first.bid && second.bid && product(first.bid, second.bid),
    ask: first.ask && second.ask && product(first.ask, second.ask),
    time: first.time < second.time ? first.time : second.time,
  }
}

/** The latest quote of a pair, else of the inverse pair. */
function leg(lake: Lake, from: string, to: string): Quote | null {
  const direct = stored(lake, from, to)
  if (direct !== null) return direct
  const inverse = stored(lake, to, from)
  return (
    inverse && {
      rate: inverted(inverse.rate),
      bid: inverse.ask && inverted(inverse.ask),
      ask: inverse.bid && inverted(inverse.bid),
      time: inverse.time,
    }
  )
}

function stored(lake: Lake, base: string, quote: string): Quote | null {
  const [row] = ordered(lake.find('fx_quotes', { base, quote }), descending(column('time')))
  if (row === undefined) return null
  const fraction = (value: Decimal | null): Fraction | null => value && { above: value, below: ONE }
  return {
    rate: { above: row.rate as Decimal, below: ONE },
    bid: fraction(row.bid as Decimal | null),
    ask: fraction(row.ask as Decimal | null),
    time: row.time as bigint,
  }
}

/** A currency in itself is 1, as of its latest quote. */
function itself(lake: Lake, currency: string): Quote | null {
  const times = lake
    .rows('fx_quotes')
    .filter(row => row.base === currency || row.quote === currency)
    .map(row => row.time as bigint)
  const one = { above: ONE, below: ONE }
  return times.length === 0
    ? null
    : { rate: one, bid: one, ask: one, time: times.reduce((left, right) => (left > right ? left : right)) }
}

const inverted = ({ above, below }: Fraction): Fraction => ({ above: below, below: above })

const product = (one: Fraction, other: Fraction): Fraction => ({
  above: times(one.above, other.above),
  below: times(one.below, other.below),
})

/** The quotient of the doubles nearest to both. */
const number = ({ above, below }: Fraction): number => numberOf(above) / numberOf(below)
