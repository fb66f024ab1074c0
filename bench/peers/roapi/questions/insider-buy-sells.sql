SELECT
  filing_date,
  sum(CASE WHEN transaction_code = 'P' THEN 1 ELSE 0 END) AS purchases,
  coalesce(sum(CASE WHEN transaction_code = 'P' THEN shares * price END), 0) AS purchases_notional,
  sum(CASE WHEN transaction_code = 'S' THEN 1 ELSE 0 END) AS sells,
  coalesce(-sum(CASE WHEN transaction_code = 'S' THEN shares * price END), 0) AS sells_notional
FROM insider_trades
WHERE ticker = $ticker AND transaction_code IN ('P', 'S')
GROUP BY filing_date
ORDER BY filing_date DESC
