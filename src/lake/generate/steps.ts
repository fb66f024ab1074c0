/** A statement of the generator: the SELECT in `sql`, stored as the table `table`. */
export interface TableStep {
  readonly table: string
  readonly sql: string
}

/** A statement that returns rows of `dataset` with all its columns. */
export interface DatasetStep {
  readonly dataset: string
  readonly sql: string
}

/** Tables for the whole span, each after those that it reads. */
export const MARKET_TABLES: readonly TableStep[] = [
  { table: 'market_tickers', sql: 'sql/generate/market-tickers.sql' },
  { table: 'market_splits', sql: 'sql/generate/market-splits.sql' },
  { table: 'market_dividends', sql: 'sql/generate/market-dividends.sql' },
  { table: 'market_closes', sql: 'sql/generate/market-closes.sql' },
  { table: 'market_minutes', sql: 'sql/generate/market-minutes.sql' },
  { table: 'market_days', sql: 'sql/generate/market-days.sql' },
  { table: 'market_earnings', sql: 'sql/generate/market-earnings.sql' },
  { table: 'market_fund_days', sql: 'sql/generate/market-fund-days.sql' },
  { table: 'market_profiles', sql: 'sql/generate/market-profiles.sql' },
  { table: 'market_funds', sql: 'sql/generate/market-funds.sql' },
  { table: 'market_fund_assets', sql: 'sql/generate/market-fund-assets.sql' },
  { table: 'market_expiries', sql: 'sql/generate/market-expiries.sql' },
  { table: 'market_points', sql: 'sql/generate/market-points.sql' },
  { table: 'market_yields', sql: 'sql/generate/market-yields.sql' },
  { table: 'market_levels', sql: 'sql/generate/market-levels.sql' },
  { table: 'market_anchors', sql: 'sql/generate/market-anchors.sql' },
  { table: 'market_series', sql: 'sql/generate/market-series.sql' },
  { table: 'market_conditions', sql: 'sql/generate/market-conditions.sql' },
  { table: 'market_tags', sql: 'sql/generate/market-tags.sql' },
]

/** Datasets that are generated once for the whole span. */
export const SPAN_STEPS: readonly DatasetStep[] = [
  { dataset: 'tickers', sql: 'sql/generate/tickers.sql' },
  { dataset: 'daily_bars', sql: 'sql/generate/daily_bars.sql' },
  { dataset: 'stock_splits', sql: 'sql/generate/stock_splits.sql' },
  { dataset: 'option_chain_days', sql: 'sql/generate/option_chain_days-warm.sql' },
]

/** Stock datasets of a generated day. */
export const STOCK_STEPS: readonly DatasetStep[] = [
  { dataset: 'stock_bars', sql: 'sql/generate/stock_bars.sql' },
  { dataset: 'stock_trades', sql: 'sql/generate/stock_trades.sql' },
]

/** Option tables of a generated day, each after those that it reads; every connection sees them. */
export const CHAIN_TABLES: readonly TableStep[] = [
  { table: 'market_today', sql: 'sql/generate/market-today.sql' },
  { table: 'market_chain', sql: 'sql/generate/market-chain.sql' },
  { table: 'market_plants', sql: 'sql/generate/market-plants.sql' },
  { table: 'market_legs', sql: 'sql/generate/market-legs.sql' },
  { table: 'market_shares', sql: 'sql/generate/market-shares.sql' },
]

/** The trades of one portion of the day with few columns, their contracts, and the dataset's rows from both. */
export const TAPE_TABLE: TableStep = { table: 'market_tape', sql: 'sql/generate/market-tape.sql' }
export const TRADED_TABLE: TableStep = { table: 'market_traded', sql: 'sql/generate/market-traded.sql' }
export const TRADE_STEP: DatasetStep = { dataset: 'option_trades', sql: 'sql/generate/option_trades.sql' }

/** Volumes and last prices of contracts, per portion; the view `market_trades` has the rows of one portion. */
export const TOTALS_TABLE: TableStep = { table: 'market_totals', sql: 'sql/generate/market-totals.sql' }

/** After all of the day's trades: the chain, and the open interest that the next day needs. */
export const CHAIN_STEP: DatasetStep = {
  dataset: 'option_chain_days',
  sql: 'sql/generate/option_chain_days.sql',
}
export const INTEREST_TABLE: TableStep = {
  table: 'market_interest',
  sql: 'sql/generate/market-interest.sql',
}
