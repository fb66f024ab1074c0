SELECT
  pair,
  arg_min(open, start) AS open,
  max(high) AS high,
  min(low) AS low,
  arg_max(close, start) AS close,
  sum(volume) AS volume,
  time_bucket(INTERVAL 1 HOUR, start) AS start_time,
  start_time + INTERVAL 1 HOUR AS timestamp
FROM '{data}/crypto_candles.parquet'
WHERE pair = $pair AND start < $date::DATE + 1
GROUP BY pair, start_time
ORDER BY start_time DESC
LIMIT $limit::INTEGER
