-- option_ticker_days: totals over the contracts of an underlying
-- days: contract_days
-- run: 20
-- reads: contract_days on the day
--
-- Bullish premium is from buying calls or selling puts: calls filled on the ask side, puts on the bid side. Bearish
-- premium is the reverse. Unknown open interest counts as 0.
SELECT
  date,
  underlying_symbol AS ticker,
  sum(volume)::BIGINT AS volume,
  coalesce(sum(volume) FILTER (WHERE option_type = 'call'), 0)::BIGINT AS call_volume,
  coalesce(sum(volume) FILTER (WHERE option_type = 'put'), 0)::BIGINT AS put_volume,
  coalesce(sum(open_interest) FILTER (WHERE option_type = 'call'), 0)::BIGINT AS call_open_interest,
  coalesce(sum(open_interest) FILTER (WHERE option_type = 'put'), 0)::BIGINT AS put_open_interest,
  sum(premium)::DECIMAL(18, 4) AS premium,
  coalesce(sum(premium) FILTER (WHERE option_type = 'call'), 0)::DECIMAL(18, 4) AS call_premium,
  coalesce(sum(premium) FILTER (WHERE option_type = 'put'), 0)::DECIMAL(18, 4) AS put_premium,
  sum(CASE option_type WHEN 'call' THEN ask_side_premium ELSE bid_side_premium END)::DECIMAL(18, 4) AS bullish_premium,
  sum(CASE option_type WHEN 'call' THEN bid_side_premium ELSE ask_side_premium END)::DECIMAL(18, 4) AS bearish_premium
FROM read_parquet($contract_days, hive_partitioning = false)
WHERE date BETWEEN $from AND $to
GROUP BY
  date,
  underlying_symbol
