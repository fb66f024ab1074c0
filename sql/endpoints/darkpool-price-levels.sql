-- darkpool-price-levels: shares of one ticker traded off exchange and elsewhere on one day, by price, ascending.
SELECT
  price,
  dark_pool_volume,
  regular_volume
FROM read_parquet($price_levels, hive_partitioning = false)
WHERE ticker = $ticker
  AND date = $date
ORDER BY price
