import { setImmediate } from 'node:timers/promises'
import type { Float64, Table, Vector } from 'apache-arrow'
import { Type } from 'typebox'
import { simpleReturns } from '../../calculations/simple-returns.ts'
import { date, dates, instant, integer, text, texts } from '../../engine/bind.ts'
import type { Engine, Query } from '../../engine/engine.ts'
import { readTemplate } from '../../engine/template.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { DAY_MS, dayOf } from '../../market/day.ts'
import { newYorkInstant } from '../../market/new-york.ts'
import { earlyCloses, sessionClose } from '../../market/sessions.ts'
import { type Calculation, parseCalculations } from '../analytics/calculations.ts'
import { type Figure, figure, joinedReturns, type Series, type Window } from '../analytics/figures.ts'
import { endsBeforeStart, parseRange, parseRangeEnd, resolveWindow } from '../analytics/range.ts'
import { figureBindings } from '../analytics/rows.ts'
import { operation, type Plan, type Shaped } from '../answering/operation.ts'
import { absent, choice, grammar, required } from '../parameters/kinds.ts'
import { tickerList } from '../parameters/market.ts'
import type { Fault, Values } from '../parameters/parameter.ts'

/** Minutes of an intraday bar, null for bars of days and more; and how many of them make a year of 252 sessions. */
const INTERVALS = {
  '1min': { minutes: 1, periodsAYear: 252 * 390 },
  '5min': { minutes: 5, periodsAYear: (252 * 390) / 5 },
  '15min': { minutes: 15, periodsAYear: (252 * 390) / 15 },
  '30min': { minutes: 30, periodsAYear: (252 * 390) / 30 },
  '60min': { minutes: 60, periodsAYear: (252 * 390) / 60 },
  DAILY: { minutes: null, periodsAYear: 252 },
  WEEKLY: { minutes: null, periodsAYear: 52 },
  MONTHLY: { minutes: null, periodsAYear: 12 },
} as const
type Interval = keyof typeof INTERVALS

const parameters = {
  symbols: required(
    tickerList({
      description: 'Tickers, comma-separated, in any case. Duplicates are dropped.',
      example: 'AAPL,MSFT',
      most: 50,
    }),
  ),
  range: required(
    grammar(
      {
        description:
          'Where the window starts: `full`; a length back from `range_end`, else from the last trading date, in calendar units: `Nday`, `Nweek`, `Nmonth`, `Nyear`, and for intraday intervals `Nminute`, `Nhour` (back from the regular close); a month `YYYY-MM` (that month, or with `range_end` from its first day on); a date `YYYY-MM-DD`; for intraday intervals an ISO date-time, UTC unless it says otherwise. The start is inclusive.',
        example: '2month',
      },
      parseRange,
    ),
  ),
  range_end: grammar(
    {
      description:
        'Where the window ends, inclusive: a date, a month (its last day), or for intraday intervals an ISO date-time. Left out: the last data there are.',
      example: '2024-12-31',
    },
    parseRangeEnd,
  ),
  interval: absent(
    choice<Interval>(
      {
        description:
          'The bars that prices are taken from. WEEKLY (weeks start on Monday) and MONTHLY take the last daily bar of the period; 1min to 60min are built from 1-minute bars of the regular session, on marks from 09:30 New York.',
        example: 'DAILY',
      },
      Object.keys(INTERVALS) as Interval[],
    ),
    'DAILY',
  ),
  ohlc: absent(
    choice({ description: 'Which price of a bar.', example: 'close' }, ['open', 'high', 'low', 'close']),
    'close',
  ),
  calculations: required(
    grammar(
      {
        description:
          'What to compute, comma-separated, in any case: MIN, MAX, MEAN, MEDIAN, CUMULATIVE_RETURN, VARIANCE, STDDEV, MAX_DRAWDOWN, HISTOGRAM, AUTOCORRELATION, COVARIANCE, CORRELATION. Options in parentheses: VARIANCE, STDDEV and COVARIANCE take `(annualized=True)`, HISTOGRAM `(bins=20)`, AUTOCORRELATION `(lag=2)`, CORRELATION `(method=PEARSON|KENDALL|SPEARMAN)`.',
        example: 'MEAN,STDDEV(annualized=True)',
      },
      parseCalculations,
    ),
  ),
}
type Asked = Values<typeof parameters>

const figuresTemplate = readTemplate('analytics-window-figures')

export const analyticsWindow = operation({
  id: 'analytics-window',
  path: '/api/analytics/window',
  summary: 'Statistics of returns over a fixed window',
  description: [
    'Everything but CUMULATIVE_RETURN and MAX_DRAWDOWN is computed on simple returns P(t)/P(t−1) − 1 of the chosen price: n prices give n − 1 returns. Variance, standard deviation and covariance are of the population (divided by n). Annualized figures are × 252 for DAILY, × 52 for WEEKLY, × 12 for MONTHLY and × 252 × 390/minutes for intraday intervals, the square root of that for STDDEV.',
    'Prices are adjusted for splits and dividends, open, high and low by the same factor as the close, wherever the lake holds an adjusted close; they are raw elsewhere. Intraday prices are adjusted by the factor of their day.',
    'A symbol without data in the window is null among the scalars and left out of the matrices; when none has data, `meta` and `payload` are null. Too few points for a figure, or no variance where it divides by one: null. COVARIANCE and CORRELATION join prices on the times that all symbols share before returns are taken. All numbers are doubles in full precision.',
    'As rows (CSV, NDJSON, Arrow, Parquet) an answer has one number a row: calculation, symbol, other_symbol (matrices), bin, lower_edge, upper_edge (histograms), start_time, end_time (drawdowns), value.',
  ].join('\n\n'),
  parameters,
  response: responseSchema(),
  check,
  plan,
  shape,
})

