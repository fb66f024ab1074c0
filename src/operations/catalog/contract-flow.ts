import { date, microInstant, text } from '../../engine/bind.ts'
import { compareKeys } from '../../lake/store/prune.ts'
import type { Selection, Snapshot } from '../../lake/store/snapshot.ts'
import { dateOf } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { absent, choice, inPath } from '../parameters/kinds.ts'
import { optionSymbol } from '../parameters/market.ts'
import { count } from '../parameters/number.ts'
import { marketDate } from '../parameters/time.ts'

export const contractFlow = operation({
  id: 'contract-flow',
  path: '/api/option-contract/{id}/flow',
  summary: 'Trades of one contract on one day',
  description: [
    'One record a trade, newest first, of trades at one microsecond the least id first. Without a limit it is all of them. A canceled trade is listed with `canceled: true`, which no other operation counts.',
    'A side is where the fill lies against the midpoint of the best bid and offer, as each trade is stored: above it ask, below it bid, at it mid. A trade without a valid quote, a late or out-of-sequence one and a cross have no side: only `side=ALL` shows them.',
    '`flow_alert_id` is the alert on this contract that the trade is part of, the earliest if there are several, `rule_id` the name of its rule. What is said of the underlying is what was known on the day of the trade.',
  ].join('\n\n'),
  parameters: {
    id: inPath(optionSymbol('The contract.')),
    side: absent(
      choice({ description: 'Which side trades were filled on.', example: 'ASK' }, [
        'ALL',
        'ASK',
        'BID',
        'MID',
      ]),
      'ALL',
    ),
    min_premium: absent(
      count({ description: 'Least premium of a trade in dollars, inclusive.', example: '10000', least: 0 }),
      0,
    ),
    limit: count({
      description: 'How many trades to give at most. Left out: all of them.',
      example: '100',
      least: 1,
    }),
    date: marketDate,
  },
  // Rows of a row group, so that a page opens two or three of them.
  pages: {
    size: 10_240,
    after: { after_time: 'executed_at', after_id: 'id' },
    until: { until_time: 'executed_at' },
  },
  plan: ({ id, date: asked }, snapshot) => {
    const day = dateOf(snapshot, 'option_trades', asked)
    // The first page: no trade lies before it.
    const bindings = {
      date: date(day),
      after_time: microInstant(null),
      after_id: text(null),
      until_time: microInstant(null),
    }
    if (day === null) return { reads: { option_trades: null, flow_alerts: null, tickers: null }, bindings }
    const trades = { from: day, to: day, keys: { option_chain_id: [id] } }
    return {
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
 * What is known up to `day` of the underlyings of selected trades. A symbol does not tell its underlying for sure
 * (adjusted contracts, index options), but files of trades tell between which tickers theirs lie. Two ranges overlap
 * where the start of one lies in the other: the starts are the values that a file must be able to hold.
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
