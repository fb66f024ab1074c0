SELECT
  pair,
  (array_agg(open ORDER BY start))[1] AS open,
  max(high) AS high,
  min(low) AS low,
  (array_agg(close ORDER BY start DESC))[1] AS close,
  sum(volume) AS volume,
  date_trunc('hour', start) AS start_time,
  date_trunc('hour', start) + interval '1 hour' AS timestamp
FROM crypto_candles
WHERE pair = $pair AND start < $date::date + 1
GROUP BY pair, date_trunc('hour', start)
ORDER BY start_time DESC
LIMIT $limit::int
