import { dayAfter, daysFrom, isTradingDay, weekday } from '../calendar.ts'
import { compare, decimal, isDecimal, larger } from '../decimal.ts'
import type { Lake, Row, Value } from '../lake.ts'
import { ascending, ordered } from '../order.ts'
import type { Sample } from '../readers.ts'
import {
  amongTest,
  flagOf,
  isWithin,
  paged,
  parameter,
  parameters,
  type Request,
  tickerTest,
} from '../request.ts'
import { dateOf, someRows } from '../rows.ts'
import { change, difference, moneyness, ratio, spreadOf } from '../shares.ts'
import { shown, shownColumns } from '../shown.ts'

const LIMIT = 50

type Figures = Readonly<Record<string, Value>>

export function answer(lake: Lake, request: Request): unknown {
  const date = dateOf(lake, request, ['contract_days'])
  const passes = filterOf(request)
  const contracts = lake
    .find('contract_days', { date })
    .filter(contract => passes(contract, figuresOf(contract)))
  const name =
    SORTS[parameter(request, 'order')?.toLowerCase() ?? 'volume'] ??
    parameter(request, 'order')?.toLowerCase() ??
    'volume'
  const direction = parameter(request, 'order_direction')?.toLowerCase() === 'asc' ? 'asc' : 'desc'
  const sorted = ordered(
    contracts,
    { of: contract => figuresOf(contract)[name] ?? contract[name] ?? null, direction },
    ascending(contract => contract.option_symbol ?? null),
  )
  return { data: paged(request, sorted, LIMIT).map(recordOf) }
}

/** Sort names that are not the name of a figure or a column. */
const SORTS: Readonly<Record<string, string>> = {
  contract_pricing: 'close',
  earnings: 'next_earnings_date',
  expires: 'expiry',
  from_high: 'from_high_perc',
  from_low: 'from_low_perc',
  tape_time: 'last_fill',
  ticker: 'underlying_symbol',
}

const known = new WeakMap<Row, Figures>()

function figuresOf(contract: Row): Figures {
  const figures = known.get(contract) ?? computed(contract)
  known.set(contract, figures)
  return figures
}

/** What filters and sorts compare: the columns of the row, and these. */
function computed(row: Row): Figures {
  const { volume = null, open_interest: interest = null, option_type: type, expiry, date } = row
  const { ask_side_volume: ask = null, bid_side_volume: bid = null, next_earnings_date: earnings } = row
  const isCall = type === 'call'
  const [askShare, bidShare] = [ratio(ask, volume), ratio(bid, volume)]
  const sides = Number(ask) - Number(bid)
  return {
    ...row,
    underlying_price: row.stock_price ?? null,
    diff: moneyness(type, row.strike, row.stock_price),
    multileg_volume_ratio: ratio(row.multileg_volume, volume),
    floor_volume_ratio: ratio(row.floor_volume, volume),
    sweep_volume_ratio: ratio(row.sweep_volume, volume),
    total_multileg_volume_ratio: ratio(
      Number(row.multileg_volume) + Number(row.stock_multi_leg_volume),
      volume,
    ),
    perc_change: change(row.close, row.chain_prev_close),
    daily_perc_change: change(row.close, row.open),
    from_high_perc: change(row.close, row.high),
    from_low_perc: change(row.close, row.low),
    volume_oi_ratio: ratio(volume, interest === 0 ? 1 : interest),
    ask_perc: askShare,
    bid_perc: bidShare,
    skew_perc: askShare && bidShare && larger(askShare, bidShare),
    bull_perc: isCall ? askShare : bidShare,
    bear_perc: isCall ? bidShare : askShare,
    iv_perc: row.iv ?? null,
    return_on_capital_perc: row.roc ?? null,
    oi_change: difference(interest, row.prev_oi),
    oi_change_perc: change(interest, row.prev_oi),
    volume_ticker_vol_ratio: ratio(volume, row.ticker_vol),
    earnings_dte: daysOrNull(date, earnings),
    days_between_expiry_and_earnings: daysOrNull(earnings, expiry),
    transactions: row.trades ?? null,
    spread: spreadOf(row.ask, row.bid),
    bid_ask_vol: sides,
    bull_bear_vol: isCall ? sides : -sides,
  }
}

const daysOrNull = (from: Value | undefined, to: Value | undefined): number | null =>
  typeof from === 'string' && typeof to === 'string' ? daysFrom(from, to) : null

const STEMS =
  `underlying_price dte diff strike marketcap volume ticker_30_d_avg_volume contract_30_d_avg_volume
  multileg_volume_ratio floor_volume_ratio perc_change daily_perc_change premium avg_price volume_oi_ratio open_interest
  floor_volume ask_perc bid_perc skew_perc bull_perc bear_perc bid_side_perc_7_day ask_side_perc_7_day
  days_of_oi_increases days_of_vol_greater_than_oi iv_perc delta gamma theta vega return_on_capital_perc oi_change_perc
  oi_change volume_ticker_vol_ratio sweep_volume_ratio from_low_perc from_high_perc earnings_dte
  days_between_expiry_and_earnings transactions close`.split(/\s+/)

