-- congress-politicians: the latest trade that each politician disclosed, newest first.
--
-- Months are counted back from $as_of, by the calendar: a month before 31 March is the last day of February.
SELECT
  politician_id,
  name,
  reporter,
  member_type,
  is_active,
  issuer,
  ticker,
  txn_type,
  amounts,
  transaction_date,
  filed_at_date,
  notes
FROM read_parquet($congress_trades, hive_partitioning = false)
WHERE $last_traded_within_months IS NULL
  OR transaction_date >= $as_of::DATE - to_months($last_traded_within_months::INTEGER)
QUALIFY row_number() OVER (
  PARTITION BY politician_id
  ORDER BY transaction_date DESC, filed_at_date DESC, ticker, id
) = 1
ORDER BY
  transaction_date DESC,
  name,
  politician_id
