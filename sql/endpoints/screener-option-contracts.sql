-- screener-option-contracts: Option contract screener
-- path: /api/screener/option-contracts
-- subject: Option contracts
-- description: One record per contract that is listed, traded or carried over on the date. Records are sorted by
--   `volume`, greatest first, unless `order` specifies another field; nulls sort last and ties are in the order of the
--   option symbol.
-- description: A contract must pass every filter. `min_` and `max_` bounds are inclusive. They compare the value that
--   the record shows, or the value that the filter describes, rounded to 10 places; nulls never match. Ratios, changes
--   and volatilities are fractions: 0.5 is 50 %.
-- description: The volumes on the ask, on the bid, at the midpoint and without a side add up to `volume`; sweep, floor,
--   cross and multi-leg volumes overlap with them. Open interest is the figure known before the session opens. Canceled
--   trades are not counted.
--
-- A parameter that is NULL filters nothing, as does a flag that is false, except $is_new. A filter compares the value
-- as shown, a computed one at 10 places; nulls never match. $opex_expiries are the monthly expirations to keep.
SELECT
  option_symbol, -- string
  underlying_symbol AS ticker_symbol, -- string from underlying_symbol
  option_type, -- string
  strike, -- string(dec)
  expiry, -- date
  volume, -- integer
  open_interest, -- integer; null: neither the chain nor a trade of the day has one
  prev_oi, -- integer; null: the contract or its figure was unknown in the previous session
  trades, -- integer
  premium, -- string(dec)
  avg_price, -- string(dec); null: the contract did not trade on the day
  open, -- string(dec); null: the contract did not trade on the day
  high, -- string(dec); null: the contract did not trade on the day
  low, -- string(dec); null: the contract did not trade on the day
  close, -- string(dec); null: the contract did not trade on the day
  chain_prev_close, -- string(dec); null: the contract never traded before
  last_fill, -- ts; null: the contract did not trade on the day
  ask_side_volume, -- integer
  bid_side_volume, -- integer
  mid_volume, -- integer
  no_side_volume, -- integer
  sweep_volume, -- integer
  floor_volume, -- integer
  cross_volume, -- integer
  multileg_volume, -- integer
  stock_multi_leg_volume, -- integer
  total_ask_changes, -- integer
  total_bid_changes, -- integer
  ticker_vol, -- integer
  stock_price, -- string(dec); null: neither the chain, nor a trade, nor the stock's bar of the day has one
  bid, -- string(dec); null: neither the chain nor a trade of the day has one
  ask, -- string(dec); null: neither the chain nor a trade of the day has one
  iv, -- string(dec); null: neither the chain nor a trade of the day has one
  delta, -- string(dec); null: neither the chain nor a trade of the day has one
  gamma, -- string(dec); null: neither the chain nor a trade of the day has one
  theta, -- string(dec); null: neither the chain nor a trade of the day has one
  vega, -- string(dec); null: neither the chain nor a trade of the day has one
  roc, -- string(dec); null: the contract did not trade, the stock price is unknown, or the margin is not above 0
  days_of_oi_increases, -- integer
  days_of_vol_greater_than_oi, -- integer
  ask_side_perc_7_day, -- string(dec); null: the contract did not trade in the last 7 sessions
  bid_side_perc_7_day, -- string(dec); null: the contract did not trade in the last 7 sessions
  is_new, -- boolean
  issue_type, -- string; null: unknown to the lake
  marketcap, -- string(dec); null: unknown to the lake
  dte, -- integer
  ticker_30_d_avg_volume, -- string(dec); null: the lake has no volume of the stock
  contract_30_d_avg_volume, -- string(dec); null: it is the contract's first day
  coalesce(sector, '') AS sector, -- string from sector: empty if unknown
  next_earnings_date, -- date; null: unknown to the lake
  coalesce(er_time, 'unknown') AS er_time -- string from er_time: `premarket`, `postmarket` or `unknown`, also for NULL
