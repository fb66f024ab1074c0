-- option-stance-context: what stands around the contracts of option-stance: always one row.
--
-- A day has one row of a ticker at most, so max() is its value, or NULL where there is none.
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
