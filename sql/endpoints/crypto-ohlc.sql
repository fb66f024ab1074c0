-- crypto-ohlc: Candles of a crypto pair (OHLC)
-- path: /api/crypto/{pair}/ohlc/{candle_size}
-- subject: Crypto
-- description: Newest first. Candles are aggregated from 1-minute candles by bucket in UTC; weeks start on Monday.
--   Where the lake has no finer candles in a bucket, longer stored candles within the bucket are used. `start_time` is
--   the start of a candle and `timestamp` its end, even if the data of the lake end before it. A bucket without trades
--   has no candle. Prices are in the quote currency, `volume` in the base currency.
--
-- $seconds is the size; buckets are counted from a Monday at midnight. $from is a day on which a bucket starts: earlier
-- candles are not read.
WITH candles AS (
  SELECT
    time_bucket(to_seconds($seconds), start, TIMESTAMP '2000-01-03') AS start_time,
    start,
    seconds,
    open,
    high,
    low,
    close,
    volume
  FROM read_parquet($crypto_candles, hive_partitioning = false)
  WHERE pair = $pair
    AND date >= $from
),
-- A stored candle counts if it is within one bucket: a daily candle in a week, but not a weekly candle in a day.
buckets AS (
  SELECT
    start_time,
    seconds,
    arg_min(open, start) AS open,
    max(high) AS high,
    min(low) AS low,
    arg_max(close, start) AS close,
    sum(volume) AS volume
  FROM candles
  WHERE start_time < $date::DATE + 1
    AND start + to_seconds(seconds) <= start_time + to_seconds($seconds)
  GROUP BY
    start_time,
    seconds
)
-- If a bucket is stored in several lengths, the finest one is used.
SELECT
  $pair AS pair,
  open,
  high,
  low,
  close,
  volume,
  start_time,
  start_time + to_seconds($seconds) AS timestamp
FROM buckets
QUALIFY row_number() OVER (PARTITION BY start_time ORDER BY seconds) = 1
ORDER BY start_time DESC
LIMIT $limit
