-- volume-oi-expiry: Volume and open interest by expiry
-- path: /api/stock/{ticker}/option/volume-oi-expiry
-- subject: Option contracts
-- description: One record per expiry, ascending, over all contracts of the underlying that are listed on the date,
--   traded or not. Open interest is the clearing house's figure known before the session opens. Contracts without a
--   known figure are ignored; `oi` is null where no contract of the expiry has one. Canceled trades are not counted. A
--   ticker without contracts on the date has no records.
--
-- Contracts that did not trade count with their open interest. A sum ignores NULLs, so it is NULL only if no contract
-- of the expiry has a known open interest.
SELECT
  expiry AS expires,
  sum(open_interest)::BIGINT AS oi,
  sum(volume)::BIGINT AS volume
FROM read_parquet($contract_days, hive_partitioning = false)
WHERE underlying_symbol = $ticker
  AND date = $date
GROUP BY expiry
ORDER BY expiry
