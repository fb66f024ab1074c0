-- price_levels: shares traded at each price of a ticker and day, on and off exchange
-- days: stock_trades
-- run: 20
-- reads: stock_trades on the day
--
-- Prices are rounded to cents, half to even. D is the code of the FINRA trade reporting facilities. Cancelled trades
-- and trades with size 0 do not count.
SELECT
  date,
  ticker,
  half_even(price, 2)::DECIMAL(18, 2) AS price,
  coalesce(sum(size) FILTER (WHERE exchange = 'D'), 0)::BIGINT AS dark_pool_volume,
  coalesce(sum(size) FILTER (WHERE exchange <> 'D'), 0)::BIGINT AS regular_volume
FROM read_parquet($stock_trades, hive_partitioning = false)
WHERE date BETWEEN $from::DATE AND $to::DATE
  AND NOT canceled
  AND size > 0
GROUP BY
  date,
  ticker,
  half_even(price, 2)::DECIMAL(18, 2)
