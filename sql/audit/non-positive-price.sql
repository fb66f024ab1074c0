-- non-positive-price: a price is zero or negative
-- tolerance: None for prices of trades, bars and rates. In a chain, where 0 means that there is no quote or trade, only
--   negative prices count. Cancelled trades are excluded.
-- run: 20
-- finds: daily_bars
-- reads: daily_bars on the day
SELECT
  date,
  ticker AS ticker,
  least(open, high, low, close)::DOUBLE AS value,
  format('open {}, high {}, low {}, close {}', open, high, low, close) AS reason
FROM read_parquet($daily_bars, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND least(open, high, low, close) <= 0
-- finds: stock_bars
-- reads: stock_bars on the day
SELECT
  date,
  ticker AS ticker,
  least(open, high, low, close)::DOUBLE AS value,
  format('open {}, high {}, low {}, close {} at {}', open, high, low, close, start) AS reason
FROM read_parquet($stock_bars, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND least(open, high, low, close) <= 0
-- finds: crypto_candles
-- reads: crypto_candles on the day
SELECT
  date,
  pair AS ticker,
  least(open, high, low, close)::DOUBLE AS value,
  format('open {}, high {}, low {}, close {} at {}', open, high, low, close, start) AS reason
FROM read_parquet($crypto_candles, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND least(open, high, low, close) <= 0
-- finds: stock_trades
-- reads: stock_trades on the day
SELECT
  date,
  ticker AS ticker,
  price::DOUBLE AS value,
  format('price {} at {}', price, executed_at) AS reason
FROM read_parquet($stock_trades, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND price <= 0 AND NOT canceled
-- finds: option_trades
-- reads: option_trades on the day
SELECT
  date,
  option_chain_id AS ticker,
  price::DOUBLE AS value,
  format('price {} at {}', price, executed_at) AS reason
FROM read_parquet($option_trades, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND price <= 0 AND NOT canceled
-- finds: option_chain_days
-- reads: option_chain_days on the day
SELECT
  date,
  option_symbol AS ticker,
  least(bid, ask, last)::DOUBLE AS value,
  format('bid {}, ask {}, last {}', bid, ask, last) AS reason
FROM read_parquet($option_chain_days, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND least(bid, ask, last) < 0
-- finds: fx_quotes
-- reads: fx_quotes on the day
SELECT
  date,
  base || '-' || quote AS ticker,
  least(rate, bid, ask)::DOUBLE AS value,
  format('rate {} at {}', rate, time) AS reason
FROM read_parquet($fx_quotes, hive_partitioning = false)
WHERE date BETWEEN $from AND $to AND least(rate, bid, ask) <= 0
