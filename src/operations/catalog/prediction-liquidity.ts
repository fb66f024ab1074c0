import { Failure } from '../../engine/failure.ts'
import { readTemplate } from '../../engine/template.ts'
import { addDays } from '../../market/day.ts'
import { lookBack, settleLookBack } from '../answering/look-back.ts'
import { operation } from '../answering/operation.ts'
import { inPath, matching } from '../parameters/kinds.ts'

/** Books of a market that is open are taken every day. */
const BOOK_DAYS = 7

export const predictionLiquidity = operation({
  id: 'prediction-liquidity',
  path: '/api/predictions/market/{asset_id}/liquidity',
  summary: 'The latest order book of a prediction market',
  description:
    'The latest book that the lake holds of an outcome token, best levels first. Prices are in dollars a token, sizes in tokens; liquidity is the sum of price × size in dollars, rounded to 10 places, half to even. Without a bid or an ask, the best one, `mid_price` and `spread` are null, and the liquidity of the side is 0. A token without a book: 404.',
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
  plan: (values, snapshot) => {
    const last = snapshot.lastDate('prediction_books')
    const from = last === null ? null : addDays(last, -BOOK_DAYS)
    const history = { keys: { asset_id: [values.asset_id] } }
    const books = lookBack(values, snapshot, 'prediction_books', history, from)
    return { reads: { prediction_books: books.selection }, resolved: books.resolved }
  },
  settle: settleLookBack(
    () => readTemplate('prediction-liquidity'),
    () => 1,
  ),
  missing: ({ asset_id }) => new Failure('not_found', `there is no order book of the asset ${asset_id}`),
})
