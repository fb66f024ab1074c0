WITH returns AS (
  SELECT
    ticker,
    date,
    price,
    price / lag(price) OVER (PARTITION BY ticker ORDER BY date) - 1 AS change
  FROM (
    SELECT ticker, date, adjusted_close::double precision AS price
    FROM stock_days
    WHERE ticker = ANY (string_to_array($symbols, ',')) AND date BETWEEN $range::date AND $range_end::date
  ) AS prices
)
SELECT
  ticker AS symbol,
  min(change) AS min,
  max(change) AS max,
  avg(change) AS mean,
  stddev_pop(change) AS stddev,
  (array_agg(price ORDER BY date DESC))[1] / (array_agg(price ORDER BY date))[1] - 1 AS cumulative_return
FROM returns
GROUP BY ticker
ORDER BY ticker
