import { date, microInstant, text } from '../../engine/bind.ts'
import { compareKeys } from '../../lake/store/prune.ts'
import type { Selection, Snapshot } from '../../lake/store/snapshot.ts'
import { shownValues } from '../../market/enumeration.ts'
import { AnnounceTime, IssueType, OptionType, Sector } from '../../market/enumerations.ts'
import { FLOW_RULES } from '../../market/vocabulary.ts'
import { busiestContracts, onLast, search } from '../answering/example.ts'
import { dateOf } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { among, from, joined, type OperationFields } from '../fields/notation.ts'
import { absent, choice, inPath } from '../parameters/kinds.ts'
import { optionSymbol } from '../parameters/market.ts'
import { count } from '../parameters/number.ts'
import { marketDate } from '../parameters/time.ts'

const trade = from('option_trades')
const ticker = from('tickers')
const NO_QUOTE = 'the trade had no valid quote'
const UNKNOWN = 'unknown to the lake'
const SOURCELESS = 'the source has none'
const ALERTLESS = 'the trade is part of no flow alert'

const fields: OperationFields = {
  dating: ['option_trades'],
  parts: [
    {
      at: 'data[]',
      record: 'OptionTradeFlowRecord',
      fields: [
        ...trade.columns('string(UUID)', 'id'),
        ...trade.columns('string', 'option_chain_id underlying_symbol'),
        ...among(shownValues(OptionType), ...trade.columns('string', 'option_type')),
        ...trade.columns('string(dec)', 'strike'),
        ...trade.columns('date', 'expiry'),
        ...trade.columns('ts(us)', 'executed_at'),
        ...trade.columns('string(dec)', 'price'),
        ...trade.columns('integer', 'size'),
        ...trade.columns('string(dec)', 'premium'),
        ...trade.columns('integer', 'volume'),
        ...trade.columns('integer', 'open_interest', UNKNOWN),
        ...trade.columns('string(dec)', 'underlying_price', UNKNOWN),
        ...trade.columns('string', 'exchange', SOURCELESS),
        ...trade.columns('boolean', 'canceled is_agg'),
        ...trade.columns('integer', 'ask_vol bid_vol mid_vol no_side_vol multi_vol stock_multi_vol'),
        ...trade.columns('string(dec)', 'nbbo_bid nbbo_ask', NO_QUOTE),
        ...trade.columns('integer', 'nbbo_bid_size nbbo_ask_size', 'quote metadata is unavailable'),
        ...trade.columns('ts', 'nbbo_bid_time nbbo_ask_time', 'quote metadata is unavailable'),
        ...trade.columns('string(dec)', 'ewma_nbbo_bid ewma_nbbo_ask', SOURCELESS),
        ...trade.columns('string(dec)', 'delta gamma theta vega rho theo implied_volatility', SOURCELESS),
        joined(
          'flow_alert_id',
          'string',
          'flow_alerts.id flow_alerts.trade_ids flow_alerts.option_chain flow_alerts.created_at option_trades.id',
          'the alert on its contract that this trade is part of; of several the earliest, then the least id',
          ALERTLESS,
        ),
        ...among(
          FLOW_RULES,
          joined(
            'rule_id',
            'string',
            'flow_alerts.alert_rule flow_alerts.trade_ids',
            'the name of the rule of that alert',
            ALERTLESS,
          ),
        ),
        ...trade.columns('array of string', 'tags report_flags'),
        ...trade.columns('string', 'upstream_condition_detail', SOURCELESS),
        joined(
          'full_name',
          'string',
          'tickers.full_name tickers.ticker tickers.date option_trades.date',
          'as known on the day of the trade, as in all following fields',
          UNKNOWN,
        ),
        ...ticker.columns('string', 'industry_type', UNKNOWN),
        ...among(shownValues(IssueType), ...ticker.columns('string', 'issue_type', UNKNOWN)),
        ...among(shownValues(Sector), ...ticker.columns('string', 'sector', UNKNOWN)),
        ...ticker.columns('string(dec)', 'marketcap', UNKNOWN),
        ...among(shownValues(AnnounceTime), ...ticker.columns('string', 'er_time', UNKNOWN)),
        ...ticker.columns('date', 'next_earnings_date', UNKNOWN),
      ],
    },
  ],
  parameters: [
    joined('id', 'string', 'option_trades.option_chain_id flow_alerts.option_chain', 'the contract'),
    joined(
      'date',
      'date',
      'option_trades.date flow_alerts.date tickers.date',
      'the day; of the underlying, its latest row not after the day',
    ),
    trade.made(
      'side',
      'string',
      'ask_vol bid_vol mid_vol',
      'ASK: ask_vol > 0; BID: bid_vol > 0; MID: mid_vol > 0; ALL: every trade',
    ),
    trade.made('min_premium', 'number', 'premium'),
  ],
}

export const contractFlow = operation({
  id: 'contract-flow',
  fields,
  examples: [
    // A contract with an alert has values in more fields than the busiest one.
    search(
      'flow_alerts',
      'option_chain AS id',
      `${onLast('date')} GROUP BY option_chain ORDER BY max(volume) DESC, id LIMIT 5`,
    ),
    busiestContracts,
  ],
  parameters: {
    id: inPath(optionSymbol('The contract.')),
    side: absent(
      choice({ description: 'Side of the trades to keep.', example: 'ASK' }, ['ALL', 'ASK', 'BID', 'MID']),
      'ALL',
    ),
    min_premium: absent(
      count({ description: 'Minimum premium of a trade in dollars, inclusive.', example: '10000', least: 0 }),
      0,
    ),
    limit: count({
      description: 'Maximum number of trades. Default: all.',
      example: '100',
      least: 1,
    }),
    date: marketDate,
  },
  // The rows of a row group, so that a page reads two or three of them.
  pages: {
    size: 10_240,
    after: { after_time: 'executed_at', after_id: 'id' },
    until: { until_time: 'executed_at' },
  },
  plan: ({ id, date: requested }, snapshot) => {
    const day = dateOf(snapshot, 'option_trades', requested, 'flow_alerts')
    // The first page: there is no trade before it.
    const bindings = {
      date: date(day),
      after_time: microInstant(null),
      after_id: text(null),
      until_time: microInstant(null),
    }
    if (day === null)
      return { date: day, reads: { option_trades: null, flow_alerts: null, tickers: null }, bindings }
    const trades = { from: day, to: day, keys: { option_chain_id: [id] } }
    return {
      date: day,
      reads: {
        option_trades: trades,
        flow_alerts: { from: day, to: day, keys: { option_chain: [id] } },
        tickers: underlyingsOf(snapshot, trades, day),
      },
      bindings,
    }
  },
})

/**
 * The files with data up to `day` on the underlyings of selected trades. The underlying does not follow from the symbol
 * (adjusted contracts, index options), but a file of trades has the range of its underlyings. Two ranges overlap if the
 * start of one is in the other: the keys are these starts.
 */
function underlyingsOf(snapshot: Snapshot, trades: Selection, day: string): Selection {
  const spans = snapshot.files('option_trades', trades).map(({ ranges }) => ranges.underlying_symbol)
  const known = spans.filter(span => span !== undefined)
  if (known.length < spans.length) return { to: day }
  const starts = snapshot.files('tickers', { to: day }).flatMap(({ ranges }) => ranges.ticker?.[0] ?? [])
  const within = starts.filter(start =>
    known.some(([least, most]) => compareKeys(least, start) <= 0 && compareKeys(start, most) <= 0),
  )
  return { to: day, keys: { ticker: [...known.map(([least]) => least), ...within] } }
}
