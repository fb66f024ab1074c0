-- oi-per-expiry: Open interest by expiry, calls and puts
-- path: /api/stock/{ticker}/oi-per-expiry
-- subject: Option contracts
-- description: One record per expiry of the underlying, ascending. Open interest is the clearing house's figure known
--   before the session opens. Contracts without a known figure are ignored; a side is null where none of its contracts
--   has one, which is not the same as 0. A ticker without contracts on the date has no records.
--
-- A sum ignores NULLs, so it is NULL only if no contract of the side has a known open interest.
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
