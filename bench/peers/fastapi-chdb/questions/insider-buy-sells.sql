SELECT
  filing_date,
  countIf(transaction_code = 'P') AS purchases,
  sumIf(ifNull(toDecimal128(shares, 4) * price, 0), transaction_code = 'P') AS purchases_notional,
  countIf(transaction_code = 'S') AS sells,
  -sumIf(ifNull(toDecimal128(shares, 4) * price, 0), transaction_code = 'S') AS sells_notional
FROM file('{data}/insider_trades.parquet', Parquet)
WHERE ticker = {ticker:String} AND transaction_code IN ('P', 'S')
GROUP BY filing_date
ORDER BY filing_date DESC
