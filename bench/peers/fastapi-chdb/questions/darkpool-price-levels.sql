SELECT price, dark_pool_volume, regular_volume
FROM file('{data}/price_levels/{date}.parquet', Parquet)
WHERE ticker = {ticker:String} AND date = {date:Date32}
ORDER BY price