/** The presets of `unusual`, each lifted by its filter or either bound of its stem. */
const UNUSUAL: Readonly<Record<string, (row: Row, figures: Figures) => boolean>> = {
  vol_greater_oi: row => isTrading(row),
  is_otm: (_, { diff }) => isDecimal(diff) && diff.units > 0n,
  dte: ({ dte }) => Number(dte) <= 60,
  ask_perc: (_, { ask_perc: share }) => isDecimal(share) && compare(share, decimal('0.5')) >= 0,
  premium: ({ premium }) => isDecimal(premium) && compare(premium, decimal(10_000)) >= 0,
  'issue_types[]': ({ issue_type: type }) => ['ADR', 'Common Stock', 'ETF'].includes(String(type)),
}

const isTrading = ({ volume, open_interest: interest }: Row) =>
  interest !== null && Number(volume) > Number(interest)

function filterOf(request: Request): (row: Row, figures: Figures) => boolean {
  const is = (name: string) => flagOf(request, name) === true
  const isGiven = (name: string) => parameters(request, name) !== null
  const presets = Object.entries(UNUSUAL)
    .filter(([name]) => is('unusual') && ![name, `min_${name}`, `max_${name}`].some(isGiven))
    .map(([, passes]) => passes)
  const isNew = flagOf(request, 'is_new')
  const expiries = parameters(request, 'expiry_dates[]')
  const isTicker = tickerTest(request, 'ticker_symbol')
  const type = parameter(request, 'type')?.toLowerCase() ?? null
  const [isSector, isIssue] = [amongTest(request, 'sectors[]'), amongTest(request, 'issue_types[]')]
  const stems = STEMS.filter(stem => isGiven(`min_${stem}`) || isGiven(`max_${stem}`))
  return (row, figures) =>
    isTicker(row.underlying_symbol) &&
    isSector(row.sector) &&
    isIssue(row.issue_type) &&
    (type === null || row.option_type === type) &&
    (isNew === null || row.is_new === isNew) &&
    (expiries === null || expiries.includes(String(row.expiry))) &&
    (!is('is_otm') || (isDecimal(figures.diff) && figures.diff.units > 0n)) &&
    (!is('is_itm') || (isDecimal(figures.diff) && figures.diff.units < 0n)) &&
    (!is('exclude_ex_div_ticker') || row.ex_dividend_date !== row.date) &&
    (!is('vol_greater_oi') || isTrading(row)) &&
    (!is('opex_only') || isMonthly(String(row.expiry))) &&
    stems.every(stem => isWithin(request, stem, figures[stem])) &&
    presets.every(passes => passes(row, figures))
}

/** The third Friday, the Thursday before where that is a holiday, and until February 2015 the Saturday after it. */
function isMonthly(expiry: string): boolean {
  const isThirdFriday = (date: string) => weekday(date) === 5 && Math.ceil(Number(date.slice(8)) / 7) === 3
  const [tomorrow, yesterday] = [dayAfter(expiry, 1), dayAfter(expiry, -1)]
  return (
    isThirdFriday(expiry) ||
    (isThirdFriday(tomorrow) && !isTradingDay(tomorrow)) ||
    (isThirdFriday(yesterday) && expiry < '2015-03-01')
  )
}

const recordOf = (row: Row) => ({
  option_symbol: row.option_symbol,
  ticker_symbol: row.underlying_symbol,
  ...shownColumns(
    row,
    `option_type strike expiry volume open_interest prev_oi trades premium avg_price open high low close chain_prev_close
    last_fill ask_side_volume bid_side_volume mid_volume no_side_volume sweep_volume floor_volume cross_volume
    multileg_volume stock_multi_leg_volume total_ask_changes total_bid_changes ticker_vol stock_price bid ask iv delta
    gamma theta vega roc days_of_oi_increases days_of_vol_greater_than_oi ask_side_perc_7_day bid_side_perc_7_day is_new
    issue_type marketcap dte ticker_30_d_avg_volume contract_30_d_avg_volume`,
  ),
  sector: row.sector ?? '',
  next_earnings_date: shown(row.next_earnings_date),
  er_time: row.er_time ?? 'unknown',
})

export const samples = (lake: Lake): readonly Sample[] =>
  someRows(lake, 'contract_days').map(row => ({
    ...computed(row),
    ticker_symbol: row.underlying_symbol,
    'sectors[]': row.sector,
    'expiry_dates[]': row.expiry,
    'issue_types[]': row.issue_type,
    type: row.option_type,
  }))
