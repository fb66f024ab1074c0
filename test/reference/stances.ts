import {
  absolute,
  compare,
  type Decimal,
  decimal,
  isDecimal,
  minus,
  plus,
  quotient,
  times,
} from './decimal.ts'
import type { Row } from './lake.ts'
import { moneyness } from './shares.ts'

/** The stances of option-stance, as docs/operations.md describes them. */
export interface Stance {
  /** Days to expiry that are ranked. */
  readonly days: readonly [least: number, most: number]
  /** |delta| that is ranked; null for any. */
  readonly delta: readonly [least: string, most: string] | null
  /** What else is ranked. */
  readonly ranks: (contract: Contract) => boolean
  readonly regime: { readonly figure: 'iv_rank' | 'iv_percentile'; readonly isHigh: boolean }
  /** The best |delta|, and the distance at which it does not fit at all. */
  readonly bestDelta: readonly [best: string, reach: string]
  /** The best days to expiry, and that distance. */
  readonly bestDays: readonly [best: string, reach: string]
  /** More days than the best are as good. */
  readonly isLonger: boolean
  /** earnings_timing with earnings before expiry, and without. */
  readonly earnings: readonly [before: string, without: string]
  readonly metric: string
  readonly value: (contract: Contract) => Decimal | null
}

/** A contract, with the figures that stances use. */
export interface Contract {
  readonly row: Row
  /** The midpoint, else the average price. */
  readonly price: Decimal | null
  /** Price less intrinsic value. */
  readonly extrinsic: Decimal | null
  readonly hasEarnings: boolean
  /** Positive is out of the money. */
  readonly moneyness: Decimal | null
}

export const isQuoted = ({ bid, ask }: Row): boolean =>
  isDecimal(bid) && isDecimal(ask) && compare(plus(bid, ask), decimal(0)) > 0

const half = (value: Decimal) => times(value, decimal('0.5'))

export function contractOf(row: Row): Contract {
  const { bid, ask, avg_price: average, strike, stock_price: stock, option_type: type } = row
  const { next_earnings_date: earnings } = row
  const isBoth = isDecimal(bid) && isDecimal(ask) && isQuoted(row)
  const price = isBoth ? half(plus(bid, ask)) : isDecimal(average) ? average : null
  const outside = isDecimal(strike) && isDecimal(stock) ? minus(strike, stock) : null
  const inside = outside && (type === 'call' ? times(outside, decimal(-1)) : outside)
  const intrinsic = inside && (inside.units > 0n ? inside : decimal(0))
  return {
    row,
    price,
    extrinsic: price && intrinsic && minus(price, intrinsic),
    hasEarnings:
      typeof earnings === 'string' && earnings >= String(row.date) && earnings <= String(row.expiry),
    moneyness: moneyness(type, strike, stock),
  }
}

const per = (value: unknown, divisor: Decimal | null): Decimal | null =>
  isDecimal(value) && divisor ? quotient(absolute(value), divisor) : null

const EXTRINSIC_LEAST = decimal('0.01')
const hasExtrinsic = ({ extrinsic }: Contract) =>
  extrinsic !== null && compare(extrinsic, EXTRINSIC_LEAST) > 0

export const STANCES: Readonly<Record<string, Stance>> = {
  sell_premium: {
    days: [20, 60],
    delta: ['0.15', '0.35'],
    ranks: ({ hasEarnings }) => !hasEarnings,
    regime: { figure: 'iv_rank', isHigh: true },
    bestDelta: ['0.25', '0.2'],
    bestDays: ['40', '40'],
    isLonger: false,
    earnings: ['0', '1'],
    metric: 'roc',
    value: ({ row }) => (isDecimal(row.roc) ? row.roc : null),
  },
  sell_vega: {
    days: [45, 180],
    delta: null,
    ranks: () => true,
    regime: { figure: 'iv_percentile', isHigh: true },
    bestDelta: ['0.5', '0.5'],
    bestDays: ['112.5', '135'],
    isLonger: false,
    earnings: ['0.5', '1'],
    metric: 'vega_iv',
    value: ({ row: { vega, iv } }) => (isDecimal(vega) && isDecimal(iv) ? times(vega, iv) : null),
  },
  directional: {
    days: [14, 90],
    delta: ['0.35', '0.65'],
    ranks: () => true,
    regime: { figure: 'iv_rank', isHigh: false },
    bestDelta: ['0.5', '0.3'],
    bestDays: ['52', '76'],
    isLonger: false,
    earnings: ['0.5', '1'],
    metric: 'delta_per_dollar',
    value: ({ row, price }) => per(row.delta, price),
  },
  leaps: {
    days: [270, Number.POSITIVE_INFINITY],
    delta: ['0.6', '0.85'],
    ranks: hasExtrinsic,
    regime: { figure: 'iv_rank', isHigh: false },
    bestDelta: ['0.725', '0.25'],
    bestDays: ['365', '190'],
    isLonger: true,
    earnings: ['1', '1'],
    metric: 'dte_per_extrinsic_dollar',
    value: contract =>
      hasExtrinsic(contract) ? per(decimal(Number(contract.row.dte)), contract.extrinsic) : null,
  },
  cheapies: {
    days: [7, 45],
    delta: null,
    ranks: ({ price, moneyness: out }) =>
      price !== null && compare(price, decimal(1)) < 0 && out !== null && out.units > 0n,
    regime: { figure: 'iv_rank', isHigh: false },
    bestDelta: ['0.25', '0.3'],
    bestDays: ['26', '38'],
    isLonger: false,
    earnings: ['1', '0.5'],
    metric: 'gamma_per_dollar',
    value: ({ row, price }) => per(row.gamma, price),
  },
}
