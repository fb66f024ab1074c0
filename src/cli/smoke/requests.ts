import { date } from '../../engine/bind.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import type { Input } from '../../operations/answering/validate.ts'

/**
 * Requests that a lake should have an answer to. A search looks at one dataset's newest date ($last) and gives, best
 * first, rows whose columns are parameters of the operation; without one the operation is asked as it stands.
 */
interface Search {
  readonly dataset: string
  readonly sql: string
  /** Whether it looks at all that the lake holds of the dataset. */
  readonly everywhere?: boolean
}

const search = (dataset: string, columns: string, order: string): Search => ({
  dataset,
  sql: `SELECT ${columns} FROM read_parquet($files, hive_partitioning = false) WHERE ${order}`,
})

const onLast = (day: string) => `${day} = $last`
const ofTicker = (dataset: string, most: string, where = onLast('date'), column = 'ticker') =>
  search(dataset, `${column} AS ticker`, `${where} GROUP BY ${column} ORDER BY ${most} DESC, ticker LIMIT 5`)
const ofInstitution = search(
  'institution_positions',
  'cik AS name',
  `${onLast('report_date')} GROUP BY cik ORDER BY count(*) DESC, cik LIMIT 5`,
)
const busiest = search(
  'contract_days',
  'option_symbol AS id',
  `${onLast('date')} AND volume > 0 ORDER BY trades DESC, option_symbol LIMIT 5`,
)
const ofUnderlying = ofTicker('contract_days', 'sum(volume)', onLast('date'), 'underlying_symbol')

const SEARCHES: Readonly<Record<string, readonly Search[]>> = {
  'institution-holdings': [ofInstitution],
  'contract-volume-profile': [busiest],
  'volume-oi-expiry': [ofUnderlying],
  'institution-sectors': [ofInstitution],
  'analytics-window': [
    search(
      'stock_days',
      `string_agg(ticker, ',' ORDER BY ticker) AS symbols, '1year' AS range,
       'MEAN,STDDEV(annualized=True),MAX_DRAWDOWN,HISTOGRAM,CORRELATION' AS calculations`,
      `ticker IN (SELECT ticker FROM read_parquet($files, hive_partitioning = false)
       WHERE date = $last ORDER BY volume DESC, ticker LIMIT 3) AND date = $last HAVING count(*) > 0`,
    ),
  ],
  'etf-info': [ofTicker('etf_holdings', 'count(*)', onLast('date'), 'etf')],
  'option-stance': [
    {
      dataset: 'contract_days',
      sql: `SELECT underlying_symbol AS ticker, stance
FROM read_parquet($files, hive_partitioning = false),
  (SELECT unnest(['sell_premium', 'sell_vega', 'directional', 'cheapies', 'leaps']) AS stance)
WHERE date = $last
GROUP BY ALL
ORDER BY sum(volume) DESC, ticker, stance DESC
LIMIT 15`,
    },
  ],
  // Of grants and the like the operation tells nothing.
  'insider-buy-sells': [
    ofTicker('insider_trades', 'count(*)', `transaction_code IN ('P', 'S') AND ${onLast('filing_date')}`),
    { ...ofTicker('insider_trades', 'max(filing_date)', `transaction_code IN ('P', 'S')`), everywhere: true },
  ],
  'crypto-ohlc': [
    search('crypto_candles', `DISTINCT pair, '1h' AS candle_size`, `${onLast('date')} ORDER BY pair LIMIT 5`),
  ],
  insiders: [ofTicker('insiders', 'count(*)', 'true')],
  'oi-per-expiry': [ofUnderlying],
  economy: [search('economic_points', 'DISTINCT indicator', 'value IS NOT NULL ORDER BY indicator LIMIT 5')],
  'darkpool-price-levels': [ofTicker('price_levels', 'sum(dark_pool_volume)')],
  // A contract with an alert shows more than the busiest one.
  'contract-flow': [
    search(
      'flow_alerts',
      'option_chain AS id',
      `${onLast('date')} GROUP BY option_chain ORDER BY max(trade_count) DESC, id LIMIT 5`,
    ),
    busiest,
  ],
  greeks: [
    search(
      'option_chain_days',
      'underlying_symbol AS ticker, expiry',
      `${onLast('date')} AND expiry > $last GROUP BY ALL ORDER BY count(*) DESC, ticker, expiry LIMIT 5`,
    ),
  ],
  'etf-holdings': [ofTicker('etf_holdings', 'count(*)', onLast('date'), 'etf')],
  'cash-flows': [ofTicker('cash_flow_statements', 'count(*)', 'true')],
  'multi-leg-legs': [
    search(
      'multi_leg_legs',
      'multi_leg_id AS id',
      `${onLast('date')} GROUP BY id ORDER BY count(*) DESC, id LIMIT 5`,
    ),
  ],
  'prediction-liquidity': [
    search(
      'prediction_books',
      'asset_id',
      `${onLast('date')} ORDER BY len(bid_prices) + len(ask_prices) DESC, asset_id LIMIT 5`,
    ),
  ],
  'forex-rate': [
    search('fx_quotes', 'DISTINCT base AS "from", quote AS "to"', `${onLast('date')} ORDER BY ALL LIMIT 5`),
  ],
}

/** Values by parameter, for requests that should have an answer, best first; empty where the lake has no such data. */
export async function requestsFor(
  operation: Operation,
  snapshot: Snapshot,
  engine: Engine,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>[]> {
  const searches = SEARCHES[operation.id]
  if (searches === undefined) return [{}]
  const found = await Promise.all(
    searches.map(async ({ dataset, sql, everywhere }) => {
      const last = snapshot.lastDate(dataset)
      if (last === null) return []
      const files = snapshot.files(dataset, everywhere ? {} : { from: last }).map(({ path }) => path)
      const bindings = { files: engine.bindFiles(dataset, files), last: date(last) }
      const template = { name: `${operation.id} request`, sql, parameters: ['files', 'last'] }
      const rows = await engine.encode({ operation: operation.id, template, bindings }, 'ndjson', signal)
      return Buffer.from(rows)
        .toString()
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as Record<string, string>)
    }),
  )
  return found.flat()
}

/** A request in the operation's terms. */
export function inputFor({ parameters }: Operation, values: Readonly<Record<string, string>>): Input {
  const [path, query] = (['path', 'query'] as const).map(place =>
    Object.entries(values).filter(([name]) => parameters[name]?.in === place),
  )
  return { path: Object.fromEntries(path ?? []), query: query ?? [] }
}

/** A request's address on a server. */
export function addressFor(operation: Operation, values: Readonly<Record<string, string>>): string {
  const { path, query } = inputFor(operation, values)
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  )
  return `${filled}${query.length > 0 ? `?${new URLSearchParams(Object.fromEntries(query))}` : ''}`
}
