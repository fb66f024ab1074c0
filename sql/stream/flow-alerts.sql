-- flow-alerts: alerts of $date created at or after $from and before $to, oldest first.
--
-- $ticker NULL selects every underlying. Times are Unix milliseconds.
SELECT
  epoch_ms(created_at) AS due_ms,
  ticker,
  alert_rule,
  option_chain,
  type,
  strike,
  expiry::VARCHAR AS expiry,
  expiry_count,
  issue_type,
  epoch_ms(created_at) AS created_at,
  price,
  underlying_price,
  open_interest,
  volume,
  volume_oi_ratio,
  total_size,
  trade_count,
  total_premium,
  total_ask_side_prem,
  total_bid_side_prem,
  all_opening_trades,
  has_floor,
  has_sweep,
  has_multileg,
  has_singleleg
FROM read_parquet($flow_alerts, hive_partitioning = false) AS alerts
WHERE date = $date
  AND alerts.created_at >= $from
  AND alerts.created_at < $to
  AND ($ticker IS NULL OR ticker = $ticker)
ORDER BY
  alerts.created_at,
  alerts.id
