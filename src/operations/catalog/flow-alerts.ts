import { type Bindings, boolean, decimal, integer, text, texts } from '../../engine/bind.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { DAY_MICROS, dayOfMicros } from '../../market/day.ts'
import { FILTERED_ISSUE_TYPES } from '../../market/enumerations.ts'
import { FLOW_RULES } from '../../market/vocabulary.ts'
import { newestBindings, newestFirst } from '../answering/newest-first.ts'
import { operation, type Plan } from '../answering/operation.ts'
import { flowAlertRanges } from '../parameters/flow-alerts-ranges.ts'
import { choice, flag, listOf } from '../parameters/kinds.ts'
import { tickerBindings, tickerFilter, tickerKeys } from '../parameters/market.ts'
import { limit } from '../parameters/number.ts'
import type { Parameter, Values } from '../parameters/parameter.ts'
import { moment } from '../parameters/time.ts'

/** A flag that the operation binds by itself, together with others. */
const unbound = (parameter: Parameter<boolean | null>): Parameter<boolean | null> => ({
  ...parameter,
  bind: null,
})

const parameters = {
  ticker_symbol: tickerFilter('Underlyings to keep.'),
  unusual: unbound(
    flag(
      '`true` sets ten conditions: `vol_greater_oi=true`, `size_greater_oi=true`, `all_opening=true`, `is_otm=true`, `is_multi_leg=false`, `max_dte=60`, `min_ask_perc=0.5`, `min_premium=10000`, `min_size=5` and `issue_types[]` of ADR, Common Stock and ETF. Passing one of these filters, or either bound of its stem, lifts that condition and no other. `false` filters nothing.',
    ),
  ),
  all_opening: flag(
    '`true` keeps alerts of which every trade opens positions, by open interest, size and volume, `false` those with a trade that may not. Rarely true of alerts of repeated hits.',
  ),
  is_floor: flag('`true` keeps alerts with a floor trade, `false` those without.'),
  is_sweep: flag('`true` keeps alerts with an intermarket sweep, `false` those without.'),
  is_call: unbound(flag('`true` keeps calls, `false` puts. With `is_put`: both true filters nothing.')),
  is_put: unbound(flag('`true` keeps puts, `false` calls. With `is_call`: both false leaves nothing.')),
  is_ask_side: unbound(
    flag(
      '`true` keeps alerts with more premium on the ask than on the bid, `false` all others. With `is_bid_side`: both true filters nothing, both false leaves nothing.',
    ),
  ),
  is_bid_side: unbound(
    flag(
      '`true` keeps alerts with more premium on the bid than on the ask, `false` all others. With `is_ask_side`: likewise.',
    ),
  ),
  'rule_name[]': listOf(choice({ description: 'Rules to keep.', example: 'RepeatedHits' }, FLOW_RULES)),
  is_otm: flag('`true` keeps contracts out of the money: diff above 0. `false` filters nothing.'),
  'issue_types[]': listOf(
    choice({ description: 'Issue types of the underlying to keep.', example: 'ETF' }, FILTERED_ISSUE_TYPES),
  ),
  ...flowAlertRanges,
  is_multi_leg: flag('`true` keeps alerts with a trade of a multi-leg order, `false` those without.'),
  size_greater_oi: flag(
    "`true` keeps alerts whose trades' sizes exceed the open interest. `false` filters nothing.",
  ),
  vol_greater_oi: flag(
    '`true` keeps alerts whose volume exceeds the open interest. `false` filters nothing.',
  ),
  newer_than: moment('Only alerts created after it.'),
  older_than: moment('Only alerts created before it.'),
  limit: {
    ...limit(200, 100),
    description:
      "How many records to give; more only where alerts of the last one's `created_at` would be cut off. 100 when left out.",
  },
}
type Asked = Values<typeof parameters>

