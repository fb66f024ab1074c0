-- volume-oi-expiry: volume and open interest of one underlying on one day, added up for each expiry, ascending.
--
-- Contracts that did not trade count with their open interest. A sum passes over the unknown, so it is NULL only where
-- no contract of the expiry has a known open interest.
SELECT
  expiry AS expires,
  sum(open_interest)::BIGINT AS oi,
  sum(volume)::BIGINT AS volume
FROM read_parquet($contract_days, hive_partitioning = false)
WHERE underlying_symbol = $ticker
  AND date = $date
GROUP BY expiry
ORDER BY expiry
