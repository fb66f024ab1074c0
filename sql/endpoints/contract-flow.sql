-- contract-flow: Trades of an option contract
-- path: /api/option-contract/{id}/flow
-- subject: Options flow
-- description: One record per trade of one day, newest first; trades of the same microsecond are in the order of their
--   id. Canceled trades are listed with `canceled: true`; no other operation counts them.
-- description: The side of a trade is its fill compared with the midpoint of the best bid and offer stored with the
--   trade: ask above it, bid below it, mid at it. Trades without a valid quote, late and out-of-sequence trades and
--   crosses have no side; only `side=ALL` includes them.
-- description: `flow_alert_id` is the alert on this contract that the trade is part of, the earliest of several;
--   `rule_id` is the name of its rule. Fields about the underlying are as known on the day of the trade.
--
-- A page of a long response begins after the trade at $after_time and $after_id and ends with a trade at $until_time;
-- NULL is unbounded. The times are separate conditions, so that row groups outside them are not read. A side volume is
-- the whole size of the trade or 0, so the one above 0 is its side. `trades` is used once below: used twice, DuckDB
-- would keep all its columns even if a query needs two.
WITH trades AS (
  SELECT
    *
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE option_chain_id = $id
    AND date = $date
    AND premium >= $min_premium
    AND CASE $side WHEN 'ASK' THEN ask_vol WHEN 'BID' THEN bid_vol WHEN 'MID' THEN mid_vol ELSE 1 END > 0
    AND ($after_time IS NULL OR executed_at <= $after_time)
    AND ($after_time IS NULL OR executed_at < $after_time OR id > $after_id)
    AND ($until_time IS NULL OR executed_at >= $until_time)
  ORDER BY
    executed_at DESC,
    id
  LIMIT $limit
),
members AS (
  SELECT
    unnest(trade_ids) AS trade_id,
    created_at,
    id,
    alert_rule
  FROM read_parquet($flow_alerts, hive_partitioning = false)
  WHERE option_chain = $id
    AND date = $date
),
-- A trade can be part of several alerts; the record has the earliest.
first_alerts AS (
  SELECT
    trade_id,
    id AS flow_alert_id,
    alert_rule AS rule_id
  FROM members
  QUALIFY row_number() OVER (PARTITION BY trade_id ORDER BY created_at, id) = 1
)
SELECT
  trades.id,
  option_chain_id,
  trades.underlying_symbol,
  option_type,
  strike,
  expiry,
  executed_at,
  price,
  size,
  premium,
  volume,
  open_interest,
  underlying_price,
  exchange,
  canceled,
  is_agg,
  ask_vol,
  bid_vol,
  mid_vol,
  no_side_vol,
  multi_vol,
  stock_multi_vol,
  nbbo_bid,
  nbbo_ask,
  nbbo_bid_size,
  nbbo_ask_size,
  nbbo_bid_time,
  nbbo_ask_time,
  ewma_nbbo_bid,
  ewma_nbbo_ask,
  delta,
  gamma,
  theta,
  vega,
  rho,
  theo,
  implied_volatility,
  flow_alert_id,
  rule_id,
  tags,
  report_flags,
  upstream_condition_detail,
  full_name,
  industry_type,
  issue_type,
  sector,
  marketcap,
  er_time,
  next_earnings_date
FROM trades
LEFT JOIN first_alerts ON trades.id = trade_id
-- The data on an underlying on the day are those of its latest change up to the day.
LEFT JOIN LATERAL (
  SELECT
    *
  FROM read_parquet($tickers, hive_partitioning = false)
  WHERE ticker = underlying_symbol
    AND date <= $date
  ORDER BY date DESC
  LIMIT 1
) AS known ON true
ORDER BY
  executed_at DESC,
  trades.id
