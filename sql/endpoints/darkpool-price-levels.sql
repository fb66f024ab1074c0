-- darkpool-price-levels: Dark pool and exchange volume by price
-- path: /api/darkpool/{ticker}/price-levels
-- subject: Stocks and ETFs
-- description: One level per price, rounded to the cent, ascending. Volumes are in shares: `dark_pool_volume` was
--   traded off exchange (FINRA TRF), `regular_volume` everywhere else. `date` is the date of the levels; formats other
--   than JSON do not repeat it.
SELECT
  price,
  dark_pool_volume,
  regular_volume
FROM read_parquet($price_levels, hive_partitioning = false)
WHERE ticker = $ticker
  AND date = $date
ORDER BY price
