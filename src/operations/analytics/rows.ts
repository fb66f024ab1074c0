import { type Bindings, doubles, integers, texts } from '../../engine/bind.ts'
import type { Figure, Triangle } from './figures.ts'

/** The figures of an analytics answer as rows, for CSV, NDJSON, Arrow and Parquet. */

/** One number of an answer. `other` is the second symbol of a matrix, `bin` counts a histogram's bins from 0. */
interface Row {
  readonly calculation: string
  readonly symbol: string
  readonly other?: string
  readonly bin?: number
  readonly lower?: number
  readonly upper?: number
  readonly start?: string | null
  readonly end?: string | null
  readonly value: number | null
}

/**
 * Parameters of the template `analytics-window-figures`: one list per column. A missing text is empty there, and NULL
 * in the rows.
 */
export function figureBindings(figures: ReadonlyMap<string, Figure>): Bindings {
  const rows = [...figures].flatMap(([key, figure]) => [...rowsOf(key, figure)])
  const numbers = (pick: (row: Row) => number | null | undefined) => rows.map(row => pick(row) ?? null)
  const words = (pick: (row: Row) => string | null | undefined) => rows.map(row => pick(row) ?? '')
  return {
    calculations: texts(words(row => row.calculation)),
    symbols: texts(words(row => row.symbol)),
    others: texts(words(row => row.other)),
    bins: integers(numbers(row => row.bin)),
    lowers: doubles(numbers(row => row.lower)),
    uppers: doubles(numbers(row => row.upper)),
    starts: texts(words(row => row.start)),
    ends: texts(words(row => row.end)),
    values: doubles(numbers(row => row.value)),
  }
}

function* rowsOf(calculation: string, figure: Figure): Generator<Row> {
  if (figure.shape === 'covariance' || figure.shape === 'correlation') {
    const triangle = figure.value[figure.shape] as Triangle
    for (const [i, line] of triangle.entries()) {
      for (const [j, value] of line.entries()) {
        yield { calculation, symbol: figure.value.index[i] ?? '', other: figure.value.index[j] ?? '', value }
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
      const { start_drawdown: start, end_drawdown: end } = found?.drawdown_range ?? {
        start_drawdown: null,
        end_drawdown: null,
      }
      yield { calculation, symbol, start, end, value: found?.max_drawdown ?? null }
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
        lower: found?.bin_edges[bin] ?? 0,
        upper: found?.bin_edges[bin + 1] ?? 0,
        value,
      }
    }
  }
}
