-- congress-late-reports: Late reports of congressional trades
-- path: /api/congress/late-reports
-- subject: Politicians and insiders
-- description: Trades of members of Congress that were filed more than 45 days after the transaction, latest filing
--   first; trades filed on the same day are in the order of their id. A trade dated after its filing is not late.
--   `issuer`, `ticker` and `notes` are null where the filing has none.
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
