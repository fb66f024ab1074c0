SELECT
  pair,
  first_value(open ORDER BY start) AS open,
  max(high) AS high,
  min(low) AS low,
  last_value(close ORDER BY start) AS close,
  sum(volume) AS volume,
  date_trunc('hour', start) AS start_time,
  date_trunc('hour', start) + INTERVAL '1 hour' AS timestamp
FROM crypto_candles
WHERE pair = $pair AND start < $date::DATE + INTERVAL '1 day'
GROUP BY pair, date_trunc('hour', start)
ORDER BY start_time DESC
LIMIT $limit
