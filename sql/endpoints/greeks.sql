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
-- first by symbol. One aggregation chooses the contracts and puts the two sides next to each other: a figure is that of
-- the contract with the least rank of its side, and the rank of a side is NULL for the contracts of the other one, so that
-- they do not count. With FILTER instead, it takes several times as long.
WITH listed AS (
  SELECT *
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  WHERE underlying_symbol = $ticker
    AND date = $date
    AND expiry = $expiry
),
computed AS (
  SELECT *
  FROM read_parquet($option_greek_days, hive_partitioning = false) AS figures
  WHERE figures.underlying_symbol = $ticker
    AND figures.date = $date
    -- Follows from the symbol, but this way the rows of others are not read.
    AND figures.expiry = $expiry
),
-- Stored, for the aggregation is dear to begin: DuckDB begins what follows a hash join in its pipeline twice.
chain AS MATERIALIZED (
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
    coalesce(listed.implied_volatility, computed.implied_volatility) AS implied_volatility,
    create_sort_key(
      -- The last 15 characters of a symbol are the expiry, the type and the strike.
      left(listed.option_symbol, -15) <> regexp_replace(listed.underlying_symbol, '[^A-Z0-9]', '', 'g'),
      'ASC NULLS LAST',
      listed.open_interest,
      'DESC NULLS LAST',
      listed.option_symbol,
      'ASC NULLS LAST'
    ) AS rank
  FROM listed
  LEFT JOIN computed ON computed.option_symbol = listed.option_symbol
),
sides AS (
  SELECT
    *,
    CASE option_type WHEN 'call' THEN rank END AS call_rank,
    CASE option_type WHEN 'put' THEN rank END AS put_rank
  FROM chain
)
SELECT
  strike,
  any_value(date) AS date,
  any_value(expiry) AS expiry,
  arg_min_null(option_symbol, call_rank) AS call_option_symbol,
  arg_min_null(delta, call_rank) AS call_delta,
  arg_min_null(gamma, call_rank) AS call_gamma,
  arg_min_null(theta, call_rank) AS call_theta,
  arg_min_null(vega, call_rank) AS call_vega,
  arg_min_null(rho, call_rank) AS call_rho,
  arg_min_null(charm, call_rank) AS call_charm,
  arg_min_null(vanna, call_rank) AS call_vanna,
  arg_min_null(implied_volatility, call_rank) AS call_volatility,
  arg_min_null(option_symbol, put_rank) AS put_option_symbol,
  arg_min_null(delta, put_rank) AS put_delta,
  arg_min_null(gamma, put_rank) AS put_gamma,
  arg_min_null(theta, put_rank) AS put_theta,
  arg_min_null(vega, put_rank) AS put_vega,
  arg_min_null(rho, put_rank) AS put_rho,
  arg_min_null(charm, put_rank) AS put_charm,
  arg_min_null(vanna, put_rank) AS put_vanna,
  arg_min_null(implied_volatility, put_rank) AS put_volatility
FROM sides
GROUP BY strike
ORDER BY strike
