-- Stored candles of one length, which do not overlap.
SELECT
  $pair AS pair,
  arg_min(open, start) AS open,
  max(high) AS high,
  min(low) AS low,
  arg_max(close, start) AS close,
  sum(volume) AS volume,
  time_bucket(to_seconds($seconds), start, TIMESTAMP '2000-01-03') AS start_time,
  start_time + to_seconds($seconds) AS timestamp
FROM read_parquet($crypto_candles, hive_partitioning = false)
WHERE pair = $pair
  AND date >= $from
  AND start < $date::DATE + 1
GROUP BY start_time
ORDER BY start_time DESC
LIMIT $limit
