/**
 * The questions that every peer answers. Each row of `draw` is a request: its columns are the parameters, all of them as
 * text, for us and for the peers. `$day` is the last day with option trades; the name of a dataset in braces is its rows.
 */
export interface Question {
  readonly name: string
  readonly operation: string
  readonly draw: string
  /** The records of an answer of ours. Default: the list `data`. */
  readonly records?: (document: Document) => readonly Record<string, unknown>[]
}

interface Document {
  readonly data: unknown
}

const LAST = '(SELECT DISTINCT date FROM {option_ticker_days} ORDER BY date DESC LIMIT 16)'

interface Analytics {
  readonly payload: { readonly RETURNS_CALCULATIONS: Record<string, Record<string, number>> }
}

export const QUESTIONS: readonly Question[] = [
  {
    name: 'contract flow',
    operation: 'contract-flow',
    draw: `SELECT option_chain_id AS id, $day AS date, 100 AS "limit" FROM {option_trades} WHERE date = $day
      GROUP BY ALL ORDER BY count(*) DESC, id LIMIT 16`,
  },
  {
    name: 'screener',
    operation: 'screener-option-contracts',
    draw: `SELECT date, 'call' AS "type", true AS is_otm, 45 AS max_dte, 0.3 AS min_ask_perc,
      10000 AS min_premium, 'premium' AS "order", 50 AS "limit" FROM ${LAST}`,
  },
  {
    name: 'open interest',
    operation: 'oi-per-expiry',
    draw: `SELECT ticker, $day AS date FROM {option_ticker_days} WHERE date = $day
      ORDER BY volume DESC, ticker LIMIT 16`,
  },
  {
    name: 'greeks',
    operation: 'greeks',
    draw: `SELECT underlying_symbol AS ticker, expiry, $day AS date FROM {option_chain_days} WHERE date = $day
      GROUP BY ALL ORDER BY count(*) DESC, ticker, expiry LIMIT 16`,
  },
  {
    name: 'dark-pool levels',
    operation: 'darkpool-price-levels',
    draw: `SELECT ticker, $day AS date FROM {price_levels} WHERE date = $day
      GROUP BY ALL ORDER BY count(*) DESC, ticker LIMIT 16`,
  },
  {
    name: "insiders' trades",
    operation: 'insider-buy-sells',
    draw: `SELECT ticker FROM {insider_trades} WHERE transaction_code IN ('P', 'S')
      GROUP BY ALL ORDER BY count(*) DESC, ticker LIMIT 16`,
  },
  {
    name: 'crypto candles',
    operation: 'crypto-ohlc',
    draw: `SELECT DISTINCT pair, '1h' AS candle_size, 500 AS "limit", max(date) OVER () AS date
      FROM {crypto_candles} ORDER BY pair LIMIT 16`,
  },
  {
    name: 'congress',
    operation: 'congress-politicians',
    draw: 'SELECT months AS last_traded_within_months FROM range(3, 19) AS months (months)',
  },
  {
    name: 'analytics window',
    operation: 'analytics-window',
    draw: `SELECT string_agg(ticker, ',' ORDER BY ticker) AS symbols, '2024-01-02' AS range, $day AS range_end,
      'MIN,MAX,MEAN,STDDEV,CUMULATIVE_RETURN' AS calculations
      FROM (SELECT ticker, (row_number() OVER (ORDER BY ticker) - 1) // 3 AS trio FROM {stock_days} WHERE date = $day)
      GROUP BY trio ORDER BY trio LIMIT 16`,
    records: ({ data }) => {
      const figures = (data as Analytics).payload.RETURNS_CALCULATIONS
      return Object.keys(Object.values(figures)[0] ?? {}).map(symbol => ({
        symbol,
        ...Object.fromEntries(
          Object.entries(figures).map(([calculation, by]) => [calculation.toLowerCase(), by[symbol]]),
        ),
      }))
    },
  },
  {
    name: 'volume profile',
    operation: 'contract-volume-profile',
    draw: `SELECT option_chain_id AS id, $day AS date FROM {option_trades} WHERE date = $day
      GROUP BY ALL ORDER BY count(*) DESC, id LIMIT 16`,
  },
  {
    name: 'ETF holdings',
    operation: 'etf-holdings',
    draw: 'SELECT DISTINCT etf AS ticker FROM {etf_holdings} ORDER BY etf LIMIT 16',
  },
  {
    name: 'flow alerts',
    operation: 'flow-alerts',
    draw: `SELECT ticker AS ticker_symbol, 1000000 AS min_premium, true AS is_floor, 200 AS "limit" FROM {flow_alerts}
      GROUP BY ALL ORDER BY count(*) DESC, ticker LIMIT 16`,
  },
]
