SELECT
  option_symbol, underlying_symbol AS ticker_symbol, option_type, strike, expiry, volume, open_interest, prev_oi, trades, premium,
  avg_price, open, high, low, close, chain_prev_close, last_fill, ask_side_volume, bid_side_volume, mid_volume,
  no_side_volume, sweep_volume, floor_volume, cross_volume, multileg_volume, stock_multi_leg_volume, total_ask_changes,
  total_bid_changes, ticker_vol, stock_price, bid, ask, iv, delta, gamma, theta, vega, roc, days_of_oi_increases,
  days_of_vol_greater_than_oi, ask_side_perc_7_day, bid_side_perc_7_day, is_new, issue_type, marketcap, dte,
  ticker_30_d_avg_volume, contract_30_d_avg_volume, coalesce(sector, '') AS sector, next_earnings_date,
  coalesce(er_time, 'unknown') AS er_time
FROM contract_days_{day}
WHERE date = $date::DATE
  AND option_type = $type
  AND dte <= $max_dte::INTEGER
  AND premium >= $min_premium::DECIMAL(18, 4)
  AND CASE option_type WHEN 'call' THEN strike > stock_price ELSE strike < stock_price END
  AND ask_side_volume >= $min_ask_perc::DOUBLE * volume
  AND volume > 0
ORDER BY premium DESC NULLS LAST, option_symbol
LIMIT $limit