/** The conditions of the preset `unusual`: what each binds, and the parameters of which any one lifts it. */
const UNUSUAL: readonly { readonly binds: Bindings; readonly liftedBy: readonly (keyof Asked)[] }[] = [
  { binds: { vol_greater_oi: boolean(true) }, liftedBy: ['vol_greater_oi'] },
  { binds: { size_greater_oi: boolean(true) }, liftedBy: ['size_greater_oi'] },
  { binds: { all_opening: boolean(true) }, liftedBy: ['all_opening'] },
  { binds: { is_otm: boolean(true) }, liftedBy: ['is_otm'] },
  { binds: { is_multi_leg: boolean(false) }, liftedBy: ['is_multi_leg'] },
  { binds: { max_dte: integer(60) }, liftedBy: ['min_dte', 'max_dte'] },
  { binds: { min_ask_perc: decimal(5n, 1) }, liftedBy: ['min_ask_perc', 'max_ask_perc'] },
  { binds: { min_premium: integer(10_000) }, liftedBy: ['min_premium', 'max_premium'] },
  { binds: { min_size: integer(5) }, liftedBy: ['min_size', 'max_size'] },
  { binds: { issue_types: texts(['ADR', 'Common Stock', 'ETF']) }, liftedBy: ['issue_types[]'] },
]

export const flowAlerts = operation({
  id: 'flow-alerts',
  path: '/api/option-trades/flow-alerts',
  summary: 'Alerts that the flow rules raise over option trades, newest first',
  description: [
    'Alerts of all days, newest first by `created_at`, the time of the last trade of the alert; those of one time in the order of their ids. `newer_than` and `older_than` are exclusive, and both may be left out. An answer never splits alerts of one `created_at`: where `limit` would, it goes on to the last of them and so has more records. The next page is what is `older_than` the `created_at` of the last record.',
    'All figures are those of the last trade of the alert; `volume` is that of the day up to and with it. Filters compare values as the record shows them, shares and ratios rounded to 10 places; a value that is not known passes none. Flags that are left out filter nothing.',
    'Rules. Repeated hits: more than 5 trades of one contract, each at most 100 ms after the one before, none from the floor or of a multi-leg order, with a premium above 10,000 dollars (50,000 for a market capitalisation above 50 billion, 100,000 above 500 billion): RepeatedHitsAscendingFill where fills never fall and end higher, RepeatedHitsDescendingFill the reverse, else RepeatedHits. FloorTradeSmallCap, FloorTradeMidCap, FloorTradeLargeCap: a floor trade with a premium of at least 50,000, 100,000 or 250,000 dollars on a market capitalisation below 10 billion, below 100 billion or above. OtmEarningsFloor: a floor trade out of the money of at least 25,000 dollars with earnings before expiry and within 14 days. LowHistoricVolumeFloor: a floor trade of at least 25,000 dollars of more than 5 times the average volume of the 30 days before. SweepsFollowedByFloor: at least 10 sweeps and after them a floor trade of at least 100,000 dollars within 10 minutes.',
  ].join('\n\n'),
  parameters,
  plan,
  shape: newestFirst('flow_alerts'),
})

function plan(asked: Asked, snapshot: Snapshot): Plan {
  const selection = {
    ...daysOf(asked),
    ...tickerKeys('ticker', asked.ticker_symbol),
  }
  return {
    reads: { flow_alerts: selection },
    bindings: {
      ...tickerBindings(asked.ticker_symbol),
      ...presetOf(asked),
      types: kept(['call', 'put'], [asked.is_call, asked.is_put]),
      sides: kept(['ask', 'bid', 'neither'], [asked.is_ask_side, asked.is_bid_side]),
      ...newestBindings(snapshot.files('flow_alerts', selection)),
    },
  }
}

/** The conditions that the preset adds to a request. */
const presetOf = (asked: Asked): Bindings =>
  asked.unusual === true
    ? Object.assign(
        {},
        ...UNUSUAL.filter(({ liftedBy }) => liftedBy.every(name => asked[name] === null)).map(
          ({ binds }) => binds,
        ),
      )
    : {}

/**
 * Which of `kinds` a pair of flags keeps, where the first flag asks for the first kind and the second for the second:
 * null where nothing is filtered, as by two that are true. Two that are false leave nothing.
 */
function kept(kinds: readonly string[], flags: readonly [boolean | null, boolean | null]) {
  if (flags.every(each => each !== false) && flags[0] === flags[1]) return text(null)
  if (flags.every(each => each === false)) return texts([])
  return texts(
    kinds.filter((_, kind) => flags.every((asked, index) => asked === null || asked === (kind === index))),
  )
}

/** The trading days that alerts between two times may be of: a day of New York touches two of UTC. */
function daysOf({ newer_than, older_than }: Asked) {
  return {
    ...(newer_than === null ? {} : { from: dayOfMicros(newer_than - DAY_MICROS) }),
    ...(older_than === null ? {} : { to: dayOfMicros(older_than + DAY_MICROS) }),
  }
}
