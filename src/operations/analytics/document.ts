import { Type } from 'typebox'
import type { Figure, Window } from './figures.ts'
import { INTERVALS, type Interval } from './intervals.ts'

/** The `data` of the JSON answer. */
export function windowDocument(
  { ohlc, interval }: { readonly ohlc: string; readonly interval: Interval },
  { symbols, series, showTime }: Window,
  figures: ReadonlyMap<string, Figure>,
) {
  if (series.length === 0) return { meta: null, payload: null }
  const first = Math.min(...series.map(({ times }) => times[0] ?? Number.NaN))
  const last = Math.max(...series.map(({ times }) => times.at(-1) ?? Number.NaN))
  return {
    meta: {
      symbols: symbols.join(','),
      min_dt: showTime(first),
      max_dt: showTime(last),
      ohlc: `${ohlc[0]?.toUpperCase()}${ohlc.slice(1)}`,
      interval,
    },
    payload: {
      RETURNS_CALCULATIONS: Object.fromEntries([...figures].map(([key, { value }]) => [key, value])),
    },
  }
}

/** The schema of the JSON answer. */
export function windowSchema() {
  const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
    Type.Union([schema, Type.Null()])
  const figure = Type.Unknown({
    description:
      'Scalars: {SYMBOL: number or null}. MAX_DRAWDOWN: {SYMBOL: {max_drawdown, drawdown_range: {start_drawdown, end_drawdown}}}. HISTOGRAM: {SYMBOL: {bin_count, bin_edges}}. COVARIANCE, CORRELATION: {index, covariance | correlation: lower triangle with the diagonal}.',
  })
  return Type.Object({
    data: Type.Object({
      meta: nullable(
        Type.Object({
          symbols: Type.String({ description: 'the requested symbols, comma-joined' }),
          min_dt: Type.String({
            description: 'first data point used: a date, or an instant in UTC for intraday intervals',
          }),
          max_dt: Type.String({ description: 'last data point used' }),
          ohlc: Type.Enum(['Open', 'High', 'Low', 'Close'], { description: 'the requested price' }),
          interval: Type.Enum(Object.keys(INTERVALS), { description: 'the requested interval' }),
        }),
      ),
      payload: nullable(
        Type.Object({
          RETURNS_CALCULATIONS: Type.Record(Type.String(), figure, {
            description: 'each calculation under its name in upper case, options included',
          }),
        }),
      ),
    }),
  })
}
