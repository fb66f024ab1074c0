/**
 * Requests to every operation: a typical one and, where an answer can be long or take more work, a heavy one. Each is a
 * SELECT of at most one row, whose columns are the parameters; `{dataset}` and `$day` are as in the questions to peers.
 */
export interface Request {
  readonly operation: string
  readonly form: 'typical' | 'heavy'
  readonly draw: string
}

const typical = (operation: string, draw: string): Request => ({ operation, form: 'typical', draw })
const heavy = (operation: string, draw: string): Request => ({ operation, form: 'heavy', draw })

const busiest = (column: string, dataset: string) =>
  `${column} FROM {${dataset}} GROUP BY ${column.split(' AS ')[0]} ORDER BY count(*) DESC, ${column.split(' AS ')[0]} LIMIT 1`
const CONTRACT = `option_chain_id AS id, $day AS date FROM {option_trades} WHERE date = $day
  GROUP BY option_chain_id ORDER BY count(*) DESC, id LIMIT 1`
const TICKER = 'ticker, $day AS date FROM {option_ticker_days} WHERE date = $day ORDER BY volume DESC LIMIT 1'
const INSTITUTION =
  'cik AS name FROM {institution_positions} GROUP BY cik ORDER BY count(*) DESC, cik LIMIT 1'

export const REQUESTS: readonly Request[] = [
  typical('screener-option-contracts', `SELECT 'premium' AS "order", 45 AS max_dte, 10000 AS min_premium`),
  heavy('screener-option-contracts', `SELECT 250 AS "limit", 4 AS page`),
  typical('institution-holdings', `SELECT ${INSTITUTION}`),
  heavy('institution-holdings', `SELECT 500 AS "limit", ${INSTITUTION}`),
  typical('alerts', 'SELECT 20 AS "limit"'),
  typical('contract-volume-profile', `SELECT ${CONTRACT}`),
  typical('volume-oi-expiry', `SELECT ${TICKER}`),
  typical('congress-politicians', 'SELECT 12 AS last_traded_within_months'),
  typical('institution-sectors', `SELECT ${INSTITUTION}`),
  typical(
    'analytics-window',
    `SELECT 'ACME,BRASS,CEDAR' AS symbols, '1year' AS range, 'MEAN,STDDEV' AS calculations`,
  ),
  heavy(
    'analytics-window',
    `SELECT string_agg(ticker, ',' ORDER BY ticker) AS symbols, 'full' AS range,
     'MEAN,STDDEV,HISTOGRAM,CORRELATION,MAX_DRAWDOWN' AS calculations FROM {stock_days} WHERE date = $day`,
  ),
  typical('congress-late-reports', 'SELECT 50 AS "limit"'),
  typical('etf-info', `SELECT ${busiest('etf AS ticker', 'etf_holdings')}`),
  typical(
    'option-stance',
    `SELECT ticker, 'sell_premium' AS stance FROM {option_ticker_days} WHERE date = $day ORDER BY volume DESC LIMIT 1`,
  ),
  typical('insider-buy-sells', `SELECT ${busiest('ticker', 'insider_trades')}`),
  typical('crypto-ohlc', `SELECT 'BTC-USD' AS pair, '15m' AS candle_size, 100 AS "limit"`),
  heavy('crypto-ohlc', `SELECT 'BTC-USD' AS pair, '1h' AS candle_size, 500 AS "limit"`),
  typical('insiders', `SELECT ${busiest('ticker', 'insiders')}`),
  typical('oi-per-expiry', `SELECT ${TICKER}`),
  typical('economy', `SELECT 'cpi' AS indicator`),
  heavy('economy', `SELECT 'treasury-yield' AS indicator, 'daily' AS "interval"`),
  typical('darkpool-price-levels', `SELECT ${TICKER}`),
  typical('prediction-insiders', 'SELECT 1 LIMIT 0'),
  typical('contract-flow', `SELECT 100 AS "limit", ${CONTRACT}`),
  heavy('contract-flow', `SELECT ${CONTRACT}`),
  typical(
    'greeks',
    `SELECT underlying_symbol AS ticker, expiry, $day AS date FROM {option_chain_days} WHERE date = $day
     GROUP BY ALL ORDER BY count(*) DESC, ticker, expiry LIMIT 1`,
  ),
  typical('fec-companies', 'SELECT 20 AS "limit"'),
  typical('potus-posts', 'SELECT 20 AS "limit"'),
  typical('flow-alerts', 'SELECT 50 AS "limit"'),
  heavy('flow-alerts', `SELECT 200 AS "limit", 1000000 AS min_premium, 0.7 AS min_ask_perc`),
  typical('institutions', 'SELECT 20 AS "limit"'),
  typical('etf-holdings', `SELECT ${busiest('etf AS ticker', 'etf_holdings')}`),
  typical('cash-flows', `SELECT ${busiest('ticker', 'cash_flow_statements')}`),
  typical(
    'multi-leg-legs',
    'SELECT multi_leg_id AS id FROM {option_trades} WHERE date = $day AND multi_leg_id IS NOT NULL ORDER BY id LIMIT 1',
  ),
  typical('prediction-liquidity', 'SELECT asset_id FROM {prediction_books} ORDER BY asset_id LIMIT 1'),
  typical('forex-rate', `SELECT 'EUR' AS "from", 'USD' AS "to"`),
]
