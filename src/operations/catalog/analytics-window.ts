import { Type } from 'typebox'
import { date, dates, instant, integer, text, texts } from '../../engine/bind.ts'
import { inTurns } from '../../engine/encode/turns.ts'
import type { Engine, Query } from '../../engine/engine.ts'
import { readTemplate } from '../../engine/template.ts'
import { newWire, writeText } from '../../engine/text/wire.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { DAY_MS, dayOf } from '../../market/day.ts'
import { newYorkInstant } from '../../market/new-york.ts'
import { earlyCloses, sessionClose } from '../../market/sessions.ts'
import { CALCULATIONS_PATTERN, parseCalculations } from '../analytics/calculations.ts'
import { windowSchema, windowText } from '../analytics/document.ts'
import { INTERVALS, type Interval } from '../analytics/intervals.ts'
import { leastBytes } from '../analytics/least-bytes.ts'
import {
  endsBeforeStart,
  parseRange,
  parseRangeEnd,
  RANGE_END_PATTERN,
  RANGE_PATTERN,
  resolveWindow,
} from '../analytics/range.ts'
import { figureBindings } from '../analytics/rows.ts'
import { search } from '../answering/example.ts'
import { operation, type Plan, type Shaped, type Wanted } from '../answering/operation.ts'
import { joined, type OperationFields, without } from '../fields/notation.ts'
import { absent, choice, grammar, required } from '../parameters/kinds.ts'
import { tickerList } from '../parameters/market.ts'
import type { Fault, Values } from '../parameters/parameter.ts'

const parameters = {
  symbols: required(
    tickerList({
      description: 'Comma-separated tickers, in any case. Duplicates are dropped.',
      example: 'AAPL,MSFT',
      most: 50,
    }),
  ),
  range: required(
    grammar(
      {
        description:
          'Start of the window, inclusive: `full`; a length back from `range_end`, else from the last closed trading date, in calendar units: `Nday`, `Nweek`, `Nmonth`, `Nyear`, and for intraday intervals `Nminute`, `Nhour` (back from the regular close); a month `YYYY-MM` (that month, or with `range_end` from its first day on); a date `YYYY-MM-DD`; for intraday intervals an ISO date-time, in UTC unless it has an offset.',
        example: '2month',
        schema: Type.String({ pattern: RANGE_PATTERN }),
      },
      parseRange,
    ),
  ),
  range_end: grammar(
    {
      description:
        'End of the window, inclusive: a date, a month (its last day), or for intraday intervals an ISO date-time. Default: the latest data.',
      example: '2024-12-31',
      schema: Type.String({ pattern: RANGE_END_PATTERN }),
    },
    parseRangeEnd,
  ),
  interval: absent(
    choice<Interval>(
      {
        description:
          'The bars of the prices. WEEKLY (weeks start on Monday) and MONTHLY are built from daily bars; 1min to 60min are built from 1-minute bars of the regular session, on marks from 09:30 New York.',
        example: 'DAILY',
      },
      Object.keys(INTERVALS) as Interval[],
    ),
    'DAILY',
  ),
  ohlc: absent(
    choice({ description: 'The price of a bar to use.', example: 'close' }, ['open', 'high', 'low', 'close']),
    'close',
  ),
  calculations: required(
    grammar(
      {
        description:
          'Comma-separated calculations, in any case: MIN, MAX, MEAN, MEDIAN, CUMULATIVE_RETURN, VARIANCE, STDDEV, MAX_DRAWDOWN, HISTOGRAM, AUTOCORRELATION, COVARIANCE, CORRELATION. Options are in parentheses: VARIANCE, STDDEV and COVARIANCE have `(annualized=True)`, HISTOGRAM `(bins=20)`, AUTOCORRELATION `(lag=2)`, CORRELATION `(method=PEARSON|KENDALL|SPEARMAN)`.',
        example: 'MEAN,STDDEV(annualized=True)',
        schema: Type.String({ pattern: CALCULATIONS_PATTERN }),
      },
      parseCalculations,
    ),
  ),
}
type Request = Values<typeof parameters>

