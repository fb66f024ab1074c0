-- congress-politicians: Latest disclosed trade of each politician
-- path: /api/congress/politicians
-- subject: Politicians and insiders
-- description: One record per member of Congress: the trade with the latest `transaction_date`; of several trades on
--   that date the one filed last, then the first by ticker. Records are sorted by trade, newest first, then by name.
--   `issuer`, `ticker` and `notes` are null where the filing has none. Dates are as filed, including trades dated after
--   their filing.
--
-- Months are calendar months counted back from $as_of: one month before 31 March is the last day of February.
-- An aggregate finds the latest trade in a fraction of the time of a window. Its key is ascending: later dates are less.
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
FROM (
  SELECT unnest(latest)
  FROM (
    SELECT arg_min(trades, (-epoch_us(transaction_date), -epoch_us(filed_at_date), ticker, id)) AS latest
    FROM read_parquet($congress_trades, hive_partitioning = false) AS trades
    WHERE $last_traded_within_months IS NULL
      OR transaction_date >= $as_of::DATE - to_months($last_traded_within_months::INTEGER)
    GROUP BY politician_id
  )
)
ORDER BY
  transaction_date DESC,
  name,
  politician_id
