SELECT price, dark_pool_volume, regular_volume
FROM price_levels_{day}
WHERE ticker = $ticker AND date = $date::DATE
ORDER BY price
