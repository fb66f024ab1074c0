SELECT
  pair,
  argMin(open, start) AS open,
  max(high) AS high,
  min(low) AS low,
  argMax(close, start) AS close,
  sum(volume) AS volume,
  toStartOfHour(start) AS start_time,
  start_time + INTERVAL 1 HOUR AS timestamp
FROM file('{data}/crypto_candles.parquet', Parquet)
WHERE pair = {pair:String} AND start < addDays({date:Date32}, 1)
GROUP BY pair, start_time
ORDER BY start_time DESC
LIMIT {limit:Int32}
