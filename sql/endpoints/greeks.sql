-- greeks: the chain of one underlying and expiry on one day, a call and a put side by side for each strike, ascending.
--
-- Greeks were completed when the chain was imported. Where several roots share a strike, the standard one stands for
-- them, which is the ticker without what the notation of options cannot hold (BRK.B: BRKB; SPX rather than SPXW); then
-- the contract with the larger open interest, then the first by its symbol.
WITH chain AS (
  SELECT *
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  WHERE underlying_symbol = $ticker
    AND date = $date
    AND expiry = $expiry
  QUALIFY row_number() OVER (
    PARTITION BY
      strike,
      option_type
    ORDER BY
      -- The symbol's last 15 characters are the day, the side and the strike.
      left(option_symbol, -15) = regexp_replace(underlying_symbol, '[^A-Z0-9]', '', 'g') DESC,
      open_interest DESC NULLS LAST,
      option_symbol
  ) = 1
),
calls AS (
  SELECT *
  FROM chain
  WHERE option_type = 'call'
),
puts AS (
  SELECT *
  FROM chain
  WHERE option_type = 'put'
)
SELECT
  strike,
  date,
  expiry,
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
FROM calls
FULL JOIN puts USING (strike, date, expiry)
ORDER BY strike
