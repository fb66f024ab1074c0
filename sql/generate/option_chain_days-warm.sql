-- option_chain_days of the last $warm_chains warm-up sessions, of those from $from to $to: a small chain, just enough for
-- 30-day at-the-money volatility, because each session with a chain has rows in contract_days, which take time: per
-- underlying the monthly expiries around 30 days, with calls and puts at the strikes around the spot. There are no
-- trades, so open interest is constant and equals that of the first generated day.
WITH days AS (
  SELECT
    number,
    ticker,
    date,
    close::DOUBLE AS spot,
    level,
    issue_type,
    dividend_yield
  FROM market_levels
  JOIN market_tickers USING (number, ticker)
  WHERE date IN (SELECT date FROM market_sessions WHERE warm ORDER BY date DESC LIMIT $warm_chains) AND date BETWEEN $from AND $to
),
-- The last monthly expiry up to 30 days away and the first one after.
expiries AS (
  SELECT
    days.date,
    unnest([
      max(expiry) FILTER (expiry <= days.date + 30),
      min(expiry) FILTER (expiry > days.date + 30)
    ]) AS expiry
  FROM (SELECT DISTINCT date FROM days) AS days
  JOIN market_expiries AS expiries
    ON expiries.kind IN ('monthly', 'quarterly', 'january') AND expiry BETWEEN days.date + 1 AND days.date + 70
  GROUP BY days.date
),
steps (step) AS (
  SELECT unnest([0.5, 1, 2.5, 5, 10, 25, 50, 100])::DOUBLE
),
stepped AS (
  SELECT
    days.*,
    coalesce((SELECT max(step) FROM steps WHERE step <= 0.04e0 * spot), 0.5e0) AS step
  FROM days
),
contracts AS (
  SELECT
    stepped.*,
    expiry,
    (expiry - stepped.date) / 365e0 AS years,
    treasury_rate(expiry - stepped.date, three_months, two_years, five_years) AS rate,
    unnest([greatest(1, floor(spot / step)), floor(spot / step) + 1]) * step AS k
  FROM stepped
  JOIN expiries USING (date)
  JOIN market_yields USING (date)
  WHERE expiry IS NOT NULL
),
typed AS (
  SELECT
    *,
    unnest(['call', 'put']) AS option_type,
    greatest(-3.5e0, least(3.5e0, ln(k / spot) / (level * sqrt(years)))) AS x
  FROM contracts
),
smile AS (
  SELECT
    *,
    option_type = 'call' AS is_call,
    osi_symbol(ticker, expiry, option_type, k) AS option_symbol,
    level * (1e0 - 0.02e0 * x + 0.035e0 * x * x) AS iv,
    exp(-dividend_yield * years) AS carry,
    k * exp((dividend_yield - rate) * years) AS k_now
  FROM typed
),
first_terms AS (
  SELECT
    *,
    iv * sqrt(years) AS deviation,
    ln(spot / k_now) / (iv * sqrt(years)) + iv * sqrt(years) / 2e0 AS d1
  FROM smile
),
second_terms AS (
  SELECT
    *,
    d1 - deviation AS d2,
    normal_cdf(d1) - CASE WHEN is_call THEN 0e0 ELSE 1e0 END AS tail1,
    normal_cdf(d1 - deviation) - CASE WHEN is_call THEN 0e0 ELSE 1e0 END AS tail2,
    normal_density(d1) AS density
  FROM first_terms
),
valued AS (
  SELECT
    *,
    greek_delta(carry, tail1) AS delta,
    option_value(carry, spot, k_now, tail1, tail2) AS theo
  FROM second_terms
)
SELECT
  date,
  ticker AS underlying_symbol,
  option_symbol,
  option_type,
  round(k, 3)::DECIMAL(18, 3) AS strike,
  expiry,
  100 AS multiplier,
  CASE WHEN issue_type = 'Index' THEN 'AM' ELSE 'PM' END AS settlement,
  (quote_bid(theo, quote_margin(theo, delta)) * 0.01e0)::DECIMAL(18, 4) AS bid,
  (quote_ask(theo, quote_margin(theo, delta)) * 0.01e0)::DECIMAL(18, 4) AS ask,
  NULL::DECIMAL(18, 4) AS last,
  NULL::BIGINT AS volume,
  first_interest(symbol_number(option_symbol)) AS open_interest,
  round(spot, 4)::DECIMAL(18, 4) AS underlying_price,
  round(iv, 10)::DECIMAL(18, 10) AS implied_volatility,
  round(delta, 10)::DECIMAL(18, 10) AS delta,
  round(greek_gamma(carry, spot, density, deviation), 10)::DECIMAL(18, 10) AS gamma,
  round(greek_theta(carry, spot, k_now, tail1, tail2, density, iv, years, rate, dividend_yield), 10)
    ::DECIMAL(18, 10) AS theta,
  round(greek_vega(carry, spot, density, years), 10)::DECIMAL(18, 10) AS vega,
  round(greek_rho(carry, k_now, tail2, years), 10)::DECIMAL(18, 10) AS rho,
  round(greek_charm(carry, tail1, d2, density, deviation, years, rate, dividend_yield), 10)::DECIMAL(18, 10) AS charm,
  round(greek_vanna(carry, d2, density, iv), 10)::DECIMAL(18, 10) AS vanna
FROM valued
