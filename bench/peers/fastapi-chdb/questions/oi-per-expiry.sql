SELECT
  date,
  expiry,
  sumOrNullIf(open_interest, option_type = 'call') AS call_oi,
  sumOrNullIf(open_interest, option_type = 'put') AS put_oi
FROM file('{data}/contract_days/{date}.parquet', Parquet)
WHERE underlying_symbol = {ticker:String} AND date = {date:Date32}
GROUP BY date, expiry
ORDER BY expiry
