import { Type } from 'typebox'
import { ADJUSTED_FOR } from './adjusted-for.ts'
import type { Computing, Figure, Window } from './figures.ts'
import { INTERVALS, type Interval } from './intervals.ts'

type Asked = { readonly ohlc: string; readonly interval: Interval }

/**
 * The JSON answer, in pieces: of a long one, no piece is long. Each figure is written when it is computed, so that one of them
 * is in memory. Steps without a piece are pauses of the computation.
 */
export function* windowText(
  asked: Asked,
  window: Window,
  figures: Computing,
): Generator<string | undefined, void> {
  if (window.series.length === 0) {
    yield '{"data":{"meta":null,"payload":null}}'
    return
  }
  yield `{"data":{"meta":${JSON.stringify(metaOf(asked, window))},"payload":{"RETURNS_CALCULATIONS":`
  let before = '{'
  for (const found of figures) {
    if (!found) {
      yield
      continue
    }
    const [key, { value }] = found
    yield `${before}${JSON.stringify(key)}:`
    yield* figureText(value)
    before = ','
  }
  yield '}}}}'
}

/** A piece per symbol, or per part of a matrix. */
function* figureText(value: Figure['value']): Generator<string, void> {
  let before = '{'
  for (const [name, part] of Object.entries(value)) {
    yield `${before}${JSON.stringify(name)}:${JSON.stringify(part)}`
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

function metaOf({ ohlc, interval }: Asked, { symbols, series, bySymbol, showTime }: Window) {
  const first = Math.min(...series.map(({ times }) => times[0] ?? Number.NaN))
  const last = Math.max(...series.map(({ times }) => times.at(-1) ?? Number.NaN))
  return {
    symbols: symbols.join(','),
    min_dt: showTime(first),
    max_dt: showTime(last),
    ohlc: `${ohlc[0]?.toUpperCase()}${ohlc.slice(1)}`,
    interval,
    adjusted_for: Object.fromEntries(
      symbols.map(symbol => [symbol, bySymbol.get(symbol)?.adjustedFor ?? null]),
    ),
    suspected_splits: series.flatMap(({ symbol, suspected }) => suspected.map(each => ({ symbol, ...each }))),
  }
}

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const number = nullable(Type.Number())
const date = nullable(Type.String())

const drawdown = Type.Object(
  {
    max_drawdown: Type.Number({ maximum: 0 }),
    drawdown_range: Type.Object(
      { start_drawdown: date, end_drawdown: date },
      { title: 'DrawdownRange', additionalProperties: false },
    ),
  },
  { title: 'Drawdown', additionalProperties: false },
)
const histogram = Type.Object(
  { bin_count: Type.Array(Type.Integer({ minimum: 0 })), bin_edges: Type.Array(Type.Number()) },
  { title: 'Histogram', additionalProperties: false },
)
const matrix = (name: 'covariance' | 'correlation') =>
  Type.Object(
    {
      index: Type.Array(Type.String(), { description: 'the symbols with data' }),
      [name]: Type.Array(Type.Array(number), { description: 'lower triangle with the diagonal' }),
    },
    { title: `${name[0]?.toUpperCase()}${name.slice(1)}Matrix`, additionalProperties: false },
  )

const perSymbol = Type.Object(
  {},
  {
    title: 'FiguresPerSymbol',
    additionalProperties: Type.Union([drawdown, histogram, Type.Number(), Type.Null()]),
  },
)

/** The schema of the JSON answer. */
export function windowSchema() {
  // A generated client takes the first one that fits.
  const figure = Type.Union([matrix('covariance'), matrix('correlation'), perSymbol], {
    description:
      'Scalars: {SYMBOL: number or null}. MAX_DRAWDOWN: {SYMBOL: {max_drawdown, drawdown_range: {start_drawdown, end_drawdown}}}. HISTOGRAM: {SYMBOL: {bin_count, bin_edges}}. COVARIANCE, CORRELATION: {index, covariance | correlation: lower triangle with the diagonal}.',
  })
  const meta = Type.Object(
    {
      symbols: Type.String({ description: 'the requested symbols, comma-joined' }),
      min_dt: Type.String({
        description: 'first data point used: a date, or an instant in UTC for intraday intervals',
      }),
      max_dt: Type.String({ description: 'last data point used' }),
      ohlc: Type.Enum(['Open', 'High', 'Low', 'Close'], {
        type: 'string',
        description: 'the requested price',
      }),
      interval: Type.Enum(Object.keys(INTERVALS), { type: 'string', description: 'the requested interval' }),
      adjusted_for: Type.Object(
        {},
        {
          title: 'AdjustedFor',
          description:
            'for each symbol what its prices in the window are adjusted for; null for a symbol without data',
          additionalProperties: nullable(Type.Enum([...ADJUSTED_FOR], { type: 'string' })),
        },
      ),
      suspected_splits: Type.Array(
        Type.Object(
          { symbol: Type.String(), date: Type.String(), ratio: Type.String() },
          { title: 'SuspectedSplit', additionalProperties: false },
        ),
        { description: 'days that open near a ratio of splits, without a split in the lake' },
      ),
    },
    { title: 'AnalyticsWindowMeta', additionalProperties: false },
  )
  const payload = Type.Object(
    {
      RETURNS_CALCULATIONS: Type.Object(
        {},
        {
          title: 'ReturnsCalculations',
          description: 'each calculation under its name in upper case, options included',
          additionalProperties: figure,
        },
      ),
    },
    { title: 'AnalyticsWindowPayload', additionalProperties: false },
  )
  const data = Type.Object(
    { meta: nullable(meta), payload: nullable(payload) },
    { title: 'AnalyticsWindow', additionalProperties: false },
  )
  return Type.Object({ data }, { title: 'AnalyticsWindowResponse', additionalProperties: false })
}
