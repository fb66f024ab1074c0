-- crypto-ohlc: Candles of a crypto pair (OHLC)
-- path: /api/crypto/{pair}/ohlc/{candle_size}
-- subject: Crypto
-- description: Newest first. Candles are aggregated from stored candles by bucket in UTC; weeks start on Monday. A stored
--   candle counts in the bucket that it lies wholly in. Where stored candles overlap in a bucket, the longest one counts
--   and nothing counts twice: a week is made of its daily candles, and of shorter ones on days without a daily one.
--   `start_time` is the start of a candle and `timestamp` its end, even if the data of the lake end before it. A bucket
--   without trades has no candle. Prices are in the quote currency, `volume` in the base currency.
--
-- $seconds is the size; buckets are counted from a Monday at midnight. $from is a day on which a bucket starts: earlier
-- candles are not read.
WITH RECURSIVE candles AS NOT MATERIALIZED (
  SELECT
    time_bucket(to_seconds($seconds), start, TIMESTAMP '2000-01-03') AS start_time,
    start,
    seconds,
    epoch_us(start) % (1000000 * seconds::BIGINT) AS phase,
    open,
    high,
    low,
    close,
    volume
  FROM read_parquet($crypto_candles, hive_partitioning = false)
  WHERE pair = $pair
    AND date >= $from
    AND start_time < $date::DATE + 1
    AND epoch_us(start) - epoch_us(start_time) <= 1000000 * ($seconds - seconds)
),
-- A grid is the candles of one length in a bucket whose starts are multiples of it apart: they do not overlap. Usually a
-- bucket has one grid.
buckets AS (
  SELECT
    start_time,
    min(seconds) = max(seconds)
    AND min(phase) = max(phase) AS is_one_grid,
    arg_min(open, start) AS open,
    max(high) AS high,
    min(low) AS low,
    arg_max(close, start) AS close,
    sum(volume) AS volume
  FROM candles
  GROUP BY start_time
  ORDER BY start_time DESC
  LIMIT $limit
),
-- In the other buckets, grids take turns, the longest candles first. The first one is enough if it fills the bucket.
mixed AS (
  SELECT candles.*
  FROM candles
  SEMI JOIN buckets
    ON buckets.start_time = candles.start_time
    AND NOT is_one_grid
),
grids AS (
  SELECT
    start_time,
    seconds,
    phase,
    row_number() OVER turns AS turn,
    first_value(count(*) * seconds = $seconds) OVER turns AS is_enough,
    arg_min(open, start) AS open,
    max(high) AS high,
    min(low) AS low,
    arg_max(close, start) AS close,
    sum(volume) AS volume
  FROM mixed
  GROUP BY
    start_time,
    seconds,
    phase
  WINDOW turns AS (PARTITION BY start_time ORDER BY seconds DESC, min(start))
),
-- Of buckets for which it is not enough, the candles that are left in each round. Those of the grid whose turn it is
-- count; the next round is without them and what overlaps them: a candle overlaps at most those at its first and last
-- moment, because it is not longer.
rounds AS (
  SELECT
    1 AS round,
    turn,
    mixed.*
  FROM mixed
  JOIN grids USING (start_time, seconds, phase)
  WHERE NOT is_enough
  UNION ALL
  SELECT
    finer.* REPLACE (finer.round + 1 AS round)
  FROM rounds AS finer
  JOIN grids
    ON grids.start_time = finer.start_time
    AND grids.turn = finer.round
  LEFT JOIN rounds AS first
    ON first.start_time = finer.start_time
    AND first.turn = finer.round
    AND first.start = time_bucket(to_seconds(grids.seconds), finer.start, make_timestamp(grids.phase))
  LEFT JOIN rounds AS last
    ON last.start_time = finer.start_time
    AND last.turn = finer.round
    AND last.start
      = time_bucket(
        to_seconds(grids.seconds),
        finer.start + to_seconds(finer.seconds) - INTERVAL 1 MICROSECOND,
        make_timestamp(grids.phase)
      )
  WHERE first.start IS NULL
    AND last.start IS NULL
)
SELECT
  $pair AS pair,
  open,
  high,
  low,
  close,
  volume,
  start_time,
  start_time + to_seconds($seconds) AS timestamp
FROM (
  SELECT start_time, open, high, low, close, volume
  FROM buckets
  WHERE is_one_grid
  UNION ALL
  SELECT start_time, open, high, low, close, volume
  FROM grids
  WHERE is_enough
    AND turn = 1
  UNION ALL
  SELECT
    start_time,
    arg_min(open, start),
    max(high),
    min(low),
    arg_max(close, start),
    sum(volume)
  FROM rounds
  WHERE turn = round
  GROUP BY start_time
)
ORDER BY start_time DESC
