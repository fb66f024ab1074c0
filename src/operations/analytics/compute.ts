import { setImmediate } from 'node:timers/promises'
import type { Float64, Table, Vector } from 'apache-arrow'
import { simpleReturns } from '../../calculations/simple-returns.ts'
import type { Calculation } from './calculations.ts'
import { type Figure, figure, type Series, type Window } from './figures.ts'
import { withoutRounding } from './variation.ts'

/** How long calculations may block the event loop before other requests get a turn. */
const TURN_MS = 10

/** Runs one calculation after the other. After each turn it lets other requests run and checks the deadline. */
export async function compute(
  calculations: readonly Calculation[],
  window: Window,
  signal: AbortSignal,
): Promise<Map<string, Figure>> {
  const figures = new Map<string, Figure>()
  let turnEnds = performance.now() + TURN_MS
  for (const calculation of calculations) {
    const steps = figure(calculation, window)
    let step = steps.next()
    while (!step.done) {
      if (performance.now() >= turnEnds) {
        await setImmediate()
        signal.throwIfAborted()
        turnEnds = performance.now() + TURN_MS
      }
      step = steps.next()
    }
    figures.set(calculation.key, step.value)
  }
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
