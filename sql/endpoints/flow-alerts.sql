-- flow-alerts: Flow alerts: unusual option trades
-- path: /api/option-trades/flow-alerts
-- subject: Options flow
-- description: Alerts that the flow rules raised over option trades on all days, newest first by `created_at`, the time
--   of the alert's last trade; alerts of the same time are in the order of their ids. `newer_than` and `older_than` are
--   exclusive and optional.
-- description: The header `Link` has the address of the next page. A page ends before alerts of one `created_at` that do
--   not all fit; the next page also follows from the `created_at` of the last record as `older_than`. If the first alerts of
--   a page have one `created_at` and are more than `limit`, the page has the first `limit` of them, and only `Link` leads to
--   the rest, with `older_than=<time>/<position>`: whoever passes the time alone misses them.
-- description: All figures are those of the alert's last trade; `volume` is the volume of the day up to and including
--   it. Filters compare values as the record shows them, with shares and ratios rounded to 10 places; nulls never
--   match. Flags filter nothing by default.
-- description: Rules. Repeated hits: more than 5 trades of one contract, each at most 100 ms after the previous one,
--   none from the floor or of a multi-leg order, with a premium above 10,000 dollars (50,000 for a market
--   capitalisation above 50 billion, 100,000 above 500 billion): RepeatedHitsAscendingFill if fills never fall and end
--   higher, RepeatedHitsDescendingFill for the reverse, else RepeatedHits. FloorTradeSmallCap, FloorTradeMidCap,
--   FloorTradeLargeCap: a floor trade with a premium of at least 50,000, 100,000 or 250,000 dollars on a market
--   capitalisation below 10 billion, below 100 billion or above. OtmEarningsFloor: a floor trade out of the money of at
--   least 25,000 dollars with earnings before expiry and within 14 days. LowHistoricVolumeFloor: a floor trade of at
--   least 25,000 dollars of more than 5 times the average volume of the 30 days before. SweepsFollowedByFloor: at least
--   10 sweeps followed within 10 minutes by a floor trade of at least 100,000 dollars.
--
-- Filters compare shares and ratios rounded to 10 places, as a response would show them; nulls never match.
SELECT
  alert_rule,
  ticker,
  option_chain,
  type,
  strike,
  expiry,
  expiry_count,
  issue_type,
  created_at,
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
FROM read_parquet($flow_alerts, hive_partitioning = false)
WHERE ($symbols IS NULL OR list_contains($symbols, ticker))
  AND ($symbols_excluded IS NULL OR NOT list_contains($symbols_excluded, ticker))
  AND ($newer_than IS NULL OR created_at > $newer_than)
  AND ($older_than IS NULL OR created_at < $older_than)
  AND ($rule_name IS NULL OR list_contains($rule_name, alert_rule))
  AND ($issue_types IS NULL OR list_contains($issue_types, issue_type))
  AND ($types IS NULL OR list_contains($types, type))
  AND ($sides IS NULL OR list_contains($sides, leading_side))
  AND ($all_opening IS NULL OR all_opening_trades = $all_opening)
  AND ($is_floor IS NULL OR has_floor = $is_floor)
  AND ($is_sweep IS NULL OR has_sweep = $is_sweep)
  AND ($is_multi_leg IS NULL OR has_multileg = $is_multi_leg)
  AND ($is_otm IS NOT TRUE OR diff > 0)
  AND ($size_greater_oi IS NOT TRUE OR total_size > open_interest)
  AND ($vol_greater_oi IS NOT TRUE OR volume > open_interest)
  AND ($min_premium IS NULL OR total_premium >= $min_premium)
  AND ($max_premium IS NULL OR total_premium <= $max_premium)
  AND ($min_size IS NULL OR total_size >= $min_size)
  AND ($max_size IS NULL OR total_size <= $max_size)
  AND ($min_volume IS NULL OR volume >= $min_volume)
  AND ($max_volume IS NULL OR volume <= $max_volume)
  AND ($min_open_interest IS NULL OR open_interest >= $min_open_interest)
  AND ($max_open_interest IS NULL OR open_interest <= $max_open_interest)
  AND ($min_diff IS NULL OR diff >= $min_diff)
  AND ($max_diff IS NULL OR diff <= $max_diff)
  AND ($min_volume_oi_ratio IS NULL OR volume_oi_ratio >= $min_volume_oi_ratio)
  AND ($max_volume_oi_ratio IS NULL OR volume_oi_ratio <= $max_volume_oi_ratio)
  AND ($min_dte IS NULL OR dte >= $min_dte)
  AND ($max_dte IS NULL OR dte <= $max_dte)
  AND ($min_ask_perc IS NULL OR ask_perc >= $min_ask_perc)
  AND ($max_ask_perc IS NULL OR ask_perc <= $max_ask_perc)
  AND ($min_bid_perc IS NULL OR bid_perc >= $min_bid_perc)
  AND ($max_bid_perc IS NULL OR bid_perc <= $max_bid_perc)
  AND ($min_bull_perc IS NULL OR bull_perc >= $min_bull_perc)
  AND ($max_bull_perc IS NULL OR bull_perc <= $max_bull_perc)
  AND ($min_bear_perc IS NULL OR bear_perc >= $min_bear_perc)
  AND ($max_bear_perc IS NULL OR bear_perc <= $max_bear_perc)
  AND ($min_skew IS NULL OR skew >= $min_skew)
  AND ($max_skew IS NULL OR skew <= $max_skew)
  AND ($min_price IS NULL OR underlying_price >= $min_price)
  AND ($max_price IS NULL OR underlying_price <= $max_price)
  AND ($min_iv_change IS NULL OR iv_change >= $min_iv_change)
  AND ($max_iv_change IS NULL OR iv_change <= $max_iv_change)
  AND ($min_size_vol_ratio IS NULL OR size_vol_ratio >= $min_size_vol_ratio)
  AND ($max_size_vol_ratio IS NULL OR size_vol_ratio <= $max_size_vol_ratio)
  AND ($min_spread IS NULL OR spread >= $min_spread)
  AND ($max_spread IS NULL OR spread <= $max_spread)
  AND ($min_marketcap IS NULL OR marketcap >= $min_marketcap)
  AND ($max_marketcap IS NULL OR marketcap <= $max_marketcap)
  AND (
    $min_days_between_expiry_and_earnings IS NULL
    OR days_between_expiry_and_earnings >= $min_days_between_expiry_and_earnings
  )
  AND (
    $max_days_between_expiry_and_earnings IS NULL
    OR days_between_expiry_and_earnings <= $max_days_between_expiry_and_earnings
  )
ORDER BY
  created_at DESC,
  id
LIMIT $limit
