-- insider-buy-sells: Insider purchases and sales by filing date
-- path: /api/stock/{ticker}/insider-buy-sells
-- subject: Politicians and insiders
-- description: One record per filing date on which insiders of the company reported purchases or sales on the open
--   market (transaction codes P and S), newest first. Days with other transactions only, such as grants and exercises,
--   have no record. `purchases` and `sells` count transactions. The notionals are shares × price in dollars; that of
--   sales is 0 or negative. A transaction without a stated price counts as 0 in them.
SELECT
  filing_date,
  count(*) FILTER (WHERE transaction_code = 'P') AS purchases,
  coalesce(sum(shares * price) FILTER (WHERE transaction_code = 'P'), 0) AS purchases_notional,
  count(*) FILTER (WHERE transaction_code = 'S') AS sells,
  coalesce(-sum(shares * price) FILTER (WHERE transaction_code = 'S'), 0) AS sells_notional
FROM read_parquet($insider_trades, hive_partitioning = false)
WHERE ticker = $ticker
  AND transaction_code IN ('P', 'S')
GROUP BY filing_date
ORDER BY filing_date DESC
