-- Daily closes that are adjusted already, and the days whose adjustments are named.
WITH points AS (
  SELECT
    ticker AS symbol,
    date::TIMESTAMP AS time,
    adjusted_close::DOUBLE AS price
  FROM read_parquet($stock_days, hive_partitioning = false)
  WHERE list_contains($symbols, ticker)
    AND ($from IS NULL OR date >= $from)
    AND ($to IS NULL OR date <= $to)
  UNION ALL
  SELECT
    ticker,
    date::TIMESTAMP,
    NULL
  FROM read_parquet($price_adjustments, hive_partitioning = false)
  WHERE list_contains($symbols, ticker)
    AND ($from IS NULL OR date >= $from)
    AND ($to IS NULL OR date <= $to)
)
FROM points
ORDER BY
  symbol,
  price IS NULL,
  time
