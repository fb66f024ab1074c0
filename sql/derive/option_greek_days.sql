-- option_greek_days: rate, forward and price of each contract whose chain lacks a figure; the model computes the figures
-- days: option_chain_days
-- run: 5
-- reads: option_chain_days on the day
-- reads: treasury_days on the day
--
-- The figures are computed from this result by Black-Scholes-Merton (src/lake/derive/chain-figures.ts). Volatilities are
-- rounded to 10 places, half to even, by their exact values.
--
-- 1. The rate to an expiry is the yield of the day, interpolated linearly in calendar days between the nearest maturity
--    at or before the expiry and the nearest at or after it; if all maturities are on one side, it is that of the
--    nearest. A month has 365/12 days. Treasury yields are bond-equivalent, compounded twice a year: y percent are a
--    continuously compounded rate of 2 ln(1 + y/200). Without a yield the rate is 0.
-- 2. The forward of an underlying, root and expiry is implied by put-call parity, F = K + e^(rT) (C - P), at the strikes
--    with two-sided quotes (0 < bid <= ask) of the call and the put, C and P being their midpoints. Of these strikes the
--    five count at which the quotes allow the least difference of the two, that is the greater of call ask - put bid and
--    put ask - call bid (of equals, the lower strike): those nearest to the money with the narrowest quotes. Strikes at
--    which it is above a fifth of the strike never count. The forward is the median of their values, so that one or two
--    wrong quotes do not move it far. Without such a strike it is S e^(rT): no yield.
-- 3. The price is the midpoint of a valid quote (0 <= bid <= ask, ask above 0). Of a contract with a bid or an ask only, it
--    is the last trade if it is at or above that bid, or at or below that ask. Otherwise there is none.
-- Parity holds for European exercise. The model treats American contracts alike: what early exercise is worth is part of
-- their volatility, and lowers the forward slightly.
-- A contract expires at the close of its expiry date, so that nothing is computed on that day.
-- Doubles occur only within a row, and in a median.
WITH chain AS (
  SELECT
    *,
    left(option_symbol, -15) AS root,
    expiry - date AS days,
    (bid >= 0 AND ask >= bid AND ask > 0) IS TRUE AS is_quoted,
    (bid > 0 AND ask >= bid) IS TRUE AS is_two_sided,
    nullif(bid, 0) AS only_bid,
    nullif(ask, 0) AS only_ask,
    implied_volatility IS NULL OR delta IS NULL OR gamma IS NULL OR theta IS NULL
    OR vega IS NULL OR rho IS NULL OR charm IS NULL OR vanna IS NULL AS is_incomplete
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
),
incomplete AS (
  SELECT DISTINCT
    date,
    underlying_symbol,
    root,
    expiry,
    days
  FROM chain
  WHERE is_incomplete
    AND days > 0
),
yields AS (
  SELECT
    date,
    months * 365.0 / 12 AS maturity,
    yield::DOUBLE AS yield
  FROM read_parquet($treasury_days, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
),
maturities_around AS (
  SELECT
    date,
    expiry,
    days,
    max(maturity) FILTER (WHERE maturity <= days) AS before,
    arg_max(yield, maturity) FILTER (WHERE maturity <= days) AS yield_before,
    min(maturity) FILTER (WHERE maturity >= days) AS after,
    arg_min(yield, maturity) FILTER (WHERE maturity >= days) AS yield_after
  FROM (SELECT DISTINCT date, expiry, days FROM incomplete) AS expiries
  LEFT JOIN yields USING (date)
  GROUP BY
    date,
    expiry,
    days
),
expiry_yields AS (
  SELECT
    date,
    expiry,
    CASE
      WHEN before < after THEN yield_before + (yield_after - yield_before) * ((days - before) / (after - before))
      ELSE coalesce(yield_before, yield_after, 0)
    END AS yield
  FROM maturities_around
),
rates AS (
  SELECT
    date,
    expiry,
    half_even(2 * ln(1 + yield / 200), 10)::DECIMAL(18, 10) AS rate
  FROM expiry_yields
),
-- What a dollar grows to until the expiry.
expiries AS (
  SELECT
    incomplete.*,
    rate,
    exp(rate::DOUBLE * days / 365.0) AS growth
  FROM incomplete
  JOIN rates USING (date, expiry)
),
two_sided AS (
  SELECT
    *
  FROM chain
  WHERE is_two_sided
),
parities AS (
  SELECT
    date,
    underlying_symbol,
    root,
    expiry,
    strike,
    growth,
    (calls.bid + calls.ask - puts.bid - puts.ask) * 0.5 AS difference,
    greatest(calls.ask - puts.bid, puts.ask - calls.bid) AS most_difference
  FROM expiries
  JOIN (SELECT * FROM two_sided WHERE option_type = 'call') AS calls USING (date, underlying_symbol, root, expiry)
  JOIN (SELECT * FROM two_sided WHERE option_type = 'put') AS puts USING (date, underlying_symbol, root, expiry, strike)
  WHERE most_difference * 5 <= strike
  QUALIFY row_number() OVER (
    PARTITION BY
      date,
      underlying_symbol,
      root,
      expiry
    ORDER BY
      most_difference,
      strike
  ) <= 5
),
forwards AS (
  SELECT
    date,
    underlying_symbol,
    root,
    expiry,
    median(strike::DOUBLE + growth * difference::DOUBLE) AS forward
  FROM parities
  GROUP BY
    date,
    underlying_symbol,
    root,
    expiry
)
SELECT
  date,
  underlying_symbol,
  option_symbol,
  option_type,
  strike,
  expiry,
  settlement,
  underlying_price,
  CASE
    WHEN implied_volatility IS NOT NULL THEN 'chain'
    WHEN is_quoted THEN 'midpoint'
    ELSE 'last'
  END AS figures_source,
  CASE
    WHEN implied_volatility IS NOT NULL THEN NULL
    WHEN is_quoted THEN (bid + ask) * 0.5
    WHEN only_bid > 0 AND only_ask IS NULL AND last >= only_bid THEN last
    WHEN only_ask > 0 AND only_bid IS NULL AND last <= only_ask THEN last
  END AS price,
  CASE WHEN is_incomplete AND underlying_price > 0 AND strike > 0 THEN rate END AS rate,
  try_cast(
    half_even(coalesce(CASE WHEN forward > 0 THEN forward END, underlying_price::DOUBLE * growth), 10) AS DECIMAL(18, 10)
  ) AS forward,
  CASE WHEN is_incomplete THEN implied_volatility END AS implied_volatility,
  CASE WHEN is_incomplete THEN delta END AS delta,
  CASE WHEN is_incomplete THEN gamma END AS gamma,
  CASE WHEN is_incomplete THEN theta END AS theta,
  CASE WHEN is_incomplete THEN vega END AS vega,
  CASE WHEN is_incomplete THEN rho END AS rho,
  CASE WHEN is_incomplete THEN charm END AS charm,
  CASE WHEN is_incomplete THEN vanna END AS vanna
FROM chain
LEFT JOIN expiries USING (date, underlying_symbol, root, expiry)
LEFT JOIN forwards USING (date, underlying_symbol, root, expiry)
