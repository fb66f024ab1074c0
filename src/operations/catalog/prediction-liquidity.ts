import { Failure } from '../../engine/failure.ts'
import { onLast, search } from '../answering/example.ts'
import { unknownBecause } from '../answering/lacking.ts'
import { newestFirst } from '../answering/newest-first.ts'
import { operation } from '../answering/operation.ts'
import { type Field, from, type OperationFields, without } from '../fields/notation.ts'
import { inPath, matching } from '../parameters/kinds.ts'

const book = from('prediction_books')
const EMPTY_SIDE = 'a side of the book is empty'
/** The levels of a side. DuckDB's lists start at 1, and the best level is first. */
const levels = (side: 'bid' | 'ask'): Field[] => [
  book.made('price', 'string(dec)', `${side}_prices`, 'one per level, best first'),
  book.made('size', 'string(dec)', `${side}_sizes`, 'at the same position of the list'),
]
const liquidity = (side: string) =>
  book.made(
    `${side}_liquidity`,
    'string(dec)',
    `${side}_prices ${side}_sizes`,
    'Σ price × size; 0 without a level',
  )

const fields: OperationFields = {
  dating: ['prediction_books'],
  parts: [
    {
      at: 'data',
      record: 'PredictionLiquidity',
      fields: [
        ...book.columns('string', 'asset_id'),
        book.made('timestamp', 'ts', 'timestamp', 'of the latest book'),
        book.made('best_bid', 'string(dec)', 'bid_prices', 'the first', 'there is no bid'),
        book.made('best_ask', 'string(dec)', 'ask_prices', 'the first', 'there is no ask'),
        book.made(
          'mid_price',
          'string(dec)',
          'bid_prices ask_prices',
          '(best_bid + best_ask) / 2',
          EMPTY_SIDE,
        ),
        book.made('spread', 'string(dec)', 'bid_prices ask_prices', 'best_ask − best_bid', EMPTY_SIDE),
        liquidity('bid'),
        liquidity('ask'),
        book.made(
          'total_liquidity',
          'string(dec)',
          'bid_prices bid_sizes ask_prices ask_sizes',
          'bid_liquidity + ask_liquidity',
        ),
        without('nested', 'bids', 'array of object', 'see below; empty without a bid'),
        without('nested', 'asks', 'array of object', 'see below; empty without an ask'),
      ],
    },
    { at: 'data.bids[]', record: 'PredictionBid', fields: levels('bid') },
    { at: 'data.asks[]', record: 'PredictionAsk', fields: levels('ask') },
  ],
  parameters: [],
}

export const predictionLiquidity = operation({
  id: 'prediction-liquidity',
  fields,
  examples: [
    search(
      'prediction_books',
      'asset_id',
      `${onLast('date')} ORDER BY len(bid_prices) + len(ask_prices) DESC, asset_id LIMIT 5`,
    ),
  ],
  parameters: {
    asset_id: inPath(
      matching({
        description: 'The number of the outcome token.',
        example: '71321045679252212594626385532706912750332728571942532289631379312455583992563',
        pattern: /^[A-Za-z0-9_-]{1,128}$/,
        is: 'the id of an outcome token: up to 128 digits, letters, hyphens or underscores',
      }),
    ),
  },
  plan: ({ asset_id }, snapshot) => {
    const history = { keys: { asset_id: [asset_id] } }
    return {
      reads: { prediction_books: history },
      newest: newestFirst(snapshot, 'prediction_books', history, 1),
    }
  },
  missing: ({ asset_id }, snapshot) =>
    new Failure(
      'not_found',
      unknownBecause(
        snapshot,
        'prediction_books',
        `there is no order book of the asset ${asset_id}`,
        `there is no order book of the asset ${asset_id}, `,
      ),
    ),
})
