/** A statement of generation: the SELECT in `sql`, kept as the temporary table `table`. */
export interface TableStep {
  readonly table: string
  readonly sql: string
}

/** A statement that answers rows of `dataset`, all its columns. */
export interface DatasetStep {
  readonly dataset: string
  readonly sql: string
  /** A name by which the steps after it read these rows. */
  readonly view?: string
}

/** Tables that hold for the whole span, in the order in which they build on each other. */
export const MARKET_TABLES: readonly TableStep[] = [
  { table: 'market_tickers', sql: 'sql/generate/market-tickers.sql' },
  { table: 'market_splits', sql: 'sql/generate/market-splits.sql' },
  { table: 'market_closes', sql: 'sql/generate/market-closes.sql' },
  { table: 'market_minutes', sql: 'sql/generate/market-minutes.sql' },
  { table: 'market_days', sql: 'sql/generate/market-days.sql' },
  { table: 'market_earnings', sql: 'sql/generate/market-earnings.sql' },
  { table: 'market_profiles', sql: 'sql/generate/market-profiles.sql' },
  { table: 'market_expiries', sql: 'sql/generate/market-expiries.sql' },
  { table: 'market_levels', sql: 'sql/generate/market-levels.sql' },
  { table: 'market_anchors', sql: 'sql/generate/market-anchors.sql' },
  { table: 'market_series', sql: 'sql/generate/market-series.sql' },
  { table: 'market_conditions', sql: 'sql/generate/market-conditions.sql' },
  { table: 'market_tags', sql: 'sql/generate/market-tags.sql' },
]

/** Datasets that are made once for the whole span. */
export const SPAN_STEPS: readonly DatasetStep[] = [
  { dataset: 'tickers', sql: 'sql/generate/tickers.sql' },
  { dataset: 'daily_bars', sql: 'sql/generate/daily_bars.sql' },
  { dataset: 'option_chain_days', sql: 'sql/generate/option_chain_days-warm.sql' },
]

/** What a generated day makes of stocks. */
export const STOCK_STEPS: readonly DatasetStep[] = [
  { dataset: 'stock_bars', sql: 'sql/generate/stock_bars.sql' },
  { dataset: 'stock_trades', sql: 'sql/generate/stock_trades.sql' },
]

/** What it makes of options, in this order: tables to build on, and rows of datasets. */
export const OPTION_STEPS: readonly (TableStep | DatasetStep)[] = [
  { table: 'market_today', sql: 'sql/generate/market-today.sql' },
  { table: 'market_chain', sql: 'sql/generate/market-chain.sql' },
  { table: 'market_plants', sql: 'sql/generate/market-plants.sql' },
  { table: 'market_legs', sql: 'sql/generate/market-legs.sql' },
  { table: 'market_tape', sql: 'sql/generate/market-tape.sql' },
  { dataset: 'option_trades', sql: 'sql/generate/option_trades.sql', view: 'market_trades' },
  { table: 'market_totals', sql: 'sql/generate/market-totals.sql' },
  { dataset: 'option_chain_days', sql: 'sql/generate/option_chain_days.sql' },
  { table: 'market_interest', sql: 'sql/generate/market-interest.sql' },
]
