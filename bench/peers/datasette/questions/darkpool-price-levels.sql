SELECT price, dark_pool_volume, regular_volume
FROM price_levels
WHERE ticker = :ticker AND date = :date
ORDER BY price
