SELECT
  option_symbol, underlying_symbol AS ticker_symbol, option_type, strike, expiry, volume, open_interest, prev_oi, trades, premium,
  avg_price, open, high, low, close, chain_prev_close, last_fill, ask_side_volume, bid_side_volume, mid_volume,
  no_side_volume, sweep_volume, floor_volume, cross_volume, multileg_volume, stock_multi_leg_volume, total_ask_changes,
  total_bid_changes, ticker_vol, stock_price, bid, ask, iv, delta, gamma, theta, vega, roc, days_of_oi_increases,
  days_of_vol_greater_than_oi, ask_side_perc_7_day, bid_side_perc_7_day, is_new, issue_type, marketcap, dte,
  ticker_30_d_avg_volume, contract_30_d_avg_volume, coalesce(sector, '') AS sector, next_earnings_date,
  coalesce(er_time, 'unknown') AS er_time
FROM file('{data}/contract_days/{date}.parquet', Parquet)
WHERE date = {date:Date32}
  AND option_type = {type:String}
  AND dte <= {max_dte:Int32}
  AND premium >= {min_premium:Decimal(18, 4)}
  AND if(option_type = 'call', strike > stock_price, strike < stock_price)
  AND ask_side_volume >= {min_ask_perc:Float64} * volume
  AND volume > 0
ORDER BY premium DESC NULLS LAST, option_symbol
LIMIT {limit:Int32}