const NO_DATA = 'no symbol has data in the window'

const fields: OperationFields = {
  dating: ['stock_days', 'stock_bars'],
  parts: [
    {
      at: 'data',
      fields: [
        without('nested', 'meta', 'object', 'see below', NO_DATA),
        without('nested', 'payload', 'object', 'see below', NO_DATA),
      ],
    },
    {
      at: 'data.meta',
      fields: [
        without('request', 'symbols', 'string', 'the requested symbols, comma-joined'),
        joined(
          'min_dt',
          'string',
          'stock_days.date stock_bars.start',
          'first data point used: a date, or an instant',
        ),
        joined(
          'max_dt',
          'string',
          'stock_days.date stock_bars.start',
          'last data point used: a date, or an instant',
        ),
        without('request', 'ohlc', 'string', 'the requested price; default: `Close`'),
        without('request', 'interval', 'string', 'the requested interval; default: `DAILY`'),
        joined(
          'adjusted_for',
          'object',
          'price_adjustments.split_ratio price_adjustments.dividend_ratio stock_days.adjusted_close stock_days.ticker',
          'by symbol: `raw`, `splits` or `splits_and_dividends`; null without data',
        ),
        without('nested', 'suspected_splits', 'array of object', 'see below'),
      ],
    },
    {
      at: 'data.meta.suspected_splits[]',
      fields: [
        joined('symbol', 'string', 'price_adjustments.ticker', 'one of the requested symbols'),
        joined('date', 'date', 'price_adjustments.date', 'the day that opens near the ratio'),
        joined(
          'ratio',
          'string',
          'price_adjustments.suspected_split',
          'shares after and before, such as `4:1`',
        ),
      ],
    },
    {
      at: 'data.payload',
      fields: [
        joined(
          'RETURNS_CALCULATIONS',
          'object',
          [
            'stock_days.adjusted_close price_adjustments.adjustment stock_days.open stock_days.high stock_days.low stock_days.close',
            'stock_days.date stock_days.ticker',
            'stock_bars.open stock_bars.high stock_bars.low stock_bars.close stock_bars.start stock_bars.ticker',
          ].join(' '),
          'by symbol, each calculation on the chosen price, adjusted for splits and dividends; intraday on minute bars',
        ),
      ],
    },
  ],
  parameters: [
    joined('symbols', 'string', 'stock_days.ticker stock_bars.ticker', 'one of these tickers'),
    joined(
      'range',
      'string',
      'stock_days.date stock_bars.date stock_bars.start',
      'the days or instants of the window',
    ),
  ],
}

export const analyticsWindow = operation({
  id: 'analytics-window',
  fields,
  examples: [
    search(
      'stock_days',
      `string_agg(ticker, ',' ORDER BY ticker) AS symbols, '1year' AS range,
       'MEAN,STDDEV(annualized=True),MAX_DRAWDOWN,HISTOGRAM,CORRELATION' AS calculations`,
      `ticker IN (SELECT ticker FROM read_parquet($files, hive_partitioning = false)
       WHERE date = $last ORDER BY volume DESC, ticker LIMIT 3) AND date = $last HAVING count(*) > 0`,
    ),
  ],
  parameters,
  response: windowSchema(),
  check,
  plan,
  shape,
})

function check({ range, range_end, interval }: Partial<Request>): Fault[] {
  const faults: Fault[] = []
  const daily = interval !== undefined && INTERVALS[interval].minutes === null
  const timed =
    range?.kind === 'instant' ||
    (range?.kind === 'back' && (range.unit === 'minute' || range.unit === 'hour'))
  const fault = (name: string, problem: string, example: string) =>
    faults.push({ in: 'query', name, problem, example })
  if (timed && daily)
    fault('range', `is finer than a day, which interval ${interval} does not support`, 'range=2month')
  if (range_end?.kind === 'instant' && daily) {
    fault(
      'range_end',
      `is finer than a day, which interval ${interval} does not support`,
      'range_end=2024-12-31',
    )
  }
  if (range && range_end && endsBeforeStart(range, range_end))
    fault('range_end', 'is before range', 'range=2024-01-01&range_end=2024-12-31')
  return faults
}

