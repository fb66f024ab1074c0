-- market_days: daily bars of all sessions: on a generated day the exact aggregate of its minutes, in a warm-up session
-- open and close with a range around them.
WITH aggregated AS (
  SELECT
    number,
    date,
    max(high) AS high,
    min(low) AS low,
    sum(volume)::BIGINT AS volume
  FROM market_minutes
  GROUP BY number, date
)
SELECT
  ticker,
  closes.date,
  open,
  round(coalesce(
    aggregated.high,
    greatest(open, close) * (1 + 0.6e0 * deviation * unit(hash($seed, 'high', closes.number, closes.date)))
  ), 2)::DECIMAL(18, 2)::DECIMAL(18, 6) AS high,
  round(coalesce(
    aggregated.low,
    least(open, close) * (1 - 0.6e0 * deviation * unit(hash($seed, 'low', closes.number, closes.date)))
  ), 2)::DECIMAL(18, 2)::DECIMAL(18, 6) AS low,
  close,
  coalesce(aggregated.volume, closes.volume) AS volume,
  adjusted_close
FROM market_closes AS closes
LEFT JOIN aggregated USING (number, date)
ORDER BY ticker, date
