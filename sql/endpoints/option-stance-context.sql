-- option-stance-context: the fields around the contracts of option-stance, always one row
--
-- There is at most one row per ticker and day, so max() is its value, or NULL if there is none.
SELECT
  $date::DATE AS as_of_date,
  $stance AS stance,
  $ticker AS ticker,
  $disclaimer AS disclaimer,
  {
    'iv_30d': max(iv_30d)::DOUBLE,
    'iv_percentile': max(iv_percentile)::DOUBLE,
    'iv_rank': max(iv_rank)::DOUBLE,
    'stock_price': max(stock_price)::DOUBLE
  } AS context
FROM read_parquet($option_volatility_days, hive_partitioning = false)
WHERE ticker = $ticker
  AND date = $date