/** The window's days and minutes, and the files that can contain them. Reads nothing if the dataset is empty. */
function plan(request: Request, snapshot: Snapshot): Plan {
  const { minutes } = INTERVALS[request.interval]
  // Intraday prices need the adjustment factors of their days.
  const lastDate =
    minutes === null ? snapshot.closedDate('stock_days') : snapshot.closedDate('stock_bars', 'stock_days')
  if (lastDate === null)
    return {
      bindings: {},
      reads: minutes === null ? { stock_bars: null } : { stock_days: null },
      resolved: canonical(request),
    }
  const window = resolveWindow(request.range, request.range_end, lastDate, day =>
    newYorkInstant(day, sessionClose(day)),
  )
  // A trading day of New York overlaps two days of UTC: instants prune with a day of margin.
  const from = window.from ?? (window.fromMs === null ? null : dayOf(window.fromMs - DAY_MS))
  const to = window.to ?? (window.toMs === null ? null : dayOf(window.toMs + DAY_MS))
  const selection = { ...(from ? { from } : {}), ...(to ? { to } : {}), keys: { ticker: request.symbols } }
  return {
    date: to ?? lastDate,
    bindings: {
      symbols: texts(request.symbols),
      ohlc: text(request.ohlc),
      interval: text(minutes === null ? request.interval : null),
      minutes: integer(minutes),
      from: date(from),
      to: date(to),
      from_time: instant(window.fromMs),
      to_time: instant(window.toMs),
      early_closes: dates(minutes === null ? [] : earlyCloses(from ?? '1990-01-01', to ?? lastDate)),
    },
    reads: {
      stock_days: selection,
      price_adjustments: selection,
      stock_bars: minutes === null ? null : selection,
    },
    resolved: [canonical(request), window],
  }
}

const canonical = ({ symbols, interval, ohlc, calculations }: Request) => [
  symbols,
  interval,
  ohlc,
  calculations.map(({ key }) => key),
]

/** The part by which the text of histograms may be longer than the least length. What is not written takes no memory. */
const ROOM = 1.25
/** Bytes for what an answer has besides histograms. */
const WIRE_BYTES = 4096

async function shape(
  request: Request,
  query: Query,
  engine: Engine,
  signal: AbortSignal,
  { format, fits, isShared }: Wanted,
): Promise<Shaped> {
  const { minutes, periodsAYear } = INTERVALS[request.interval]
  // Loaded when the first window is computed: the calculations need the packages of Arrow.
  const { compute, figuresOf, seriesOf } = await import('../analytics/compute.ts')
  const { windowOf } = await import('../analytics/figures.ts')
  const series = seriesOf(await engine.table(query, signal), request.symbols)
  const least = leastBytes(request.calculations, series, format)
  fits(least)
  const showTime =
    minutes === null ? dayOf : (epochMs: number) => `${new Date(epochMs).toISOString().slice(0, 19)}Z`
  const window = windowOf({ symbols: request.symbols, periodsAYear, showTime }, series)
  return {
    json: async () => {
      const wire = newWire(Math.ceil(ROOM * least) + WIRE_BYTES)
      const write = (piece: string | undefined) => {
        if (piece !== undefined) writeText(wire, piece)
        fits(wire.at)
      }
      await inTurns(
        windowText(request, window, figuresOf(request.calculations, window)),
        signal,
        write,
        isShared,
      )
      return { bytes: wire.bytes.subarray(0, wire.at), rows: series.length }
    },
    rows: async () => ({
      ...query,
      template: readTemplate('analytics-window-figures'),
      bindings: figureBindings(await compute(request.calculations, window, signal, isShared)),
    }),
  }
}
