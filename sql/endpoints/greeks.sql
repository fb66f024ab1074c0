-- greeks: Greeks by strike for one expiry
-- path: /api/stock/{ticker}/greeks
-- subject: Option contracts
-- description: One record per strike, ascending, with the call and the put side by side; a side that is not listed is
--   null. Greeks come from the chain. Figures that its source lacks are computed by Black-Scholes-Merton when the chain is
--   imported, and again when an earlier treasury yield is: see `option_greek_days` in docs/datasets.md, which stores the
--   rate, the forward and the price of each contract. The rate is the treasury yield that had been published by the day,
--   interpolated linearly to the expiry and compounded continuously; 0 where the lake has none. The forward is what
--   put-call parity implies: the median over the five strikes, of the underlying, root and expiry, at which two-sided
--   quotes allow the least difference between the call and the put; without such quotes the yield of the underlying is
--   0. The volatility is that of the midpoint of a valid quote, otherwise that of a last trade within the only side that
--   is quoted. The time to expiry is calendar days / 365. Early exercise is not modelled. A figure is null where it is
--   neither in the source nor implied by the quotes, and where it would be computed on the day of expiry, after the
--   close.
-- description: Units: delta in dollars per dollar of the underlying, gamma in delta per dollar of the underlying, theta
--   in dollars and charm in delta per calendar day that passes, vega and rho in dollars and vanna in delta per point
--   (0.01), volatility as a fraction per year.
-- description: Where contracts of several roots share a strike, the record has the standard root (SPX rather than SPXW
--   or an adjusted SPX1), then the contract with the larger open interest, then the first by symbol.
--
-- Where several roots share a strike, the record has the standard one, which is the ticker without characters that option
-- symbols cannot have (BRKB for BRK.B; SPX rather than SPXW); then the contract with the larger open interest, then the
-- first by symbol. An aggregate finds it in a fraction of the time of a window.
WITH chosen AS (
  SELECT
    arg_min(
      option_symbol,
      (
        -- The last 15 characters of a symbol are the expiry, the type and the strike.
        left(option_symbol, -15) <> regexp_replace(underlying_symbol, '[^A-Z0-9]', '', 'g'),
        -- A struct with NULL comes after one with a number.
        -open_interest,
        option_symbol
      )
    ) AS option_symbol
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  WHERE underlying_symbol = $ticker
    AND date = $date
    AND expiry = $expiry
  GROUP BY
    strike,
    option_type
),
computed AS (
  SELECT *
  FROM read_parquet($option_greek_days, hive_partitioning = false)
  WHERE underlying_symbol = $ticker
),
chain AS (
  SELECT
    listed.strike,
    listed.date,
    listed.expiry,
    listed.option_type,
    listed.option_symbol,
    coalesce(listed.delta, computed.delta) AS delta,
    coalesce(listed.gamma, computed.gamma) AS gamma,
    coalesce(listed.theta, computed.theta) AS theta,
    coalesce(listed.vega, computed.vega) AS vega,
    coalesce(listed.rho, computed.rho) AS rho,
    coalesce(listed.charm, computed.charm) AS charm,
    coalesce(listed.vanna, computed.vanna) AS vanna,
    coalesce(listed.implied_volatility, computed.implied_volatility) AS implied_volatility
  FROM read_parquet($option_chain_days, hive_partitioning = false) AS listed
  SEMI JOIN chosen ON chosen.option_symbol = listed.option_symbol
  LEFT JOIN computed
    ON computed.date = listed.date
    AND computed.option_symbol = listed.option_symbol
  -- Found by the symbols alone, but this way the rows of others are not read.
  WHERE listed.underlying_symbol = $ticker
    AND listed.date = $date
    AND listed.expiry = $expiry
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
