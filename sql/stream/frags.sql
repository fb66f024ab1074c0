-- frags: the frags of one day between two tape times, each as of the close of its interval.
--
-- $from and $to bound start_time; $to is exclusive. $ticker NULL selects every underlying. Times are Unix milliseconds.
-- A frag is due when its interval ends, five minutes after its start. Rows are in file order, which in files written by
-- the lake is start_time and contract: sorting them again would cost more than reading them.
SELECT
  epoch_ms(start_time) + 300000 AS due_ms,
  option_symbol,
  epoch_ms(start_time) AS start_time,
  epoch_ms(tape_time) AS tape_time,
  volume,
  total_volume,
  open_interest,
  premium,
  ask_side_volume,
  bid_side_volume,
  floor_volume,
  high,
  low,
  open,
  close,
  iv,
  trades,
  avg_price,
  mid_volume,
  sweep_volume,
  cross_volume,
  stock_multi_leg_volume,
  no_side_vol,
  multileg_volume,
  underlying_price,
  total_premium,
  total_ask_side_volume,
  total_bid_side_volume,
  total_mid_volume,
  total_stock_multi_leg_volume,
  total_neutral_volume,
  total_multileg_volume,
  delta,
  gamma
FROM read_parquet($chain_frags, hive_partitioning = false) AS frags
WHERE date = $date
  AND frags.start_time >= $from
  AND frags.start_time < $to
  AND ($ticker IS NULL OR underlying_symbol = $ticker)
