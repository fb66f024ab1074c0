SELECT
  alert_rule, ticker, option_chain, type, strike, expiry, expiry_count, issue_type, created_at, price, underlying_price,
  open_interest, volume, volume_oi_ratio, total_size, trade_count, total_premium, total_ask_side_prem,
  total_bid_side_prem, all_opening_trades, has_floor, has_sweep, has_multileg, has_singleleg
FROM flow_alerts
WHERE ticker = $ticker_symbol
  AND total_premium >= $min_premium::DECIMAL(18, 4)
  AND has_floor = $is_floor::BOOLEAN
ORDER BY created_at DESC, id
LIMIT $limit
