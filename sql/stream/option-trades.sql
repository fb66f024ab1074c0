-- option-trades: all trades of $date executed at or after $from and before $to, cancelled or not, in tape order.
--
-- $ticker NULL selects every underlying. Times are Unix milliseconds. Fields of the alert and the underlying are as in
-- sql/endpoints/contract-flow.sql.
WITH trades AS (
  SELECT
    *
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE date = $date
    AND executed_at >= $from
    AND executed_at < $to
    AND ($ticker IS NULL OR underlying_symbol = $ticker)
),
-- An alert's trades are between its first and its last.
members AS (
  SELECT
    unnest(trade_ids) AS trade_id,
    created_at,
    id,
    alert_rule
  FROM read_parquet($flow_alerts, hive_partitioning = false)
  WHERE date = $date
    AND created_at >= $from
    AND start_time < $to
    AND ($ticker IS NULL OR ticker = $ticker)
),
-- A trade may be in several alerts; it shows the first one raised.
first_alerts AS (
  SELECT
    trade_id,
    id AS flow_alert_id,
    alert_rule AS rule_id
  FROM members
  QUALIFY row_number() OVER (PARTITION BY trade_id ORDER BY created_at, id) = 1
),
-- The underlying's attributes on the day come from its latest row up to the day.
known AS (
  SELECT
    ticker AS known_ticker,
    full_name,
    industry_type,
    issue_type,
    sector,
    marketcap,
    er_time,
    next_earnings_date
  FROM read_parquet($tickers, hive_partitioning = false)
  WHERE date <= $date
    AND ($ticker IS NULL OR ticker = $ticker)
  QUALIFY row_number() OVER (PARTITION BY ticker ORDER BY date DESC) = 1
)
SELECT
  epoch_ms(executed_at) AS due_ms,
  trades.id::VARCHAR AS id,
  option_chain_id,
  underlying_symbol,
  option_type,
  strike,
  expiry::VARCHAR AS expiry,
  epoch_ms(executed_at) AS executed_at,
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
  epoch_ms(nbbo_bid_time) AS nbbo_bid_time,
  epoch_ms(nbbo_ask_time) AS nbbo_ask_time,
  ewma_nbbo_bid,
  ewma_nbbo_ask,
  delta,
  gamma,
  theta,
  vega,
  rho,
  theo,
  implied_volatility,
  flow_alert_id::VARCHAR AS flow_alert_id,
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
  next_earnings_date::VARCHAR AS next_earnings_date
FROM trades
LEFT JOIN first_alerts ON trades.id = trade_id
LEFT JOIN known ON known_ticker = underlying_symbol
ORDER BY
  trades.executed_at,
  trades.id
