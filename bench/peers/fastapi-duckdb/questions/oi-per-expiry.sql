SELECT
  date,
  expiry,
  sum(open_interest) FILTER (WHERE option_type = 'call')::BIGINT AS call_oi,
  sum(open_interest) FILTER (WHERE option_type = 'put')::BIGINT AS put_oi
FROM '{data}/contract_days/{date}.parquet'
WHERE underlying_symbol = $ticker AND date = $date::DATE
GROUP BY date, expiry
ORDER BY expiry
