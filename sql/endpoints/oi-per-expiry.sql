-- oi-per-expiry: open interest of one underlying's calls and puts on one day, added up for each expiry, ascending.
--
-- A sum passes over the unknown, so it is NULL only where no contract of that side has a known open interest.
SELECT
  date,
  expiry,
  sum(open_interest) FILTER (WHERE option_type = 'call')::BIGINT AS call_oi,
  sum(open_interest) FILTER (WHERE option_type = 'put')::BIGINT AS put_oi
FROM read_parquet($contract_days, hive_partitioning = false)
WHERE underlying_symbol = $ticker
  AND date = $date
GROUP BY
  date,
  expiry
ORDER BY expiry
