SELECT
  ticker AS symbol,
  min(change) AS min,
  max(change) AS max,
  avg(change) AS mean,
  stddevPopStable(change) AS stddev,
  argMax(price, date) / argMin(price, date) - 1 AS cumulative_return
FROM (
  SELECT
    ticker,
    date,
    price,
    price / lagInFrame(price) OVER (
      PARTITION BY ticker ORDER BY date ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) - 1 AS change
  FROM (
    SELECT ticker, date, toFloat64(adjusted_close) AS price
    FROM file('{data}/stock_days.parquet', Parquet)
    WHERE has(splitByChar(',', {symbols:String}), ticker) AND date BETWEEN {range:Date32} AND {range_end:Date32}
  )
)
GROUP BY ticker
ORDER BY ticker
