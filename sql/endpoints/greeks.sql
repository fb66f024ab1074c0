-- greeks: Greeks by strike for one expiry
-- path: /api/stock/{ticker}/greeks
-- subject: Option contracts
-- description: One record per strike, ascending, with the call and the put side by side; a side that is not listed is
--   null. Greeks come from the chain. Greeks that its source lacks were computed on import by Black-Scholes without
--   interest and dividends; the time to expiry is calendar days / 365. On the day of expiry it is the time left to
--   16:00 New York, or to 09:30 for contracts that settle at opening prices. A figure is null where it is neither in
--   the source nor implied by the quotes.
-- description: Units: delta in dollars per dollar of the underlying, gamma in delta per dollar of the underlying, theta
--   in dollars and charm in delta per calendar day that passes, vega and rho in dollars and vanna in delta per point
--   (0.01), volatility as a fraction per year.
-- description: Where contracts of several roots share a strike, the record has the standard root (SPX rather than SPXW
--   or an adjusted SPX1), then the contract with the larger open interest, then the first by symbol.
--
-- Missing greeks were computed when the chain was imported. Where several roots share a strike, the record has the
-- standard one, which is the ticker without characters that option symbols cannot have (BRKB for BRK.B; SPX rather than
-- SPXW); then the contract with the larger open interest, then the first by symbol.
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
      -- The last 15 characters of a symbol are the expiry, the type and the strike.
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