function check({ range, range_end, interval }: Asked): Fault[] {
  const faults: Fault[] = []
  const intraday = INTERVALS[interval].minutes !== null
  const timed =
    range.kind === 'instant' || (range.kind === 'back' && (range.unit === 'minute' || range.unit === 'hour'))
  const fault = (name: string, problem: string, example: string) =>
    faults.push({ in: 'query', name, problem, example })
  if (timed && !intraday)
    fault('range', `is finer than a day, which interval ${interval} cannot show`, 'range=2month')
  if (range_end?.kind === 'instant' && !intraday) {
    fault('range_end', `is finer than a day, which interval ${interval} cannot show`, 'range_end=2024-12-31')
  }
  if (endsBeforeStart(range, range_end))
    fault('range_end', 'lies before range', 'range=2024-01-01&range_end=2024-12-31')
  return faults
}

/** The window's days and minutes, and which files can hold them. Nothing is read where the dataset holds no day at all. */
function plan(asked: Asked, snapshot: Snapshot): Plan {
  const { minutes } = INTERVALS[asked.interval]
  const lastDate = snapshot.lastDate(minutes === null ? 'stock_days' : 'stock_bars')
  if (lastDate === null)
    return { bindings: {}, reads: { stock_days: null, stock_bars: null }, resolved: canonical(asked) }
  const window = resolveWindow(asked.range, asked.range_end, lastDate, day =>
    newYorkInstant(day, sessionClose(day)),
  )
  // A trading day of New York touches two days of UTC: instants prune with a day to spare.
  const from = window.from ?? (window.fromMs === null ? null : dayOf(window.fromMs - DAY_MS))
  const to = window.to ?? (window.toMs === null ? null : dayOf(window.toMs + DAY_MS))
  const selection = { ...(from ? { from } : {}), ...(to ? { to } : {}), keys: { ticker: asked.symbols } }
  return {
    bindings: {
      symbols: texts(asked.symbols),
      ohlc: text(asked.ohlc),
      interval: text(minutes === null ? asked.interval : null),
      minutes: integer(minutes),
      from: date(from),
      to: date(to),
      from_time: instant(window.fromMs),
      to_time: instant(window.toMs),
      early_closes: dates(minutes === null ? [] : earlyCloses(from ?? '1990-01-01', to ?? lastDate)),
    },
    // Intraday prices need the adjustment factors of their days.
    reads: { stock_days: selection, stock_bars: minutes === null ? null : selection },
    resolved: [canonical(asked), window],
  }
}

const canonical = ({ symbols, interval, ohlc, calculations }: Asked) => [
  symbols,
  interval,
  ohlc,
  calculations.map(({ key }) => key),
]

async function shape(asked: Asked, query: Query, engine: Engine, signal: AbortSignal): Promise<Shaped> {
  const { minutes, periodsAYear } = INTERVALS[asked.interval]
  const series = seriesOf(await engine.table(query, signal), asked.symbols)
  const showTime =
    minutes === null ? dayOf : (epochMs: number) => `${new Date(epochMs).toISOString().slice(0, 19)}Z`
  const window: Window = {
    symbols: asked.symbols,
    periodsAYear,
    showTime,
    series,
    joined: joinedReturns(series),
  }
  const figures =
    series.length > 0 ? await compute(asked.calculations, window, signal) : new Map<string, Figure>()
  return {
    json: () => Buffer.from(JSON.stringify({ data: document(asked, window, figures) })),
    rows: () => ({ ...query, template: figuresTemplate, bindings: figureBindings(figures) }),
  }
}

/** How long calculations may hold the event loop before other requests get a turn. */
const TURN_MS = 10

/** One calculation after the other, with a pause for other requests, and a look at the deadline, in every turn. */
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

/** The template's rows, one a symbol, in the order of the request. */
function seriesOf(table: Table, symbols: readonly string[]): Series[] {
  const rows = new Map(
    Array.from({ length: table.numRows }, (_, row) => [String(table.getChild('symbol')?.get(row)), row]),
  )
  return symbols.flatMap(symbol => {
    const row = rows.get(symbol)
    if (row === undefined) return []
    const prices: Vector<Float64> = table.getChild('prices')?.get(row)
    const micros: BigInt64Array = table.getChild('times')?.get(row).toArray()
    const times = Float64Array.from(micros, time => Number(time) / 1000)
    return [{ symbol, times, prices, returns: simpleReturns(prices) }]
  })
}

function document(
  { ohlc, interval }: Asked,
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

function responseSchema() {
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
          symbols: Type.String({ description: 'the symbols asked for, comma-joined' }),
          min_dt: Type.String({
            description: 'first data point used: a date, or an instant in UTC for intraday intervals',
          }),
          max_dt: Type.String({ description: 'last data point used' }),
          ohlc: Type.Enum(['Open', 'High', 'Low', 'Close'], { description: 'the price asked for' }),
          interval: Type.Enum(Object.keys(INTERVALS), { description: 'the interval asked for' }),
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
