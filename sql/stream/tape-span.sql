-- tape-span: each underlying's first and last trade of a day in Unix milliseconds, its number of trades, and the number in
-- its busiest minute. The row without a ticker is that of all underlyings.
WITH minutes AS (
  SELECT
    underlying_symbol AS ticker,
    time_bucket(INTERVAL 1 MINUTE, executed_at) AS minute,
    min(executed_at) AS first_time,
    max(executed_at) AS last_time,
    count(*) AS trades
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date = $date
  GROUP BY
    ticker,
    minute
),
all_minutes AS (
  SELECT ticker, first_time, last_time, trades
  FROM minutes
  UNION ALL
  SELECT NULL, min(first_time), max(last_time), sum(trades)::BIGINT
  FROM minutes
  GROUP BY minute
)
SELECT
  ticker,
  epoch_ms(min(first_time)) AS first_ms,
  epoch_ms(max(last_time)) AS last_ms,
  sum(trades)::BIGINT AS trades,
  max(trades) AS busiest
FROM all_minutes
GROUP BY ticker
