import type { Float64, Table, Vector } from 'apache-arrow'
import { simpleReturns } from '../../calculations/simple-returns.ts'
import { inTurns } from '../../engine/encode/turns.ts'
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
): Promise<Map<string, Figure>> {
  const figures = new Map<string, Figure>()
  await inTurns(figuresOf(calculations, window), signal, found => {
    if (found) figures.set(...found)
  })
  return figures
}

/** The template's rows, one per symbol, in the order of the request. */
export function seriesOf(table: Table, symbols: readonly string[]): Series[] {
  const column = (name: string) => table.getChild(name)
  const [times, periods, prices] = [column('times'), column('periods'), column('prices')]
  const [adjustedFor, suspected] = [column('adjusted_for'), column('suspected')]
  const names = column('symbol')
  const rows = new Map(Array.from({ length: table.numRows }, (_, row) => [String(names?.get(row)), row]))
  return symbols.flatMap(symbol => {
    const row = rows.get(symbol)
    if (row === undefined) return []
    const ofPrices: Vector<Float64> = prices?.get(row)
    const returns = simpleReturns(ofPrices)
    const ofTimes = epochMsOf(times?.get(row))
    const ofPeriods: Vector | null = periods?.get(row)
    return [
      {
        symbol,
        times: ofTimes,
        periods: ofPeriods === null ? ofTimes : epochMsOf(ofPeriods),
        prices: ofPrices,
        returns,
        variation: withoutRounding(returns),
        adjustedFor: adjustedFor?.get(row),
        suspected: [...(suspected?.get(row) ?? [])].map(({ date, ratio }) => ({ date, ratio })),
      },
    ]
  })
}

const TWO_TO_32 = 2 ** 32

/** Epoch milliseconds of timestamps in microseconds, read as 32-bit words: a BigInt per value would take thirty times as long. */
function epochMsOf(timestamps: Vector): Float64Array {
  const micros: BigInt64Array = timestamps.toArray()
  const words = new Int32Array(micros.buffer, micros.byteOffset, micros.length * 2)
  const times = new Float64Array(micros.length)
  for (let index = 0; index < times.length; index += 1) {
    const low = (words[index * 2] as number) >>> 0
    times[index] = ((words[index * 2 + 1] as number) * TWO_TO_32 + low) / 1000
  }
  return times
}
