import { column } from '../column.ts'
import { type Decimal, decimal, minus, plus, rounded, times, ZERO } from '../decimal.ts'
import type { Lake } from '../lake.ts'
import { descending, ordered } from '../order.ts'
import { parameter, type Request, refused } from '../request.ts'
import { shown } from '../shown.ts'

interface Level {
  readonly price: Decimal
  readonly size: Decimal
}

const PLACES = 10
const HALF = decimal('0.5')

export function answer(lake: Lake, request: Request): unknown {
  const asset = parameter(request, 'asset_id') ?? ''
  const books = lake.find('prediction_books', { asset_id: asset })
  const [book] = ordered(books, descending(column('timestamp')))
  if (book === undefined) return refused(404)
  const bids = levels(book.bid_prices as Decimal[], book.bid_sizes as Decimal[])
  const asks = levels(book.ask_prices as Decimal[], book.ask_sizes as Decimal[])
  const [bid, ask] = [bids[0]?.price ?? null, asks[0]?.price ?? null]
  const isTwoSided = bid !== null && ask !== null
  const [bought, offered] = [liquidity(bids), liquidity(asks)]
  return {
    data: {
      asset_id: asset,
      timestamp: shown(book.timestamp),
      best_bid: shown(bid),
      best_ask: shown(ask),
      mid_price: isTwoSided ? shown(times(plus(bid, ask), HALF)) : null,
      spread: isTwoSided ? shown(minus(ask, bid)) : null,
      bid_liquidity: shown(bought),
      ask_liquidity: shown(offered),
      total_liquidity: shown(plus(bought, offered)),
      bids: bids.map(shownLevel),
      asks: asks.map(shownLevel),
    },
  }
}

const levels = (prices: readonly Decimal[], sizes: readonly Decimal[]): Level[] =>
  prices.map((price, index) => ({ price, size: sizes[index] as Decimal }))

const liquidity = (side: readonly Level[]): Decimal =>
  rounded(side.map(({ price, size }) => times(price, size)).reduce(plus, ZERO), PLACES)

const shownLevel = ({ price, size }: Level) => ({ price: shown(price), size: shown(size) })
