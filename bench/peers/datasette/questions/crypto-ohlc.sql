WITH candles AS (
  SELECT
    pair,
    substr(start, 1, 13) AS hour,
    min(start) AS first,
    max(start) AS last,
    max(high) AS high,
    min(low) AS low,
    sum(volume) AS volume
  FROM crypto_candles
  WHERE pair = :pair AND start < date(:date, '+1 day')
  GROUP BY pair, substr(start, 1, 13)
  ORDER BY hour DESC
  LIMIT :limit
)
SELECT
  candles.pair,
  opening.open,
  candles.high,
  candles.low,
  closing.close,
  candles.volume,
  hour || ':00:00' AS start_time,
  datetime(hour || ':00:00', '+1 hour') AS timestamp
FROM candles
JOIN crypto_candles AS opening ON opening.pair = candles.pair AND opening.start = candles.first
JOIN crypto_candles AS closing ON closing.pair = candles.pair AND closing.start = candles.last
ORDER BY hour DESC
