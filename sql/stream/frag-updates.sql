-- frag-updates: the state of a frag after each trade that counts, in tape order.
--
-- The trades of $date executed at or after $from and before $to; $ticker NULL selects every underlying. Figures of the
-- interval come from its trades so far (the same sums as in sql/derive/chain_frags.sql). The day before the interval is
-- the difference between the totals and the figures of the stored frag, so the last update of an interval equals the
-- stored frag. If $from is inside an interval, its earlier trades are read and count, but produce no updates.
WITH tape AS (
  SELECT
    *,
    time_bucket(INTERVAL 5 MINUTES, executed_at) AS interval_start,
    is_floor(upstream_condition_detail) AS from_floor,
    is_sweep(upstream_condition_detail) AS in_sweep,
    is_cross(upstream_condition_detail) AS in_cross
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date = $date
    AND executed_at >= time_bucket(INTERVAL 5 MINUTES, $from::TIMESTAMP)
    AND executed_at < $to
    AND ($ticker IS NULL OR underlying_symbol = $ticker)
    AND NOT canceled
    AND size > 0
),
running AS (
  SELECT
    id,
    executed_at,
    underlying_symbol,
    option_chain_id,
    interval_start,
    open_interest,
    price,
    implied_volatility,
    underlying_price,
    delta,
    gamma,
    sum(size) OVER so_far AS volume,
    sum(premium) OVER so_far AS premium,
    sum(price * size) OVER so_far AS price_by_size,
    sum(ask_vol) OVER so_far AS ask_side_volume,
    sum(bid_vol) OVER so_far AS bid_side_volume,
    sum(mid_vol) OVER so_far AS mid_volume,
    sum(no_side_vol) OVER so_far AS no_side_vol,
    sum(multi_vol) OVER so_far AS multileg_volume,
    sum(stock_multi_vol) OVER so_far AS stock_multi_leg_volume,
    sum(if(from_floor, size, 0)) OVER so_far AS floor_volume,
    sum(if(in_sweep, size, 0)) OVER so_far AS sweep_volume,
    sum(if(in_cross, size, 0)) OVER so_far AS cross_volume,
    max(price) OVER so_far AS high,
    min(price) OVER so_far AS low,
    first_value(price) OVER so_far AS open,
    count(*) OVER so_far AS trades
  FROM tape
  WINDOW so_far AS (
    PARTITION BY option_chain_id, interval_start
    ORDER BY executed_at, id
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )
),
earlier AS (
  SELECT
    option_symbol,
    start_time AS interval_start,
    total_volume - volume AS volume_before,
    total_premium - premium AS premium_before,
    total_ask_side_volume - ask_side_volume AS ask_side_volume_before,
    total_bid_side_volume - bid_side_volume AS bid_side_volume_before,
    total_mid_volume - mid_volume AS mid_volume_before,
    total_stock_multi_leg_volume - stock_multi_leg_volume AS stock_multi_leg_volume_before,
    total_neutral_volume - mid_volume - no_side_vol AS neutral_volume_before,
    total_multileg_volume - multileg_volume AS multileg_volume_before
  FROM read_parquet($chain_frags, hive_partitioning = false)
  WHERE date = $date
    AND start_time >= time_bucket(INTERVAL 5 MINUTES, $from::TIMESTAMP)
    AND start_time < $to
    AND ($ticker IS NULL OR underlying_symbol = $ticker)
)
SELECT
  epoch_ms(executed_at) AS due_ms,
  option_chain_id AS option_symbol,
  epoch_ms(running.interval_start) AS start_time,
  epoch_ms(executed_at) AS tape_time,
  volume::BIGINT AS volume,
  (volume_before + volume)::BIGINT AS total_volume,
  open_interest,
  premium::DECIMAL(18, 4) AS premium,
  ask_side_volume::BIGINT AS ask_side_volume,
  bid_side_volume::BIGINT AS bid_side_volume,
  floor_volume::BIGINT AS floor_volume,
  high,
  low,
  open,
  price AS close,
  implied_volatility AS iv,
  trades,
  ratio(price_by_size, volume)::DECIMAL(18, 10) AS avg_price,
  mid_volume::BIGINT AS mid_volume,
  sweep_volume::BIGINT AS sweep_volume,
  cross_volume::BIGINT AS cross_volume,
  stock_multi_leg_volume::BIGINT AS stock_multi_leg_volume,
  no_side_vol::BIGINT AS no_side_vol,
  multileg_volume::BIGINT AS multileg_volume,
  underlying_price,
  (premium_before + premium)::DECIMAL(18, 4) AS total_premium,
  (ask_side_volume_before + ask_side_volume)::BIGINT AS total_ask_side_volume,
  (bid_side_volume_before + bid_side_volume)::BIGINT AS total_bid_side_volume,
  (mid_volume_before + mid_volume)::BIGINT AS total_mid_volume,
  (stock_multi_leg_volume_before + stock_multi_leg_volume)::BIGINT AS total_stock_multi_leg_volume,
  (neutral_volume_before + mid_volume + no_side_vol)::BIGINT AS total_neutral_volume,
  (multileg_volume_before + multileg_volume)::BIGINT AS total_multileg_volume,
  delta,
  gamma
FROM running
INNER JOIN earlier
  ON earlier.option_symbol = option_chain_id
  AND earlier.interval_start = running.interval_start
WHERE executed_at >= $from
ORDER BY
  executed_at,
  id
