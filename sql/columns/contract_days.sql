-- contract_days: shares, changes and days, computed from the other columns of the row
-- computes: diff, ask_perc, bid_perc, bid_ask_vol, bull_bear_vol, multileg_volume_ratio, total_multileg_volume_ratio
-- computes: floor_volume_ratio, sweep_volume_ratio, volume_ticker_vol_ratio, volume_oi_ratio, oi_change, oi_change_perc
-- computes: perc_change, daily_perc_change, from_high_perc, from_low_perc, spread, earnings_dte
-- computes: days_between_expiry_and_earnings, skew_perc, bull_perc, bear_perc
WITH ratios AS (
  SELECT
    *,
    ratio(if(option_type = 'call', strike - stock_price, stock_price - strike), stock_price) AS diff,
    ratio(ask_side_volume, volume) AS ask_perc,
    ratio(bid_side_volume, volume) AS bid_perc,
    ask_side_volume - bid_side_volume AS bid_ask_vol,
    if(option_type = 'call', bid_ask_vol, -bid_ask_vol) AS bull_bear_vol,
    ratio(multileg_volume, volume) AS multileg_volume_ratio,
    ratio(multileg_volume + stock_multi_leg_volume, volume) AS total_multileg_volume_ratio,
    ratio(floor_volume, volume) AS floor_volume_ratio,
    ratio(sweep_volume, volume) AS sweep_volume_ratio,
    ratio(volume, ticker_vol) AS volume_ticker_vol_ratio,
    ratio(volume, if(open_interest = 0, 1, open_interest)) AS volume_oi_ratio,
    open_interest - prev_oi AS oi_change,
    ratio(oi_change, prev_oi) AS oi_change_perc,
    ratio(close - chain_prev_close, chain_prev_close) AS perc_change,
    ratio(close - open, open) AS daily_perc_change,
    ratio(close - high, high) AS from_high_perc,
    ratio(close - low, low) AS from_low_perc,
    ratio(2 * (ask - bid), ask + bid) AS spread,
    (next_earnings_date - date)::INTEGER AS earnings_dte,
    (expiry - next_earnings_date)::INTEGER AS days_between_expiry_and_earnings
  FROM rows
)
-- A step of its own, so that a share is computed once and not in each of these.
SELECT
  *,
  greatest(ask_perc, bid_perc) AS skew_perc,
  if(option_type = 'call', ask_perc, bid_perc) AS bull_perc,
  if(option_type = 'call', bid_perc, ask_perc) AS bear_perc
FROM ratios
