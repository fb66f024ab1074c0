-- tape-span: each underlying's first and last trade of a day in Unix milliseconds, and its number of trades.
SELECT
  underlying_symbol AS ticker,
  epoch_ms(min(executed_at)) AS first_ms,
  epoch_ms(max(executed_at)) AS last_ms,
  count(*) AS trades
FROM read_parquet($option_trades, hive_partitioning = false)
WHERE date = $date
GROUP BY ALL
