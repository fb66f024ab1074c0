import type { Decimal } from 'decimal.js'
import { Exact } from './exact.ts'
import type { Row } from './lakes.ts'

/** What filters and sorts compare where no field of the record is that value: from its fields, by the decisions. */

/** A computed value; null where one of its inputs is. */
export interface Formula {
  readonly of: (row: Row) => Decimal | string | null
  /** It follows from the fields only in a lake whose derived datasets were derived. */
  readonly derived?: true
}

const number = (value: unknown): Decimal | null => (value === null ? null : new Exact(String(value)))

/** A computation on fields, null where one of them is null, rounded half to even to 10 places. */
const computed =
  (names: string, compute: (...values: Decimal[]) => Decimal | null) =>
  (row: Row): Decimal | null => {
    const values = names.split(' ').map(name => number(row[name]))
    if (values.some(value => value === null)) return null
    return compute(...(values as Decimal[]))?.toDecimalPlaces(10) ?? null
  }

const over = (one: Decimal, other: Decimal) => (other.isZero() ? null : one.div(other))
const share = (part: string, whole: string) => computed(`${part} ${whole}`, over)
const change = (to: string, from: string) =>
  computed(`${to} ${from}`, (after, before) => over(after.minus(before), before))
/** The first formula for calls, the second for puts. */
const byType =
  (type: string, call: (row: Row) => Decimal | null, put: (row: Row) => Decimal | null) =>
  (row: Row): Decimal | null =>
    row[type] === 'call' ? call(row) : put(row)
const greater = (one: (row: Row) => Decimal | null, other: (row: Row) => Decimal | null) => (row: Row) => {
  const values = [one(row), other(row)].filter(value => value !== null)
  return values.length === 0 ? null : Exact.max(...values)
}
const moneyness = (type: string, stock: string) =>
  byType(
    type,
    computed(`strike ${stock}`, (strike, price) => over(strike.minus(price), price)),
    computed(`strike ${stock}`, (strike, price) => over(price.minus(strike), price)),
  )
/** Calendar days between two dates. */
const days = (from: unknown, to: unknown): Decimal | null =>
  from === null || to === null
    ? null
    : new Exact(Math.round((Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000))
const NEW_YORK = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' })
const newYorkDay = (ts: unknown) => NEW_YORK.format(new Date(String(ts)))

const askShare = share('ask_side_volume', 'volume')
const bidShare = share('bid_side_volume', 'volume')
const askPremium = share('total_ask_side_prem', 'total_premium')
const bidPremium = share('total_bid_side_prem', 'total_premium')
const sideVolumes = computed('ask_side_volume bid_side_volume', (ask, bid) => ask.minus(bid))
const negated = (formula: (row: Row) => Decimal | null) => (row: Row) => formula(row)?.neg() ?? null

const HOLDINGS = 'share call put fund pfd debt warrant'.split(' ').map(kind => `${kind}_holdings`)

const FORMULAS: Readonly<Record<string, Readonly<Record<string, Formula>>>> = {
  'screener-option-contracts': {
    diff: { of: moneyness('option_type', 'stock_price') },
    multileg_volume_ratio: { of: share('multileg_volume', 'volume') },
    floor_volume_ratio: { of: share('floor_volume', 'volume') },
    sweep_volume_ratio: { of: share('sweep_volume', 'volume') },
    volume_ticker_vol_ratio: { of: share('volume', 'ticker_vol') },
    total_multileg_volume_ratio: {
      of: computed('multileg_volume stock_multi_leg_volume volume', (multi, stock, all) =>
        over(multi.plus(stock), all),
      ),
    },
    volume_oi_ratio: {
      of: computed('volume open_interest', (volume, oi) => volume.div(oi.isZero() ? 1 : oi)),
    },
    perc_change: { of: change('close', 'chain_prev_close') },
    daily_perc_change: { of: change('close', 'open') },
    from_high_perc: { of: change('close', 'high') },
    from_low_perc: { of: change('close', 'low') },
    from_high: { of: change('close', 'high') },
    from_low: { of: change('close', 'low') },
    ask_perc: { of: askShare },
    bid_perc: { of: bidShare },
    skew_perc: { of: greater(askShare, bidShare) },
    bull_perc: { of: byType('option_type', askShare, bidShare) },
    bear_perc: { of: byType('option_type', bidShare, askShare) },
    oi_change: { of: computed('open_interest prev_oi', (now, before) => now.minus(before)) },
    oi_change_perc: { of: change('open_interest', 'prev_oi') },
    earnings_dte: {
      of: row => {
        const fromExpiry = days(row.expiry, row.next_earnings_date)
        return fromExpiry?.plus(number(row.dte) ?? 0) ?? null
      },
      derived: true,
    },
    days_between_expiry_and_earnings: { of: row => days(row.next_earnings_date, row.expiry) },
    spread: { of: computed('ask bid', (ask, bid) => over(ask.minus(bid).times(2), ask.plus(bid))) },
    bid_ask_vol: { of: sideVolumes },
    bull_bear_vol: { of: byType('option_type', sideVolumes, negated(sideVolumes)) },
  },
  'flow-alerts': {
    price: { of: row => number(row.underlying_price) },
    diff: { of: moneyness('type', 'underlying_price'), derived: true },
    dte: { of: row => days(newYorkDay(row.created_at), row.expiry), derived: true },
    ask_perc: { of: askPremium },
    bid_perc: { of: bidPremium },
    skew: { of: greater(askPremium, bidPremium) },
    bull_perc: { of: byType('type', askPremium, bidPremium) },
    bear_perc: { of: byType('type', bidPremium, askPremium) },
    size_vol_ratio: { of: share('total_size', 'volume') },
  },
  'fec-companies': { total: { of: computed('pac_total other_total', (pac, other) => pac.plus(other)) } },
  institutions: {
    total_holdings: {
      of: computed(HOLDINGS.join(' '), (...holdings) => holdings.reduce((sum, each) => sum.plus(each))),
    },
  },
}

/** Filters and sorts that compare what the record does not show, each with what it is. */
export const UNSHOWN: Readonly<Record<string, string>> = {
  'screener-option-contracts exclude_ex_div_ticker': 'the ex-dividend date of the underlying',
  'screener-option-contracts opex_only': 'the calendar of expirations',
  'alerts intraday_only': 'the calendar of trading days',
  'alerts ticker_symbols': 'the underlying of a contract',
  'flow-alerts is_otm': 'the distance out of the money, which only follows from the record in a derived lake',
  'flow-alerts iv_change': 'volatilities of the first and the last trade',
  'flow-alerts spread': 'the quote at the last trade',
  'flow-alerts marketcap': 'a figure of the underlying',
  'flow-alerts days_between_expiry_and_earnings': 'a date of the underlying',
  'institutions percent_of_total': 'a share of what all institutions report for the date',
}

export const formulaOf = (operation: string, stem: string): Formula | undefined => FORMULAS[operation]?.[stem]
