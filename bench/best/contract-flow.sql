-- The ticker is read from the symbol, and what is known of it once.
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
FROM (
  SELECT *
  FROM read_parquet($option_trades, hive_partitioning = false)
  WHERE option_chain_id = $id
    AND date = $date
  ORDER BY
    executed_at DESC,
    id
  LIMIT $limit
) AS trades
LEFT JOIN (
  SELECT
    trade_id,
    arg_min(id, (created_at, id)) AS flow_alert_id,
    arg_min(alert_rule, (created_at, id)) AS rule_id
  FROM (
    SELECT
      unnest(trade_ids) AS trade_id,
      created_at,
      id,
      alert_rule
    FROM read_parquet($flow_alerts, hive_partitioning = false)
    WHERE option_chain = $id
      AND date = $date
  )
  GROUP BY trade_id
) ON trade_id = trades.id
LEFT JOIN (
  SELECT *
  FROM read_parquet($tickers, hive_partitioning = false)
  WHERE ticker = left($id, -15)
    AND date <= $date
  ORDER BY date DESC
  LIMIT 1
) AS known ON true
ORDER BY
  executed_at DESC,
  trades.id
