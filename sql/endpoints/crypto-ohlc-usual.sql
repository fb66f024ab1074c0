-- crypto-ohlc-usual: the candles of crypto-ohlc, if the stored candles of no bucket can overlap, else no rows
--
-- Stored candles of one length whose starts are multiples of it apart do not overlap. Usually a lake has no others, and this
-- is planned and run in half the time of the whole template. Buckets are counted in microseconds from a Monday before all
-- others: integers are divided several times as fast as time_bucket divides a time.
SELECT
  $pair AS pair,
  open,
  high,
  low,
  close,
  volume,
  make_timestamp(bucket + epoch_us(TIMESTAMP '0001-01-01')) AS start_time,
  start_time + to_seconds($seconds) AS timestamp
FROM (
  SELECT
    moment - moment % (1000000 * $seconds) AS bucket,
    min(seconds) = max(seconds)
    AND min(moment % (1000000 * seconds::BIGINT)) = max(moment % (1000000 * seconds::BIGINT)) AS is_one_grid,
    arg_min(open, moment) AS open,
    max(high) AS high,
    min(low) AS low,
    arg_max(close, moment) AS close,
    sum(volume) AS volume
  FROM (
    SELECT
      *,
      epoch_us(start) - epoch_us(TIMESTAMP '0001-01-01') AS moment
    FROM read_parquet($crypto_candles, hive_partitioning = false)
    WHERE pair = $pair
      AND date >= $from
      -- The end of the bucket of the day's last moment.
      AND start < to_seconds($seconds)
        + time_bucket(to_seconds($seconds), $date::DATE + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND, TIMESTAMP '2000-01-03')
  )
  WHERE moment % (1000000 * $seconds) <= 1000000 * ($seconds - seconds)
  GROUP BY bucket
  ORDER BY bucket DESC
  LIMIT $limit
)
QUALIFY bool_and(is_one_grid) OVER ()
ORDER BY start_time DESC
