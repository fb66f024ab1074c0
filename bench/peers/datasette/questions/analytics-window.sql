SELECT
  ticker AS symbol,
  min(change) AS min,
  max(change) AS max,
  avg(change) AS mean,
  sqrt(avg(change * change) - avg(change) * avg(change)) AS stddev,
  max(last) / max(first) - 1 AS cumulative_return
FROM (
  SELECT
    ticker,
    adjusted_close / lag(adjusted_close) OVER days - 1 AS change,
    first_value(adjusted_close) OVER days AS first,
    last_value(adjusted_close) OVER (days RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last
  FROM stock_days
  WHERE ticker IN (SELECT value FROM json_each('["' || replace(:symbols, ',', '","') || '"]'))
    AND date BETWEEN :range AND :range_end
  WINDOW days AS (PARTITION BY ticker ORDER BY date)
)
GROUP BY ticker
ORDER BY ticker
