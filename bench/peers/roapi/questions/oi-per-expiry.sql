SELECT
  date,
  expiry,
  sum(CASE WHEN option_type = 'call' THEN open_interest END) AS call_oi,
  sum(CASE WHEN option_type = 'put' THEN open_interest END) AS put_oi
FROM contract_days_{day}
WHERE underlying_symbol = $ticker AND date = $date::DATE
GROUP BY date, expiry
ORDER BY expiry
