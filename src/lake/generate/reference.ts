/**
 * The datasets of the synthetic market other than options and stocks, each with the SELECT that generates its rows. A
 * step runs once for the whole span. It may use `$seed`, `$from` (the first warm-up session) and `$to` (the last
 * session), the macros, and the tables of MARKET_TABLES. No step reads the rows of another, so that their order does not
 * matter.
 */
export const REFERENCE_STEPS = [
  { dataset: 'institutions', sql: 'sql/generate/institutions.sql' },
  { dataset: 'institution_holdings', sql: 'sql/generate/institution_holdings.sql' },
  { dataset: 'congress_trades', sql: 'sql/generate/congress_trades.sql' },
  { dataset: 'insiders', sql: 'sql/generate/insiders.sql' },
  { dataset: 'insider_trades', sql: 'sql/generate/insider_trades.sql' },
  { dataset: 'etfs', sql: 'sql/generate/etfs.sql' },
  { dataset: 'etf_holdings', sql: 'sql/generate/etf_holdings.sql' },
  { dataset: 'cash_flow_statements', sql: 'sql/generate/cash_flow_statements.sql' },
  { dataset: 'economic_points', sql: 'sql/generate/economic_points.sql' },
  { dataset: 'fx_quotes', sql: 'sql/generate/fx_quotes.sql' },
  { dataset: 'crypto_candles', sql: 'sql/generate/crypto_candles.sql' },
  { dataset: 'prediction_markets', sql: 'sql/generate/prediction_markets.sql' },
  { dataset: 'prediction_positions', sql: 'sql/generate/prediction_positions.sql' },
  { dataset: 'prediction_books', sql: 'sql/generate/prediction_books.sql' },
  { dataset: 'fec_committees', sql: 'sql/generate/fec_committees.sql' },
  { dataset: 'fec_contributions', sql: 'sql/generate/fec_contributions.sql' },
  { dataset: 'lobbying_reports', sql: 'sql/generate/lobbying_reports.sql' },
  { dataset: 'posts', sql: 'sql/generate/posts.sql' },
  { dataset: 'alerts', sql: 'sql/generate/alerts.sql' },
] as const
