-- One root and greeks of the source: nothing is chosen or computed.
SELECT
  strike,
  coalesce(calls.date, puts.date) AS date,
  coalesce(calls.expiry, puts.expiry) AS expiry,
  calls.option_symbol AS call_option_symbol,
  calls.delta AS call_delta,
  calls.gamma AS call_gamma,
  calls.theta AS call_theta,
  calls.vega AS call_vega,
  calls.rho AS call_rho,
  calls.charm AS call_charm,
  calls.vanna AS call_vanna,
  calls.implied_volatility AS call_volatility,
  puts.option_symbol AS put_option_symbol,
  puts.delta AS put_delta,
  puts.gamma AS put_gamma,
  puts.theta AS put_theta,
  puts.vega AS put_vega,
  puts.rho AS put_rho,
  puts.charm AS put_charm,
  puts.vanna AS put_vanna,
  puts.implied_volatility AS put_volatility
FROM (
  SELECT *
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  WHERE underlying_symbol = $ticker
    AND date = $date
    AND expiry = $expiry
    AND option_type = 'call'
) AS calls
FULL JOIN (
  SELECT *
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  WHERE underlying_symbol = $ticker
    AND date = $date
    AND expiry = $expiry
    AND option_type = 'put'
) AS puts USING (strike)
ORDER BY strike
