-- Daily closes that are adjusted already.
SELECT
  ticker AS symbol,
  list(date::TIMESTAMP ORDER BY date) AS times,
  list(adjusted_close::DOUBLE ORDER BY date) AS prices
FROM read_parquet($stock_days, hive_partitioning = false)
WHERE list_contains($symbols, ticker)
  AND ($from IS NULL OR date >= $from)
  AND ($to IS NULL OR date <= $to)
GROUP BY ticker
ORDER BY ticker
