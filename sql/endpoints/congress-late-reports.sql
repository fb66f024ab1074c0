-- congress-late-reports: trades filed more than the 45 days after them that the law allows, the last filed first.
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
WHERE filed_at_date - transaction_date > 45
  AND ($date IS NULL OR filed_at_date <= $date)
  AND ($ticker IS NULL OR ticker = $ticker)
ORDER BY
  filed_at_date DESC,
  id
LIMIT $limit
