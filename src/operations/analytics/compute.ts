import type { DataType, Float64, Table, TimestampMicrosecond, Uint8, Utf8, Vector } from 'apache-arrow'
import { simpleReturns } from '../../calculations/simple-returns.ts'
import { float64Vector } from '../../calculations/values/float64-vector.ts'
import { type IsShared, inTurns } from '../../engine/encode/turns.ts'
import { dayOf } from '../../market/day.ts'
import type { AdjustedFor } from './adjusted-for.ts'
import type { Calculation } from './calculations.ts'
import { type Computing, type Figure, figure, type Series, type Window } from './figures.ts'
import { withoutRounding } from './variation.ts'

/** One calculation after the other, in steps. Steps without a figure are pauses. */
export function* figuresOf(calculations: readonly Calculation[], window: Window): Computing {
  if (window.series.length === 0) return
  for (const calculation of calculations) yield [calculation.key, yield* figure(calculation, window)]
}

/** All figures at once, computed in turns with other requests. */
export async function compute(
  calculations: readonly Calculation[],
  window: Window,
  signal: AbortSignal,
  isShared?: IsShared,
): Promise<Map<string, Figure>> {
  const figures = new Map<string, Figure>()
  const take = (found: readonly [string, Figure] | undefined) => {
    if (found) figures.set(...found)
  }
  await inTurns(figuresOf(calculations, window), signal, take, isShared)
  return figures
}

/**
 * The series in the rows of the template, in the order of the request. The rows of a symbol follow each other: those with
 * a price, oldest first, and then those without.
 */
export function seriesOf(table: Table, symbols: readonly string[]): Series[] {
  const columns = columnsOf(table)
  const found = new Map<string, Series>()
  const rows = table.numRows
  let before: Series | undefined
  let [rowsBefore, pricesBefore] = [0, 0]
  for (let from = 0; from < rows; ) {
    const symbol = String(columns.symbol.get(from))
    const to = firstOf(from, rows, from + rowsBefore, row => columns.symbol.get(row) !== symbol)
    const end = firstOf(from, to, from + pricesBefore, row => !columns.price.isValid(row))
    if (end > from) {
      before = seriesIn(columns, symbol, from, end, to, before)
      found.set(symbol, before)
    }
    rowsBefore = to - from
    pricesBefore = end - from
    from = to
  }
  return symbols.flatMap(symbol => found.get(symbol) ?? [])
}

/** The columns of the template. */
function columnsOf(table: Table) {
  const column = <Type extends DataType>(name: string): Vector<Type> => {
    const found = table.getChild(name)
    if (found === null) throw new Error(`the template has no column ${name}`)
    return found
  }
  const period = column<TimestampMicrosecond>('period')
  return {
    symbol: column<Utf8>('symbol'),
    price: column<Float64>('price'),
    time: column<TimestampMicrosecond>('time'),
    period: period.nullCount < period.length ? period : null,
    isAdjusted: column<Uint8>('is_adjusted'),
    splits: column<Float64>('split_ratio'),
    dividends: column<Float64>('dividend_ratio'),
    suspected: column<Utf8>('suspected_split'),
  }
}

type Columns = ReturnType<typeof columnsOf>

/**
 * The series of a symbol: its rows are `from` to `to`, exclusive, and those before `end` have a price. Most symbols have the
 * times of the one `before`, and share them.
 */
function seriesIn(
  columns: Columns,
  symbol: string,
  from: number,
  end: number,
  to: number,
  before: Series | undefined,
): Series {
  const prices = float64Vector(memoryOf(columns.price, from, end))
  const returns = simpleReturns(prices)
  const times = epochMsOf(memoryOf(columns.time, from, end), before?.times)
  return {
    symbol,
    times,
    periods:
      columns.period === null ? times : epochMsOf(memoryOf(columns.period, from, end), before?.periods),
    prices,
    returns,
    variation: withoutRounding(returns),
    adjustedFor: adjustedForIn(columns, from, end, to),
    suspected: suspectedIn(columns, end, to),
  }
}

/** Prices are adjusted for all that the source of the adjusted closes knows, if each bar has one. */
function adjustedForIn(
  { isAdjusted, splits, dividends }: Columns,
  from: number,
  end: number,
  to: number,
): AdjustedFor {
  // Either all prices of a symbol are those of bars of days, or none is.
  let hasBars = isAdjusted.isValid(from)
  let areAdjusted = !hasBars || !memoryOf(isAdjusted, from, end).includes(0)
  let [hasSplits, hasDividends] = [false, false]
  for (let row = end; row < to; row += 1) {
    const isBar = isAdjusted.isValid(row)
    hasBars ||= isBar
    areAdjusted &&= !isBar || isAdjusted.get(row) === 1
    hasSplits ||= splits.isValid(row)
    hasDividends ||= dividends.isValid(row)
  }
  if (hasDividends || (hasBars && areAdjusted)) return 'splits_and_dividends'
  return hasSplits ? 'splits' : 'raw'
}

function suspectedIn({ suspected, time }: Columns, from: number, to: number) {
  const found: { date: string; ratio: string }[] = []
  for (let row = from; row < to; row += 1)
    if (suspected.isValid(row))
      found.push({ date: dayOf(Number(time.get(row))), ratio: String(suspected.get(row)) })
  return found
}

/**
 * The values of rows that all have one, as memory: that of the column, unless the rows are in several parts of it. A copy of all
 * columns would be a fifth of what a long window takes, and a vector of the rows half as much.
 */
function memoryOf<Type extends DataType>(column: Vector<Type>, from: number, end: number): Type['TArray'] {
  let start = 0
  for (const { length, values } of column.data) {
    if (start <= from && end <= start + length) return values.subarray(from - start, end - start)
    start += length
  }
  return column.slice(from, end).toArray()
}

/**
 * The first number from `from` to `to`, exclusive, that passes, if all after it do too; otherwise `to`. `guess` is tried first: most
 * symbols have as many rows as the one before.
 */
function firstOf(from: number, to: number, guess: number, passes: (at: number) => boolean): number {
  if (from < guess && guess <= to && !passes(guess - 1) && (guess === to || passes(guess))) return guess
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(middle)) high = middle
    else low = middle + 1
  }
  return low
}

const TWO_TO_32 = 2 ** 32

/**
 * Epoch milliseconds of timestamps in microseconds, read as 32-bit words: a BigInt per value would take thirty times as long. If
 * they are those that are `known`, these are returned.
 */
function epochMsOf(micros: BigInt64Array, known?: Float64Array): Float64Array {
  const words = new Int32Array(micros.buffer, micros.byteOffset, micros.length * 2)
  if (known !== undefined && areTimes(words, known)) return known
  const times = new Float64Array(micros.length)
  for (let index = 0; index < times.length; index += 1) times[index] = epochMsAt(words, index)
  return times
}

/** Whether the words are those of these times. A loop, since a function that is called with each number makes an object of each. */
function areTimes(words: Int32Array, times: Float64Array): boolean {
  if (words.length !== times.length * 2) return false
  for (let index = 0; index < times.length; index += 1)
    if (times[index] !== epochMsAt(words, index)) return false
  return true
}

function epochMsAt(words: Int32Array, index: number): number {
  const low = (words[index * 2] as number) >>> 0
  return ((words[index * 2 + 1] as number) * TWO_TO_32 + low) / 1000
}
