-- chain_frags: activity of each contract that traded, per five-minute interval
-- days: option_trades
-- run: 1
-- reads: option_trades on the day
--
-- New York time differs from UTC by whole hours, so five-minute boundaries are the same in both, summer and winter. On
-- an early close the last interval ends earlier. The tape order is (executed_at, id).
-- Cancelled trades and trades with size 0 do not count. An interval has one row per contract, even if its trades have
-- different tickers. Columns that describe the contract come from the latest trade and are NULL where it has none.
-- Volumes by side come from the stored split of each trade, volumes by type from its condition. Neutral volume is the
-- volume at the midpoint or without a valid quote.
-- Sums are cast to the types of the columns early: the sort for the running totals then moves rows half as wide.
WITH tape AS (
  SELECT
    *,
    time_bucket(INTERVAL 5 MINUTES, executed_at) AS start_time
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND NOT canceled
    AND size > 0
),
intervals AS (
  SELECT
    date,
    option_chain_id AS option_symbol,
    start_time,
    arg_min(price, (executed_at, id)) AS open,
    arg_max(
      {
        'tape_time': executed_at,
        'underlying_symbol': underlying_symbol,
        'open_interest': open_interest,
        'close': price,
        'iv': implied_volatility,
        'underlying_price': underlying_price,
        'delta': delta,
        'gamma': gamma
      },
      (executed_at, id)
    ) AS latest,
    sum(size)::BIGINT AS volume,
    sum(premium)::DECIMAL(18, 4) AS premium,
    sum(ask_vol)::BIGINT AS ask_side_volume,
    sum(bid_vol)::BIGINT AS bid_side_volume,
    sum(mid_vol)::BIGINT AS mid_volume,
    sum(no_side_vol)::BIGINT AS no_side_vol,
    sum(multi_vol)::BIGINT AS multileg_volume,
    sum(stock_multi_vol)::BIGINT AS stock_multi_leg_volume,
    coalesce(sum(size) FILTER (is_floor(upstream_condition_detail)), 0)::BIGINT AS floor_volume,
    coalesce(sum(size) FILTER (is_sweep(upstream_condition_detail)), 0)::BIGINT AS sweep_volume,
    coalesce(sum(size) FILTER (is_cross(upstream_condition_detail)), 0)::BIGINT AS cross_volume,
    ratio(sum(price * size), sum(size))::DECIMAL(18, 10) AS avg_price,
    max(price) AS high,
    min(price) AS low,
    count(*) AS trades
  FROM tape
  GROUP BY
    date,
    option_chain_id,
    start_time
)
SELECT
  date,
  latest.underlying_symbol AS underlying_symbol,
  option_symbol,
  start_time,
  latest.tape_time AS tape_time,
  volume,
  (sum(volume) OVER so_far)::BIGINT AS total_volume,
  latest.open_interest AS open_interest,
  premium,
  ask_side_volume,
  bid_side_volume,
  floor_volume,
  high,
  low,
  open,
  latest.close AS close,
  latest.iv AS iv,
  trades,
  avg_price,
  mid_volume,
  sweep_volume,
  cross_volume,
  stock_multi_leg_volume,
  no_side_vol,
  multileg_volume,
  latest.underlying_price AS underlying_price,
  (sum(premium) OVER so_far)::DECIMAL(18, 4) AS total_premium,
  (sum(ask_side_volume) OVER so_far)::BIGINT AS total_ask_side_volume,
  (sum(bid_side_volume) OVER so_far)::BIGINT AS total_bid_side_volume,
  (sum(mid_volume) OVER so_far)::BIGINT AS total_mid_volume,
  (sum(stock_multi_leg_volume) OVER so_far)::BIGINT AS total_stock_multi_leg_volume,
  (sum(mid_volume + no_side_vol) OVER so_far)::BIGINT AS total_neutral_volume,
  (sum(multileg_volume) OVER so_far)::BIGINT AS total_multileg_volume,
  latest.delta AS delta,
  latest.gamma AS gamma
FROM intervals
WINDOW so_far AS (PARTITION BY date, option_symbol ORDER BY start_time)
