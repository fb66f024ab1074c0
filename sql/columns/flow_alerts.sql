-- flow_alerts: shares, changes and days, computed from the other columns of the row
-- computes: ask_perc, bid_perc, iv_change, size_vol_ratio, spread, leading_side, bull_perc, bear_perc, skew
-- computes: days_between_expiry_and_earnings
WITH quotients AS (
  SELECT
    *,
    ratio(total_ask_side_prem, total_premium) AS ask_perc,
    ratio(total_bid_side_prem, total_premium) AS bid_perc,
    ratio(iv_end - iv_start, iv_start) AS iv_change,
    ratio(total_size, volume) AS size_vol_ratio,
    -- The mid is half of their sum.
    ratio((ask - bid) * 2, ask + bid) AS spread
  FROM rows
)
-- A step of its own: DuckDB repeats the whole expression of a name wherever it is used.
SELECT
  *,
  CASE
    WHEN total_ask_side_prem > total_bid_side_prem THEN 'ask'
    WHEN total_ask_side_prem < total_bid_side_prem THEN 'bid'
    ELSE 'neither'
  END AS leading_side,
  CASE type WHEN 'call' THEN ask_perc ELSE bid_perc END AS bull_perc,
  CASE type WHEN 'call' THEN bid_perc ELSE ask_perc END AS bear_perc,
  greatest(ask_perc, bid_perc) AS skew,
  (expiry - next_earnings_date)::INTEGER AS days_between_expiry_and_earnings
FROM quotients
