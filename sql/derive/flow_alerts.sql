-- flow_alerts: alerts raised by the nine flow rules on a day's option trades
-- days: option_trades
-- run: 1
-- reads: option_trades on the day
-- reads: contract_days on the day
-- reads: tickers all before
--
-- Cancelled trades raise no alerts. A trade that matches two rules is in two alerts.
-- Repeated hits: a run of trades in one contract, excluding floor and multi-leg trades, each at most 100 ms after the
-- previous one, ordered by (executed_at, id). A run gets one of three rule names: fills that never fall and end above
-- the first are runs in which some step rises and none falls.
-- Floor rules: premium thresholds are inclusive. An unknown market cap counts as the lowest tier; exactly 10B is mid,
-- exactly 100B is large. An earnings date counts from the trading day to 14 days later, and not after the expiry; an
-- earlier date is stale. Without a price of the underlying no contract is out of the money. Without a 30-day average
-- no size is unusual; every size exceeds an average of 0.
-- Sweeps up to and including the microsecond of the floor trade precede it, whatever their ids, so it ends the alert.
-- volume is the largest running volume of the alert's trades: that of the last one, whichever way ties in time are
-- ordered, and never below total_size. An unknown open interest counts as 0, both for opening trades and for the ratio.
-- expiry_count includes all legs of the orders that the alert's trades belong to.
-- id is the UUIDv5 (RFC 9562) of "rule contract id id …" in a namespace that is the UUIDv5 of "tapehouse:flow_alerts"
-- in the URL namespace.
--
-- Each question reads a few narrow columns of the day; only trades of an alert are read as whole rows.
WITH floor_trades AS (
  SELECT
    *
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND NOT canceled
    AND is_floor(upstream_condition_detail)
    AND premium >= 25000
),
single_legs AS NOT MATERIALIZED (
  SELECT
    id,
    date,
    underlying_symbol,
    option_chain_id,
    epoch_us(executed_at) AS at_us,
    epoch_us(executed_at) // 500000 AS half_second,
    price,
    premium
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND NOT canceled
    AND multi_vol = 0
    AND NOT is_floor(coalesce(upstream_condition_detail, ''))
),
-- Six trades of a run span at most 500 ms, so two consecutive half seconds of the contract hold more than 5 trades.
-- Other trades (most of a day) are in no long run and are removed before the expensive ordering. A hash collision
-- between two pairs only keeps trades that could have been removed.
pairs AS (
  SELECT
    unnest([hash(date, option_chain_id, half_second), hash(date, option_chain_id, half_second - 1)]) AS pair
  FROM single_legs
),
crowded AS (
  SELECT
    pair
  FROM pairs
  GROUP BY pair
  HAVING count(*) > 5
),
steps AS (
  SELECT
    *,
    at_us - lag(at_us) OVER tape <= 100000 AS follows,
    price - lag(price) OVER tape AS change
  FROM single_legs
  WHERE hash(date, option_chain_id, half_second) IN (FROM crowded)
    OR hash(date, option_chain_id, half_second - 1) IN (FROM crowded)
  WINDOW tape AS (PARTITION BY date, option_chain_id ORDER BY at_us, id)
),
runs AS MATERIALIZED (
  SELECT
    *,
    count(*) FILTER (WHERE follows IS NOT TRUE) OVER tape AS run
  FROM steps
  WINDOW tape AS (PARTITION BY date, option_chain_id ORDER BY at_us, id)
),
long_runs AS (
  SELECT
    date,
    underlying_symbol,
    option_chain_id,
    run,
    sum(premium) AS premium,
    bool_or(follows AND change > 0) AS rises,
    bool_or(follows AND change < 0) AS falls
  FROM runs
  GROUP BY ALL
  HAVING count(*) > 5
    AND sum(premium) > 10000
),
repeated_hits AS (
  SELECT
    long_runs.*,
    list(id ORDER BY at_us, id) AS trade_ids
  FROM long_runs
  JOIN runs USING (date, underlying_symbol, option_chain_id, run)
  GROUP BY ALL
),
underlyings AS (
  SELECT date, underlying_symbol FROM floor_trades
  UNION
  SELECT date, underlying_symbol FROM repeated_hits
),
attributes AS (
  SELECT
    underlyings.*,
    known.* EXCLUDE (ticker, date)
  FROM underlyings
  ASOF LEFT JOIN read_parquet($tickers, hive_partitioning = false) AS known
    ON underlyings.underlying_symbol = known.ticker
    AND underlyings.date >= known.date
),
preceding_sweeps AS (
  SELECT
    floor_trades.id AS floor_id,
    list(sweeps.id ORDER BY sweeps.executed_at, sweeps.id) AS sweep_ids
  FROM floor_trades
  JOIN read_parquet($option_trades, hive_partitioning = false) AS sweeps
    ON floor_trades.date = sweeps.date
    AND floor_trades.option_chain_id = sweeps.option_chain_id
    AND sweeps.executed_at BETWEEN floor_trades.executed_at - INTERVAL 10 MINUTES AND floor_trades.executed_at
  WHERE floor_trades.premium >= 100000
    AND sweeps.date BETWEEN $from AND $to
    AND is_sweep(sweeps.upstream_condition_detail)
    AND NOT sweeps.canceled
  GROUP BY floor_trades.id
  HAVING count(*) >= 10
),
matches AS (
  SELECT
    CASE
      WHEN rises AND NOT falls THEN 'RepeatedHitsAscendingFill'
      WHEN falls AND NOT rises THEN 'RepeatedHitsDescendingFill'
      ELSE 'RepeatedHits'
    END AS alert_rule,
    option_chain_id,
    trade_ids
  FROM repeated_hits
  JOIN attributes USING (date, underlying_symbol)
  WHERE premium > CASE
    WHEN marketcap > 500000000000 THEN 100000
    WHEN marketcap > 50000000000 THEN 50000
    ELSE 10000
  END
  UNION ALL
  SELECT
    CASE
      WHEN marketcap >= 100000000000 THEN 'FloorTradeLargeCap'
      WHEN marketcap >= 10000000000 THEN 'FloorTradeMidCap'
      ELSE 'FloorTradeSmallCap'
    END,
    option_chain_id,
    [id]
  FROM floor_trades
  JOIN attributes USING (date, underlying_symbol)
  WHERE premium >= CASE
    WHEN marketcap >= 100000000000 THEN 250000
    WHEN marketcap >= 10000000000 THEN 100000
    ELSE 50000
  END
  UNION ALL
  SELECT 'OtmEarningsFloor', option_chain_id, [id]
  FROM floor_trades
  JOIN attributes USING (date, underlying_symbol)
  WHERE next_earnings_date BETWEEN date AND least(date + 14, expiry)
    AND CASE option_type WHEN 'call' THEN strike > underlying_price ELSE strike < underlying_price END
  UNION ALL
  SELECT 'LowHistoricVolumeFloor', option_chain_id, [id]
  FROM floor_trades
  JOIN read_parquet($contract_days, hive_partitioning = false) AS contract_days
    ON floor_trades.date = contract_days.date
    AND floor_trades.option_chain_id = contract_days.option_symbol
  WHERE size > 5 * contract_30_d_avg_volume
  UNION ALL
  SELECT 'SweepsFollowedByFloor', option_chain_id, list_append(sweep_ids, id)
  FROM floor_trades
  JOIN preceding_sweeps ON floor_trades.id = preceding_sweeps.floor_id
),
alerts AS (
  SELECT
    sha1(
      from_hex('1a5737e380a8582cb4a5dd1ca371b78d')
      || encode(concat_ws(' ', alert_rule, option_chain_id, array_to_string(trade_ids, ' ')))
    ) AS hash,
    -- The first 32 digits of the hash; the version replaces the 13th digit, the variant two bits of the 17th.
    CAST(
      hash[1:12] || '5' || hash[14:16] || format('{:x}', 8 + CAST('0x' || hash[17] AS INTEGER) % 4) || hash[18:32]
      AS UUID
    ) AS id,
    alert_rule,
    trade_ids
  FROM matches
),
members AS (
  SELECT
    id AS alert_id,
    unnest(trade_ids) AS trade_id
  FROM alerts
),
-- coalesce makes the planner build the hash table from the few ids and probe it with the day's trades.
picked AS (
  SELECT
    *
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND coalesce(id IN (SELECT trade_id FROM members), false)
),
legs AS (
  SELECT DISTINCT
    multi_leg_id,
    expiry
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND NOT canceled
    AND coalesce(multi_leg_id IN (SELECT multi_leg_id FROM picked WHERE multi_leg_id IS NOT NULL), false)
),
order_expiries AS (
  SELECT
    alert_id,
    count(DISTINCT legs.expiry) AS expiry_count
  FROM members
  JOIN picked ON trade_id = id
  JOIN legs USING (multi_leg_id)
  GROUP BY alert_id
),
sums AS (
  SELECT
    alert_id,
    max(volume) AS volume,
    sum(size) AS total_size,
    count(*) AS trade_count,
    sum(premium) AS total_premium,
    coalesce(sum(premium) FILTER (WHERE ask_vol > 0), 0) AS total_ask_side_prem,
    coalesce(sum(premium) FILTER (WHERE bid_vol > 0), 0) AS total_bid_side_prem,
    bool_and(size > coalesce(open_interest, 0) - (volume - size)) AS all_opening_trades,
    bool_or(is_floor(coalesce(upstream_condition_detail, ''))) AS has_floor,
    bool_or(is_sweep(coalesce(upstream_condition_detail, ''))) AS has_sweep,
    bool_or(multi_vol > 0) AS has_multileg,
    bool_or(multi_vol = 0) AS has_singleleg
  FROM members
  JOIN picked ON trade_id = id
  GROUP BY alert_id
)
SELECT
  alerts.id,
  last.date,
  alert_rule,
  last.executed_at AS created_at,
  first.executed_at AS start_time,
  last.underlying_symbol AS ticker,
  last.option_chain_id AS option_chain,
  last.option_type AS type,
  last.strike,
  last.expiry,
  CAST(coalesce(expiry_count, 1) AS INTEGER) AS expiry_count,
  CAST(last.expiry - last.date AS INTEGER) AS dte,
  issue_type,
  last.price,
  last.nbbo_bid AS bid,
  last.nbbo_ask AS ask,
  last.underlying_price,
  TRY_CAST(
    ratio(
      CASE last.option_type WHEN 'call' THEN 1 ELSE -1 END * (last.strike - last.underlying_price),
      last.underlying_price
    ) AS DECIMAL(18, 10)
  ) AS diff,
  last.open_interest,
  sums.volume,
  CAST(ratio(sums.volume, coalesce(nullif(last.open_interest, 0), 1)) AS DECIMAL(18, 10)) AS volume_oi_ratio,
  CAST(total_size AS BIGINT) AS total_size,
  CAST(trade_count AS INTEGER) AS trade_count,
  CAST(total_premium AS DECIMAL(18, 4)) AS total_premium,
  CAST(total_ask_side_prem AS DECIMAL(18, 4)) AS total_ask_side_prem,
  CAST(total_bid_side_prem AS DECIMAL(18, 4)) AS total_bid_side_prem,
  all_opening_trades,
  has_floor,
  has_sweep,
  has_multileg,
  has_singleleg,
  first.implied_volatility AS iv_start,
  last.implied_volatility AS iv_end,
  marketcap,
  sector,
  next_earnings_date,
  er_time,
  ex_dividend_date,
  trade_ids
FROM alerts
JOIN sums ON alerts.id = sums.alert_id
JOIN picked AS first ON trade_ids[1] = first.id
JOIN picked AS last ON trade_ids[-1] = last.id
JOIN attributes ON last.date = attributes.date AND last.underlying_symbol = attributes.underlying_symbol
LEFT JOIN order_expiries ON alerts.id = order_expiries.alert_id
