SELECT price, dark_pool_volume, regular_volume
FROM '{data}/price_levels/{date}.parquet'
WHERE ticker = $ticker AND date = $date::DATE
ORDER BY price
