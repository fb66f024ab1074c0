-- option_volatility_days: at-the-money implied volatility at 30 calendar days, and its rank within the last year
-- days: option_chain_days
-- run: 20
-- reads: option_chain_days on the day
-- reads: option_greek_days on the day
-- reads: option_volatility_days 251 dates before
--
-- 1. The volatility of a strike is the mean over its contracts (the call and the put, of each root) that have one.
-- 2. The volatility of an expiry, if it is at least one calendar day away, is interpolated linearly in the strike at
--    the price of the underlying, between the nearest strike at or below it and the nearest at or above it. Outside the
--    strikes with a volatility it is that of the outermost strike.
-- 3. The 30-day volatility is interpolated linearly in total variance (volatility² × days) at 30 days, between the
--    nearest expiry at or before it and the nearest at or after it. If all expiries are on one side, it is that of the
--    nearest. Total variance is additive over time; Cboe's VIX interpolates it in the same way.
-- The volatility of a contract is the chain's, otherwise the computed one. A volatility of zero counts as missing.
--
-- The year is the dataset's last 252 dates, including this one, whether or not the ticker has a row on each. Ranks use
-- the stored digits, so that a day gets the same result in any run.
-- Doubles occur only within a row. 20 days per run keep the chains of a whole market (240,000 contracts) in memory.
WITH computed AS (
  SELECT
    date,
    option_symbol,
    implied_volatility AS computed_volatility
  FROM read_parquet($option_greek_days, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
    AND implied_volatility IS NOT NULL
),
chain AS (
  SELECT
    date,
    underlying_symbol AS ticker,
    expiry - date AS dte,
    strike,
    underlying_price,
    CASE
      WHEN coalesce(implied_volatility, computed_volatility) > 0 THEN coalesce(implied_volatility, computed_volatility)
    END AS iv
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  LEFT JOIN computed USING (date, option_symbol)
  WHERE date BETWEEN $from AND $to
),
-- Usually one price per ticker and day. If quotes are of different moments, the median of the rows (the lower of the
-- two middle ones) is a price that occurred, and a single wrong row does not change it.
price_counts AS (
  SELECT
    date,
    ticker,
    underlying_price,
    count(*) AS contracts
  FROM chain
  WHERE underlying_price IS NOT NULL
  GROUP BY
    date,
    ticker,
    underlying_price
),
price_ranks AS (
  SELECT
    date,
    ticker,
    underlying_price,
    sum(contracts) OVER (PARTITION BY date, ticker ORDER BY underlying_price) AS contracts_up_to,
    sum(contracts) OVER (PARTITION BY date, ticker) AS contracts_all
  FROM price_counts
),
stock_price AS (
  SELECT
    date,
    ticker,
    min(underlying_price) AS stock_price
  FROM price_ranks
  WHERE 2 * contracts_up_to >= contracts_all
  GROUP BY
    date,
    ticker
),
strike_iv AS (
  SELECT
    date,
    ticker,
    dte,
    strike,
    sum(iv) / count(iv) AS iv
  FROM chain
  WHERE dte >= 1
    AND iv IS NOT NULL
  GROUP BY
    date,
    ticker,
    dte,
    strike
),
strikes_around AS (
  SELECT
    date,
    ticker,
    dte,
    stock_price,
    max(strike) FILTER (WHERE strike <= stock_price) AS below,
    arg_max(iv, strike) FILTER (WHERE strike <= stock_price) AS iv_below,
    min(strike) FILTER (WHERE strike >= stock_price) AS above,
    arg_min(iv, strike) FILTER (WHERE strike >= stock_price) AS iv_above
  FROM strike_iv
  JOIN stock_price USING (date, ticker)
  GROUP BY
    date,
    ticker,
    dte,
    stock_price
),
expiry_iv AS (
  SELECT
    date,
    ticker,
    dte,
    CASE
      WHEN below < above THEN iv_below + (iv_above - iv_below) * ((stock_price - below) / (above - below))
      ELSE coalesce(iv_below, iv_above)
    END AS iv
  FROM strikes_around
),
expiries_around AS (
  SELECT
    date,
    ticker,
    max(dte) FILTER (WHERE dte <= 30) AS before,
    arg_max(iv, dte) FILTER (WHERE dte <= 30) AS iv_before,
    min(dte) FILTER (WHERE dte >= 30) AS after,
    arg_min(iv, dte) FILTER (WHERE dte >= 30) AS iv_after
  FROM expiry_iv
  GROUP BY
    date,
    ticker
),
iv_30d AS (
  SELECT
    date,
    ticker,
    half_even(
      CASE
        WHEN before < after
          THEN sqrt(
            (iv_before * iv_before * before * (after - 30) + iv_after * iv_after * after * (30 - before))
            / (after - before)
            / 30
          )
        ELSE coalesce(iv_before, iv_after)
      END,
      10
    )::DECIMAL(18, 10) AS iv_30d
  FROM expiries_around
),
listed AS (
  SELECT DISTINCT
    date,
    ticker
  FROM chain
),
sessions AS (
  SELECT
    date,
    ticker,
    stock_price,
    iv_30d
  FROM listed
  LEFT JOIN stock_price USING (date, ticker)
  LEFT JOIN iv_30d USING (date, ticker)
  UNION ALL
  SELECT
    date,
    ticker,
    stock_price,
    iv_30d
  FROM read_parquet($option_volatility_days, hive_partitioning = false)
  WHERE date < $from
),
numbered AS (
  SELECT
    *,
    dense_rank() OVER (ORDER BY date) AS session
  FROM sessions
),
years AS (
  SELECT
    *,
    min(iv_30d) OVER year AS low,
    max(iv_30d) OVER year AS high,
    -- With NULLs last, the rank minus one is the number of sessions below this one.
    rank(ORDER BY iv_30d ASC NULLS LAST) OVER year - 1 AS sessions_below,
    count(iv_30d) OVER year AS sessions
  FROM numbered
  WINDOW year AS (PARTITION BY ticker ORDER BY session RANGE BETWEEN 251 PRECEDING AND CURRENT ROW)
)
SELECT
  date,
  ticker,
  stock_price,
  iv_30d,
  ratio(100 * (iv_30d - low), high - low)::DECIMAL(18, 10) AS iv_rank,
  CASE WHEN iv_30d IS NOT NULL THEN ratio(100 * sessions_below, sessions) END::DECIMAL(18, 10) AS iv_percentile,
  sessions::INTEGER AS sessions
FROM years
WHERE date >= $from
