import { date, integer } from '../../engine/bind.ts'
import { readTemplate } from '../../engine/template.ts'
import type { Selection, Snapshot } from '../../lake/store/snapshot.ts'
import { addDays, weekdayOf } from '../../market/day.ts'
import { onLast, search } from '../answering/example.ts'
import { newestFirst } from '../answering/newest-first.ts'
import { operation } from '../answering/operation.ts'
import { from, type OperationFields } from '../fields/notation.ts'
import { choice, inPath, matching } from '../parameters/kinds.ts'
import { limit } from '../parameters/number.ts'
import { day } from '../parameters/time.ts'

const DAY_SECONDS = 86_400

/** Each candle size in seconds; a week starts on Monday, UTC. */
const SECONDS = {
  '1m': 60,
  '5m': 300,
  '10m': 600,
  '15m': 900,
  '30m': 1800,
  '1h': 3600,
  '4h': 14_400,
  '1d': DAY_SECONDS,
  '1w': 7 * DAY_SECONDS,
} as const
type Size = keyof typeof SECONDS

const usual = readTemplate('crypto-ohlc-usual')

const candle = from('crypto_candles')

const fields: OperationFields = {
  dating: ['crypto_candles'],
  parts: [
    {
      at: 'data[]',
      record: 'CryptoCandle',
      fields: [
        ...candle.columns('string', 'pair'),
        candle.made('open', 'string(dec)', 'open start', 'of the first candle in the bucket'),
        candle.made('high', 'string(dec)', 'high', 'maximum'),
        candle.made('low', 'string(dec)', 'low', 'minimum'),
        candle.made('close', 'string(dec)', 'close start', 'of the last candle in the bucket'),
        candle.made('volume', 'string(dec)', 'volume', 'sum'),
        candle.made('start_time', 'ts', 'start', 'start of the bucket in UTC; weeks start on Monday'),
        candle.made('timestamp', 'ts', 'start', 'end of the bucket'),
      ],
    },
  ],
  parameters: [
    candle.made('date', 'date', 'start', 'the bucket starts on or before it'),
    candle.made(
      'candle_size',
      'string',
      'start seconds',
      'stored candles within a bucket of this size; where they overlap, the longest one',
    ),
  ],
}

export const cryptoOhlc = operation({
  id: 'crypto-ohlc',
  fields,
  examples: [
    search('crypto_candles', `DISTINCT pair, '1h' AS candle_size`, `${onLast('date')} ORDER BY pair LIMIT 5`),
  ],
  parameters: {
    pair: inPath(
      matching({
        description: 'The pair, `BASE-QUOTE`, in any case.',
        example: 'BTC-USD',
        pattern: /^[A-Za-z0-9]{1,16}-[A-Za-z0-9]{1,16}$/,
        is: 'a pair BASE-QUOTE',
        canonical: sent => sent.toUpperCase(),
      }),
    ),
    candle_size: inPath(
      choice({ description: 'Length of a candle.', example: '1h' }, Object.keys(SECONDS) as Size[]),
    ),
    limit: limit(500, 500),
    date: day(
      'Keeps candles that start on this day, UTC, or before it. Default: the latest day in the lake.',
    ),
  },
  plan: ({ pair, candle_size, limit, date: requested }, snapshot) => {
    const seconds = SECONDS[candle_size]
    const last = requested ?? snapshot.lastDate('crypto_candles')
    if (last === null) return { reads: { crypto_candles: null } }
    // A candle that starts on the last day may end days later.
    const history = { to: addDays(last, Math.ceil(seconds / DAY_SECONDS) - 1), keys: { pair: [pair] } }
    return {
      date: last,
      reads: { crypto_candles: history },
      bindings: { seconds: integer(seconds), date: date(last), from: date('1970-01-01') },
      newest: {
        ...newestFirst(
          snapshot,
          'crypto_candles',
          history,
          limit,
          startOf(snapshot, history, { seconds, limit }),
        ),
        usual,
      },
    }
  },
})

/** How many of the requested candles a pair may lack, as a fraction, before its newest days have too few. */
const LACKING = 0.25

/** A day, for weeks a Monday, from which on there are usually enough candles; null if the pair has no history. */
function startOf(
  snapshot: Snapshot,
  history: Selection & { to: string },
  { seconds, limit }: { seconds: number; limit: number },
): string | null {
  const ends = snapshot.files('crypto_candles', history).map(({ dates }) => dates[1])
  if (ends.length === 0) return null
  const latest = ends.reduce((one, other) => (one > other ? one : other))
  const end = latest < history.to ? latest : history.to
  const start = addDays(end, -Math.ceil((seconds * limit * (1 + LACKING)) / DAY_SECONDS) - 1)
  const afterMonday = (weekdayOf(start) + 6) % 7
  return seconds > DAY_SECONDS ? addDays(start, -afterMonday) : start
}
