import { type Bindings, text } from '../../engine/bind.ts'
import type { Figure, Triangle } from './figures.ts'

/** The figures of an analytics answer as rows, for CSV, NDJSON, Arrow and Parquet. */

/** One number of an answer, by column. `other_symbol` is the second symbol of a matrix, `bin` counts a histogram's bins from 0. */
interface Row {
  readonly calculation: string
  readonly symbol: string
  readonly other_symbol?: string
  readonly bin?: number
  readonly lower_edge?: number
  readonly upper_edge?: number
  readonly start_time?: string | null
  readonly end_time?: string | null
  readonly value: number | null
}

/** The parameter of the template `analytics-window-figures`: the rows as JSON. */
export const figureBindings = (figures: ReadonlyMap<string, Figure>): Bindings => ({
  figures: text(JSON.stringify([...figures].flatMap(([key, figure]) => [...rowsOf(key, figure)]))),
})

function* rowsOf(calculation: string, figure: Figure): Generator<Row> {
  if (figure.shape === 'covariance' || figure.shape === 'correlation') {
    const triangle = figure.value[figure.shape] as Triangle
    for (const [i, line] of triangle.entries()) {
      for (const [j, value] of line.entries()) {
        yield {
          calculation,
          symbol: figure.value.index[i] ?? '',
          other_symbol: figure.value.index[j] ?? '',
          value,
        }
      }
    }
    return
  }
  if (figure.shape === 'scalar') {
    for (const [symbol, value] of Object.entries(figure.value)) yield { calculation, symbol, value }
    return
  }
  if (figure.shape === 'drawdown') {
    for (const [symbol, found] of Object.entries(figure.value)) {
      const { start_drawdown: start_time, end_drawdown: end_time } = found?.drawdown_range ?? {
        start_drawdown: null,
        end_drawdown: null,
      }
      yield { calculation, symbol, start_time, end_time, value: found?.max_drawdown ?? null }
    }
    return
  }
  for (const [symbol, found] of Object.entries(figure.value)) {
    if (found === null) yield { calculation, symbol, value: null }
    for (const [bin, value] of found?.bin_count.entries() ?? []) {
      yield {
        calculation,
        symbol,
        bin,
        lower_edge: found?.bin_edges[bin] ?? 0,
        upper_edge: found?.bin_edges[bin + 1] ?? 0,
        value,
      }
    }
  }
}
