import { type Bindings, boolean, decimal, integer, text } from '../../engine/bind.ts'

/** The stances of the operation option-stance, as data: which contracts each of them ranks, and what fits it. */

interface Stance {
  readonly purpose: string
  /** Calendar days to expiry that are ranked, inclusive. Without `most`, all from `ideal` on are ideal. */
  readonly dte: { readonly least: number; readonly most: number | null; readonly ideal?: number }
  /** |delta| that fits, inclusive. Contracts with another delta are also ranked unless the range is `hard`. */
  readonly delta: { readonly least: number; readonly most: number; readonly hard: boolean }
  /** Dollars per unit of the underlying, exclusive. */
  readonly priceBelow: number | null
  readonly outOfTheMoney: boolean
  readonly iv: { readonly measure: 'rank' | 'percentile'; readonly wanted: 'high' | 'low' }
  /** Whether contracts with earnings before expiry are ranked, and the scores of these and of other contracts. */
  readonly earnings: { readonly ranked: boolean; readonly before: number; readonly otherwise: number }
  readonly metric: keyof typeof METRICS
}

/** The figure that ranks contracts with equal scores, greatest first. Prices are per unit of the underlying. */
const METRICS = {
  roc: 'return on capital',
  vega_iv: 'vega × iv',
  delta_per_dollar: '|delta| / price',
  dte_per_extrinsic_dollar:
    'dte / extrinsic value, which is price minus intrinsic value; contracts with 0.01 or less, or with an unknown one, are not ranked',
  gamma_per_dollar: 'gamma / price',
} as const

export const STANCES = {
  sell_premium: {
    purpose: 'sell options that are likely to expire worthless',
    dte: { least: 20, most: 60 },
    delta: { least: 0.15, most: 0.35, hard: true },
    priceBelow: null,
    outOfTheMoney: false,
    iv: { measure: 'rank', wanted: 'high' },
    earnings: { ranked: false, before: 0, otherwise: 1 },
    metric: 'roc',
  },
  sell_vega: {
    purpose: 'sell volatility while it is expensive',
    dte: { least: 45, most: 180 },
    delta: { least: 0.25, most: 0.75, hard: false },
    priceBelow: null,
    outOfTheMoney: false,
    iv: { measure: 'percentile', wanted: 'high' },
    earnings: { ranked: true, before: 0.5, otherwise: 1 },
    metric: 'vega_iv',
  },
  directional: {
    purpose: 'buy a move of the underlying while volatility is low',
    dte: { least: 14, most: 90 },
    delta: { least: 0.35, most: 0.65, hard: true },
    priceBelow: null,
    outOfTheMoney: false,
    iv: { measure: 'rank', wanted: 'low' },
    earnings: { ranked: true, before: 0.5, otherwise: 1 },
    metric: 'delta_per_dollar',
  },
  leaps: {
    purpose: 'hold the underlying through long-dated options',
    dte: { least: 270, most: null, ideal: 365 },
    delta: { least: 0.6, most: 0.85, hard: true },
    priceBelow: null,
    outOfTheMoney: false,
    iv: { measure: 'rank', wanted: 'low' },
    earnings: { ranked: true, before: 1, otherwise: 1 },
    metric: 'dte_per_extrinsic_dollar',
  },
  cheapies: {
    purpose: 'buy cheap options that gain most from a large move',
    dte: { least: 7, most: 45 },
    delta: { least: 0.1, most: 0.4, hard: false },
    priceBelow: 1,
    outOfTheMoney: true,
    iv: { measure: 'rank', wanted: 'low' },
    earnings: { ranked: true, before: 1, otherwise: 0.5 },
    metric: 'gamma_per_dollar',
  },
} as const satisfies Record<string, Stance>

export type StanceName = keyof typeof STANCES
export const STANCE_NAMES = Object.keys(STANCES) as StanceName[]

/** Where a figure fits best, and the distance at which it does not fit at all; the ends of a range are half way. */
interface Fit {
  readonly ideal: number
  readonly reach: number
}

const within = (least: number, most: number): Fit => ({
  ideal: thousandth((least + most) / 2),
  reach: thousandth(most - least),
})

/** Without rounding errors of doubles. */
const thousandth = (value: number) => Math.round(value * 1000) / 1000

const dteFit = ({ dte: { least, most, ideal = least } }: Stance): Fit =>
  most === null ? { ideal, reach: 2 * (ideal - least) } : within(least, most)

const idealDteText = (stance: Stance) =>
  `${dteFit(stance).ideal}${stance.dte.most === null ? ' or more' : ''}`

const exact = (value: number | null) => decimal(value === null ? null : BigInt(Math.round(value * 1000)), 3)

/** Parameters of the template `option-stance` for a stance. */
export function stanceBindings(name: StanceName): Bindings {
  const stance: Stance = STANCES[name]
  const { dte, delta, earnings, iv } = stance
  const [days, size] = [dteFit(stance), within(delta.least, delta.most)]
  return {
    min_dte: integer(dte.least),
    max_dte: integer(dte.most),
    ideal_dte: exact(days.ideal),
    ideal_dte_most: exact(dte.most === null ? null : days.ideal),
    ideal_dte_text: text(idealDteText(stance)),
    dte_reach: exact(days.reach),
    min_delta: exact(delta.hard ? delta.least : null),
    max_delta: exact(delta.hard ? delta.most : null),
    ideal_delta: exact(size.ideal),
    delta_reach: exact(size.reach),
    price_below: exact(stance.priceBelow),
    out_of_the_money: boolean(stance.outOfTheMoney),
    iv_measure: text(iv.measure),
    iv_wanted: text(iv.wanted),
    no_earnings: boolean(!earnings.ranked),
    earnings_before: exact(earnings.before),
    earnings_otherwise: exact(earnings.otherwise),
    rank_metric: text(stance.metric),
  }
}

/** A stance in words, for the documents. */
export function describeStance(name: StanceName): string {
  const stance: Stance = STANCES[name]
  const { purpose, dte, delta, priceBelow, outOfTheMoney, iv, earnings, metric } = stance
  const [days, size] = [dteFit(stance), within(delta.least, delta.most)]
  const ranked = [
    dte.most === null ? `dte from ${dte.least} on` : `dte ${dte.least} to ${dte.most}`,
    ...(delta.hard ? [`|delta| ${delta.least} to ${delta.most}`] : []),
    ...(priceBelow === null ? [] : [`price below ${priceBelow} dollar`]),
    ...(outOfTheMoney ? ['out of the money'] : []),
    ...(earnings.ranked ? [] : ['no earnings before expiry']),
  ]
  return [
    `\`${name}\`: ${purpose}. Ranked: ${ranked.join(', ')}.`,
    `iv_regime: a ${iv.wanted} IV ${iv.measure}.`,
    `greeks_fit: 1 at |delta| ${size.ideal}, 0 from ${size.reach} away.`,
    `dte_fit: 1 at ${idealDteText(stance)} days, 0 from ${days.reach} away.`,
    `earnings_timing: ${earnings.before} with earnings before expiry, ${earnings.otherwise} without.`,
    `rank_metric \`${metric}\`: ${METRICS[metric]}.`,
  ].join(' ')
}
