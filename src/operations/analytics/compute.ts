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
  const rows = new Map(
    Array.from({ length: table.numRows }, (_, row) => [String(table.getChild('symbol')?.get(row)), row]),
  )
  return symbols.flatMap(symbol => {
    const row = rows.get(symbol)
    if (row === undefined) return []
    const prices: Vector<Float64> = table.getChild('prices')?.get(row)
    const returns = simpleReturns(prices)
    const times = epochMsOf(table, 'times', row)
    return [
      {
        symbol,
        times,
        periods: table.getChild('periods')?.get(row) ? epochMsOf(table, 'periods', row) : times,
        prices,
        returns,
        variation: withoutRounding(returns),
        adjustedFor: table.getChild('adjusted_for')?.get(row),
        suspected: [...(table.getChild('suspected')?.get(row) ?? [])].map(({ date, ratio }) => ({
          date,
          ratio,
        })),
      },
    ]
  })
}

function epochMsOf(table: Table, column: string, row: number): Float64Array {
  const micros: BigInt64Array = table.getChild(column)?.get(row).toArray()
  return Float64Array.from(micros, time => Number(time) / 1000)
}
