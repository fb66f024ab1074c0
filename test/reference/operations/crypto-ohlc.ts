import { isDecimal, larger, negated, sum } from '../decimal.ts'
import type { Lake, Row } from '../lake.ts'
import { ascending, descending, ordered } from '../order.ts'
import { paged, parameter, type Request } from '../request.ts'
import { groups } from '../rows.ts'
import { shown } from '../shown.ts'
import { dayOf, timeText } from '../time.ts'

const MINUTE = 60_000_000n
const SIZES: Readonly<Record<string, bigint>> = {
  '1m': MINUTE,
  '5m': 5n * MINUTE,
  '10m': 10n * MINUTE,
  '15m': 15n * MINUTE,
  '30m': 30n * MINUTE,
  '1h': 60n * MINUTE,
  '4h': 240n * MINUTE,
  '1d': 1440n * MINUTE,
  '1w': 7n * 1440n * MINUTE,
}
/** Weeks start on Monday; 1970-01-01 was a Thursday. */
const FIRST_MONDAY = 4n * 1440n * MINUTE
const LIMIT = 500

export function answer(lake: Lake, request: Request): unknown {
  const pair = parameter(request, 'pair')?.toUpperCase() ?? null
  const name = parameter(request, 'candle_size')?.toLowerCase() ?? ''
  const size = SIZES[name] ?? MINUTE
  const origin = name === '1w' ? FIRST_MONDAY : 0n
  const bucketOf = (time: bigint) => time - ((((time - origin) % size) + size) % size)
  const last = parameter(request, 'date')
  const within = lake
    .find('crypto_candles', { pair })
    .filter(candle => endOf(candle) <= bucketOf(startOf(candle)) + size)
  const buckets = [...groups(within, candle => String(bucketOf(startOf(candle)))).entries()]
    .map(([start, candles]) => ({ start: BigInt(start), candles }))
    .filter(({ start }) => last === null || dayOf(start) <= last)
  const newest = ordered(
    buckets,
    descending(({ start }) => start),
  )
  return {
    data: paged(request, newest, LIMIT).map(({ start, candles }) => candleOf(pair, start, size, candles)),
  }
}

const startOf = (candle: Row) => candle.start as bigint
const endOf = (candle: Row) => startOf(candle) + BigInt(Number(candle.seconds)) * 1_000_000n

function candleOf(pair: string | null, start: bigint, size: bigint, within: readonly Row[]) {
  const candles = counted(within)
  const values = (column: string) => candles.map(candle => candle[column] ?? null).filter(isDecimal)
  return {
    pair,
    open: shown(values('open').at(0)),
    high: shown(values('high').reduce(larger)),
    low: shown(negated(values('low').map(negated).reduce(larger))),
    close: shown(values('close').at(-1)),
    volume: shown(sum(values('volume'))),
    start_time: timeText(start),
    timestamp: timeText(start + size),
  }
}

/** For each span the coarsest candle; finer ones where none is. */
function counted(candles: readonly Row[]): Row[] {
  const chosen: Row[] = []
  const coarsestFirst = ordered(
    candles,
    descending(({ seconds }) => seconds ?? null),
    ascending(({ start }) => start ?? null),
  )
  for (const candle of coarsestFirst) {
    const place = placeOf(chosen, startOf(candle))
    const [before, after] = [chosen[place - 1], chosen[place]]
    const isFree =
      (before === undefined || endOf(before) <= startOf(candle)) &&
      (after === undefined || endOf(candle) <= startOf(after))
    if (isFree) chosen.splice(place, 0, candle)
  }
  return chosen
}

/** The number of candles, in order, that start before a time. */
function placeOf(candles: readonly Row[], time: bigint): number {
  let [low, high] = [0, candles.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (startOf(candles[middle] as Row) < time) low = middle + 1
    else high = middle
  }
  return low
}
