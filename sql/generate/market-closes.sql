-- market_closes: opening and closing prices of every ticker and session, not adjusted, from a geometric random walk that
-- falls by the dividend on an ex-dividend date.
-- The logarithms of the returns are integer multiples of 1e-9, so that their running sums are exact and do not depend
-- on the order of addition; only the exponential of each row is floating-point.
WITH draws AS (
  SELECT
    tickers.number,
    tickers.ticker,
    sessions.number AS session,
    sessions.date,
    warm,
    first_price,
    shares_outstanding,
    issue_type,
    volatility / sqrt(252) AS deviation,
    coalesce(splits.units, 1) AS units,
    round(coalesce(1e9 * ln(1 - dividends.share), 0))::BIGINT AS fall,
    normal(hash($seed, 'return', tickers.number, sessions.date), hash($seed, 'return, angle', tickers.number, sessions.date)) AS step,
    normal(hash($seed, 'gap', tickers.number, sessions.date), hash($seed, 'gap, angle', tickers.number, sessions.date)) AS gap,
    unit(hash($seed, 'volume', tickers.number, sessions.date)) AS activity
  FROM market_tickers AS tickers
  CROSS JOIN market_sessions AS sessions
  LEFT JOIN market_splits AS splits ON splits.number = tickers.number AND sessions.date < splits.date
  LEFT JOIN market_dividends AS dividends ON dividends.number = tickers.number AND dividends.date = sessions.date
),
walk AS (
  SELECT
    *,
    sum(round(1e9 * deviation * (step - deviation / 2 + 0.02))::BIGINT + fall) OVER (PARTITION BY number ORDER BY session)
      AS level,
    coalesce(
      sum(fall) OVER (PARTITION BY number ORDER BY session ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING), 0
    ) AS later_falls
  FROM draws
),
prices AS (
  SELECT
    *,
    greatest(0.5, first_price * exp(level / 1e9)) AS price
  FROM walk
),
opened AS (
  SELECT
    *,
    coalesce(lag(price) OVER (PARTITION BY number ORDER BY session), first_price)
      * exp(fall / 1e9 + 0.35 * deviation * gap) AS start
  FROM prices
)
SELECT
  number,
  ticker,
  session,
  date,
  warm,
  units,
  deviation,
  round(start * units, 2)::DECIMAL(18, 2)::DECIMAL(18, 6) AS open,
  round(price * units, 2)::DECIMAL(18, 2)::DECIMAL(18, 6) AS close,
  round(round(price * units, 2)::DECIMAL(18, 2) / units * exp(later_falls / 1e9), 6)::DECIMAL(18, 6) AS adjusted_close,
  CASE WHEN issue_type <> 'Index'
    THEN round(shares_outstanding / units * (0.002e0 + 0.007e0 * activity) * exp(10 * deviation * abs(step)))::BIGINT
  END AS volume
FROM opened
