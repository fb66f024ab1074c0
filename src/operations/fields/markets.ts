import { indicators, SERIES } from '../../market/economy-series.ts'
import { PREDICTION_CATEGORIES, PREDICTION_TAGS } from '../../market/prediction-tags.ts'
import { among, type Field, from, joined, type OperationFields, without } from './notation.ts'

/** Operations 13, 16, 18, 28 and 29: crypto, the economy, prediction markets and currencies. */

const candle = from('crypto_candles')
const point = from('economic_points')
const position = from('prediction_positions')
const book = from('prediction_books')

const series = indicators.map(indicator => SERIES[indicator])
const tags = PREDICTION_TAGS.map(({ tag }) => tag)
const quote = from('fx_quotes')

export const CRYPTO_OHLC: OperationFields = {
  id: 'crypto-ohlc',
  dating: ['crypto_candles'],
  parts: [
    {
      at: 'data[]',
      fields: [
        ...candle.columns('string', 'pair'),
        candle.made('open', 'string(dec)', 'open start', 'of the first candle in the bucket'),
        candle.made('high', 'string(dec)', 'high', 'greatest'),
        candle.made('low', 'string(dec)', 'low', 'least'),
        candle.made('close', 'string(dec)', 'close start', 'of the last candle in the bucket'),
        candle.made('volume', 'string(dec)', 'volume', 'sum'),
        candle.made('start_time', 'ts', 'start seconds', 'start of the bucket in UTC; weeks start on Monday'),
        candle.made('timestamp', 'ts', 'start seconds', 'end of the bucket'),
      ],
    },
  ],
  parameters: [candle.made('date', 'date', 'date', 'the start lies on it or before')],
}

export const ECONOMY: OperationFields = {
  id: 'economy',
  dating: ['economic_points'],
  parts: [
    {
      at: 'data',
      fields: [
        without(
          'constant',
          'name',
          'string',
          'the name of the indicator; of a treasury yield with its maturity',
        ),
        ...among(
          [...new Set(series.map(({ unit }) => unit))],
          without('constant', 'unit', 'string', 'the unit of the indicator'),
        ),
        ...among(
          [...new Set(series.flatMap(({ intervals }) => intervals))],
          without('request', 'interval', 'string', "the interval asked for, else the indicator's first"),
        ),
      ],
    },
    {
      at: 'data.data[]',
      fields: [
        point.made('date', 'date', 'date', 'first day of the period'),
        joined(
          'value',
          'number',
          'economic_points.value economic_points.interval',
          'the stored value; of a coarser interval the mean of rates, indices and annual rates, the sum of other flows',
          'the source is blank',
        ),
      ],
    },
  ],
  parameters: [...point.columns('string', 'indicator maturity')],
}

export const PREDICTION_INSIDERS: OperationFields = {
  id: 'prediction-insiders',
  dating: ['prediction_positions'],
  parts: [
    {
      at: 'data',
      fields: [
        ...among(
          PREDICTION_CATEGORIES,
          without('constant', 'categories', 'array of string', 'the nine categories, always all'),
        ),
        without('nested', 'tag_info', 'array of object', 'see below; the five tags, always all'),
      ],
    },
    {
      at: 'data.data[]',
      fields: [
        ...position.columns('string', 'asset_id question outcome'),
        ...among(PREDICTION_CATEGORIES, ...position.columns('string', 'category')),
        ...position.columns(
          'string(dec)',
          'avg_price current_price pnl_percent total_invested_usd invested_zscore',
        ),
        ...position.columns('integer', 'n_positions days_since_first_trade days_since_first_trade_overall'),
        ...position.columns('ts(ms)', 'first_trade_at created_at'),
        ...position.columns('ts(ms)', 'resolves', 'no end of the market is known'),
        ...position.columns('string(URL)', 'image', 'the market has none'),
        ...among(tags, ...position.columns('array of string', 'tags')),
        ...position.columns('string(dec)', 'tags_score'),
        ...position.columns('string', 'user_address'),
      ],
    },
    {
      at: 'data.tag_info[]',
      fields: [
        without('constant', 'score', 'string(dec)', 'the weight of the tag'),
        ...among(tags, without('constant', 'tag', 'string', 'the name of the tag')),
      ],
    },
  ],
  parameters: [],
}

const EMPTY_SIDE = 'a side of the book is empty'

/** One side's levels; DuckDB's lists start at 1, and the best level stands first. */
const levels = (side: 'bid' | 'ask'): Field[] => [
  book.made('price', 'string(dec)', `${side}_prices`, 'one level each, best first'),
  book.made('size', 'string(dec)', `${side}_sizes`, 'of the same place in the list'),
]
const liquidity = (side: string) =>
  book.made(
    `${side}_liquidity`,
    'string(dec)',
    `${side}_prices ${side}_sizes`,
    'Σ price × size; 0 without a level',
  )

export const PREDICTION_LIQUIDITY: OperationFields = {
  id: 'prediction-liquidity',
  dating: ['prediction_books'],
  parts: [
    {
      at: 'data',
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
    { at: 'data.bids[]', fields: levels('bid') },
    { at: 'data.asks[]', fields: levels('ask') },
  ],
  parameters: [],
}

const REFERENCE_RATE = 'a leg is a reference rate, which has neither bid nor ask'

export const FOREX_RATE: OperationFields = {
  id: 'forex-rate',
  dating: ['fx_quotes'],
  parts: [
    {
      at: 'data',
      fields: [
        without('request', 'from', 'string', 'the code asked for, upper-case'),
        without('request', 'to', 'string', 'the code asked for, upper-case'),
        quote.made(
          'rate',
          'number',
          'rate base quote time',
          'of the latest direct quote, else 1 / that of the inverse one, else crossed through USD, then EUR',
        ),
        quote.made(
          'bid',
          'number',
          'bid ask',
          'of the same quotes; of an inverse one 1 / ask',
          REFERENCE_RATE,
        ),
        quote.made(
          'ask',
          'number',
          'ask bid',
          'of the same quotes; of an inverse one 1 / bid',
          REFERENCE_RATE,
        ),
        quote.made('last_refreshed', 'string', 'time', '`YYYY-MM-DD HH:MM:SS` of the oldest leg'),
        ...among(['UTC'], without('constant', 'time_zone', 'string', '`UTC`')),
      ],
    },
  ],
  parameters: [],
}
