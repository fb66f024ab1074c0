import { date, text, texts } from '../../engine/bind.ts'
import { cikIn, institutionName, readsOf, settleName } from '../answering/institution-name.ts'
import { dateOf } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { freeText, listOf } from '../parameters/kinds.ts'
import { tickerBindings, tickerFilter, tickerKeys } from '../parameters/market.ts'
import { limit, page } from '../parameters/number.ts'
import { ordering, orderOf } from '../parameters/order.ts'
import { day } from '../parameters/time.ts'

const SORTS = {
  date: 'date',
  ticker: 'ticker',
  security_type: 'security_type',
  put_call: 'put_call',
  first_buy: 'first_buy',
  price_first_buy: 'price_first_buy',
  units: 'units',
  units_change: 'units_change',
  historical_units: 'historical_units',
  value: 'value',
  avg_price: 'avg_price',
  close: 'close',
  shares_outstanding: 'shares_outstanding',
}

export const institutionHoldings = operation({
  id: 'institution-holdings',
  path: '/api/institution/{name}/holdings',
  summary: 'What an institution holds, by its Form 13F reports',
  description: [
    "One record a position: a ticker, a kind of security, and a side where it is in options. Without `start_date` and `end_date` these are the positions of the institution's latest report on or before `date`; with either, those of all its reports in that range. Positions that were closed since the report before are left out.",
    'An institution is found by its CIK or its name; a CIK that never reported has no holdings. Where no ticker is known, `ticker` is the CUSIP, which `ticker_symbol` cannot name.',
    'Prices and values are dollars: `close` is that of the report date, `price_first_buy` that of `first_buy`, the report date since which the position has been held without a break; `avg_price` counts increases at the close of their report dates. `units` are shares, shares under options, or principal in dollars; `historical_units` has the last up to 8 reports, newest first, this one included. `perc_of_share_value` and `perc_of_total` are fractions, of shares alone.',
    'Ordered by `value`, greatest first, unless `order` says otherwise; `historical_units` compares first entries, then the next. Ties: newest report first, then by ticker, security_type and put_call.',
  ].join('\n\n'),
  parameters: {
    name: institutionName,
    ticker_symbol: tickerFilter('Which tickers.'),
    date: day(
      'The latest report on or before this date. Left out: the last that the lake holds. Without effect beside `start_date` or `end_date`.',
    ),
    start_date: day('First report date, inclusive.', '2024-01-01'),
    end_date: day('Last report date, inclusive.'),
    security_types: listOf(
      freeText({
        description:
          'Kinds of security, in any case; may be given several times. The lake has `Share`, `Option`, `Fund`, `Preferred`, `Debt` and `Warrant`.',
        example: 'Share',
        charactersMax: 50,
      }),
      types => texts(types.map(type => type.toLowerCase())),
    ),
    limit: limit(500, 500),
    page: page(),
    ...ordering(SORTS, 'value'),
  },
  check: ({ start_date, end_date }) =>
    start_date !== null && end_date !== null && start_date > end_date
      ? [
          {
            in: 'query',
            name: 'end_date',
            problem: 'is before start_date',
            example: 'start_date=2024-01-01&end_date=2024-12-31',
          },
        ]
      : [],
  settle: settleName,
  plan: (asked, snapshot) => {
    const { name, ticker_symbol: tickers, start_date: from, end_date: to } = asked
    const isRange = from !== null || to !== null
    const latest = isRange ? null : dateOf(snapshot, 'institution_positions', asked.date)
    return {
      // Which report is the latest shows in all of its tickers, so that only a range can be pruned by some of them.
      reads: readsOf(
        name,
        isRange
          ? { ...(from && { from }), ...(to && { to }), ...tickerKeys('ticker', tickers) }
          : { ...(latest && { to: latest }) },
      ),
      bindings: { cik: text(cikIn(name)), date: date(latest), ...tickerBindings(tickers) },
      order: orderOf(SORTS, asked),
    }
  },
})
