SELECT
  date,
  expiry,
  sum(open_interest) FILTER (WHERE option_type = 'call') AS call_oi,
  sum(open_interest) FILTER (WHERE option_type = 'put') AS put_oi
FROM contract_days
WHERE underlying_symbol = :ticker AND date = :date
GROUP BY date, expiry
ORDER BY expiry
