WITH returns AS (
  SELECT
    ticker,
    date,
    price,
    price / lag(price) OVER (PARTITION BY ticker ORDER BY date) - 1 AS change
  FROM (
    SELECT ticker, date, adjusted_close::DOUBLE AS price
    FROM stock_days
    WHERE array_has(string_to_array($symbols, ','), ticker) AND date BETWEEN $range::DATE AND $range_end::DATE
  ) AS prices
)
SELECT
  ticker AS symbol,
  min(change) AS min,
  max(change) AS max,
  avg(change) AS mean,
  stddev_pop(change) AS stddev,
  last_value(price ORDER BY date) / first_value(price ORDER BY date) - 1 AS cumulative_return
FROM returns
GROUP BY ticker
ORDER BY ticker
