SELECT
  filing_date,
  count(*) FILTER (WHERE transaction_code = 'P') AS purchases,
  coalesce(sum(shares * price) FILTER (WHERE transaction_code = 'P'), 0) AS purchases_notional,
  count(*) FILTER (WHERE transaction_code = 'S') AS sells,
  coalesce(-sum(shares * price) FILTER (WHERE transaction_code = 'S'), 0) AS sells_notional
FROM insider_trades
WHERE ticker = :ticker AND transaction_code IN ('P', 'S')
GROUP BY filing_date
ORDER BY filing_date DESC