FROM read_parquet($contract_days, hive_partitioning = false)
WHERE date = $date
  AND ($symbols IS NULL OR list_contains($symbols, underlying_symbol))
  AND ($symbols_excluded IS NULL OR NOT list_contains($symbols_excluded, underlying_symbol))
  AND ($sectors IS NULL OR list_contains($sectors, sector))
  AND ($issue_types IS NULL OR list_contains($issue_types, issue_type))
  AND ($type IS NULL OR option_type = $type)
  AND ($expiry_dates IS NULL OR list_contains($expiry_dates, expiry))
  AND ($opex_expiries IS NULL OR list_contains($opex_expiries, expiry))
  AND ($is_new IS NULL OR is_new = $is_new)
  AND ($is_otm IS NOT TRUE OR diff > 0)
  AND ($is_itm IS NOT TRUE OR diff < 0)
  AND ($vol_greater_oi IS NOT TRUE OR volume > open_interest)
  AND ($exclude_ex_div_ticker IS NOT TRUE OR ex_dividend_date IS DISTINCT FROM date)
  AND ($min_underlying_price IS NULL OR stock_price >= $min_underlying_price)
  AND ($max_underlying_price IS NULL OR stock_price <= $max_underlying_price)
  AND ($min_dte IS NULL OR dte >= $min_dte)
  AND ($max_dte IS NULL OR dte <= $max_dte)
  AND ($min_diff IS NULL OR diff >= $min_diff)
  AND ($max_diff IS NULL OR diff <= $max_diff)
  AND ($min_strike IS NULL OR strike >= $min_strike)
  AND ($max_strike IS NULL OR strike <= $max_strike)
  AND ($min_marketcap IS NULL OR marketcap >= $min_marketcap)
  AND ($max_marketcap IS NULL OR marketcap <= $max_marketcap)
  AND ($min_volume IS NULL OR volume >= $min_volume)
  AND ($max_volume IS NULL OR volume <= $max_volume)
  AND ($min_ticker_30_d_avg_volume IS NULL OR ticker_30_d_avg_volume >= $min_ticker_30_d_avg_volume)
  AND ($max_ticker_30_d_avg_volume IS NULL OR ticker_30_d_avg_volume <= $max_ticker_30_d_avg_volume)
  AND ($min_contract_30_d_avg_volume IS NULL OR contract_30_d_avg_volume >= $min_contract_30_d_avg_volume)
  AND ($max_contract_30_d_avg_volume IS NULL OR contract_30_d_avg_volume <= $max_contract_30_d_avg_volume)
  AND ($min_multileg_volume_ratio IS NULL OR multileg_volume_ratio >= $min_multileg_volume_ratio)
  AND ($max_multileg_volume_ratio IS NULL OR multileg_volume_ratio <= $max_multileg_volume_ratio)
  AND ($min_floor_volume_ratio IS NULL OR floor_volume_ratio >= $min_floor_volume_ratio)
  AND ($max_floor_volume_ratio IS NULL OR floor_volume_ratio <= $max_floor_volume_ratio)
  AND ($min_perc_change IS NULL OR perc_change >= $min_perc_change)
  AND ($max_perc_change IS NULL OR perc_change <= $max_perc_change)
  AND ($min_daily_perc_change IS NULL OR daily_perc_change >= $min_daily_perc_change)
  AND ($max_daily_perc_change IS NULL OR daily_perc_change <= $max_daily_perc_change)
  AND ($min_premium IS NULL OR premium >= $min_premium)
  AND ($max_premium IS NULL OR premium <= $max_premium)
  AND ($min_avg_price IS NULL OR avg_price >= $min_avg_price)
  AND ($max_avg_price IS NULL OR avg_price <= $max_avg_price)
  AND ($min_volume_oi_ratio IS NULL OR volume_oi_ratio >= $min_volume_oi_ratio)
  AND ($max_volume_oi_ratio IS NULL OR volume_oi_ratio <= $max_volume_oi_ratio)
  AND ($min_open_interest IS NULL OR open_interest >= $min_open_interest)
  AND ($max_open_interest IS NULL OR open_interest <= $max_open_interest)
  AND ($min_floor_volume IS NULL OR floor_volume >= $min_floor_volume)
  AND ($max_floor_volume IS NULL OR floor_volume <= $max_floor_volume)
  AND ($min_ask_perc IS NULL OR ask_perc >= $min_ask_perc)
  AND ($max_ask_perc IS NULL OR ask_perc <= $max_ask_perc)
  AND ($min_bid_perc IS NULL OR bid_perc >= $min_bid_perc)
  AND ($max_bid_perc IS NULL OR bid_perc <= $max_bid_perc)
  AND ($min_skew_perc IS NULL OR skew_perc >= $min_skew_perc)
  AND ($max_skew_perc IS NULL OR skew_perc <= $max_skew_perc)
  AND ($min_bull_perc IS NULL OR bull_perc >= $min_bull_perc)
  AND ($max_bull_perc IS NULL OR bull_perc <= $max_bull_perc)
  AND ($min_bear_perc IS NULL OR bear_perc >= $min_bear_perc)
  AND ($max_bear_perc IS NULL OR bear_perc <= $max_bear_perc)
  AND ($min_bid_side_perc_7_day IS NULL OR bid_side_perc_7_day >= $min_bid_side_perc_7_day)
  AND ($max_bid_side_perc_7_day IS NULL OR bid_side_perc_7_day <= $max_bid_side_perc_7_day)
  AND ($min_ask_side_perc_7_day IS NULL OR ask_side_perc_7_day >= $min_ask_side_perc_7_day)
  AND ($max_ask_side_perc_7_day IS NULL OR ask_side_perc_7_day <= $max_ask_side_perc_7_day)
  AND ($min_days_of_oi_increases IS NULL OR days_of_oi_increases >= $min_days_of_oi_increases)
  AND ($max_days_of_oi_increases IS NULL OR days_of_oi_increases <= $max_days_of_oi_increases)
  AND ($min_days_of_vol_greater_than_oi IS NULL OR days_of_vol_greater_than_oi >= $min_days_of_vol_greater_than_oi)
  AND ($max_days_of_vol_greater_than_oi IS NULL OR days_of_vol_greater_than_oi <= $max_days_of_vol_greater_than_oi)
  AND ($min_iv_perc IS NULL OR iv >= $min_iv_perc)
  AND ($max_iv_perc IS NULL OR iv <= $max_iv_perc)
  AND ($min_delta IS NULL OR delta >= $min_delta)
  AND ($max_delta IS NULL OR delta <= $max_delta)
  AND ($min_gamma IS NULL OR gamma >= $min_gamma)
  AND ($max_gamma IS NULL OR gamma <= $max_gamma)
  AND ($min_theta IS NULL OR theta >= $min_theta)
  AND ($max_theta IS NULL OR theta <= $max_theta)
  AND ($min_vega IS NULL OR vega >= $min_vega)
  AND ($max_vega IS NULL OR vega <= $max_vega)
  AND ($min_return_on_capital_perc IS NULL OR roc >= $min_return_on_capital_perc)
  AND ($max_return_on_capital_perc IS NULL OR roc <= $max_return_on_capital_perc)
  AND ($min_oi_change_perc IS NULL OR oi_change_perc >= $min_oi_change_perc)
  AND ($max_oi_change_perc IS NULL OR oi_change_perc <= $max_oi_change_perc)
  AND ($min_oi_change IS NULL OR oi_change >= $min_oi_change)
  AND ($max_oi_change IS NULL OR oi_change <= $max_oi_change)
  AND ($min_volume_ticker_vol_ratio IS NULL OR volume_ticker_vol_ratio >= $min_volume_ticker_vol_ratio)
  AND ($max_volume_ticker_vol_ratio IS NULL OR volume_ticker_vol_ratio <= $max_volume_ticker_vol_ratio)
  AND ($min_sweep_volume_ratio IS NULL OR sweep_volume_ratio >= $min_sweep_volume_ratio)
  AND ($max_sweep_volume_ratio IS NULL OR sweep_volume_ratio <= $max_sweep_volume_ratio)
  AND ($min_from_low_perc IS NULL OR from_low_perc >= $min_from_low_perc)
  AND ($max_from_low_perc IS NULL OR from_low_perc <= $max_from_low_perc)
  AND ($min_from_high_perc IS NULL OR from_high_perc >= $min_from_high_perc)
  AND ($max_from_high_perc IS NULL OR from_high_perc <= $max_from_high_perc)
  AND ($min_earnings_dte IS NULL OR earnings_dte >= $min_earnings_dte)
  AND ($max_earnings_dte IS NULL OR earnings_dte <= $max_earnings_dte)
  AND (
    $min_days_between_expiry_and_earnings IS NULL
    OR days_between_expiry_and_earnings >= $min_days_between_expiry_and_earnings
  )
  AND (
    $max_days_between_expiry_and_earnings IS NULL
    OR days_between_expiry_and_earnings <= $max_days_between_expiry_and_earnings
  )
  AND ($min_transactions IS NULL OR trades >= $min_transactions)
  AND ($max_transactions IS NULL OR trades <= $max_transactions)
  AND ($min_close IS NULL OR close >= $min_close)
  AND ($max_close IS NULL OR close <= $max_close)
ORDER BY /* order */ volume DESC NULLS LAST, option_symbol
LIMIT $limit
OFFSET $offset
