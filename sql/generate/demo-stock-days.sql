-- Synthetic daily bars of seven made-up companies: a geometric random walk each, drawn from hashes of (ticker, day)
-- and so the same on every machine. $sessions are the trading days, ascending.
-- DELTA splits two for one halfway: closes before that are adjusted by one half.
WITH companies (ticker, price, volatility, drift, shares, split) AS (
  VALUES
    ('ACME', 120.0, 0.016, 0.0004, 4200000, false),
    ('BRASS', 48.0, 0.022, 0.0002, 9100000, false),
    ('CEDAR', 210.0, 0.013, 0.0005, 2600000, false),
    ('DELTA', 95.0, 0.019, 0.0006, 15400000, true),
    ('EMBER', 17.5, 0.031, -0.0002, 22800000, false),
    ('FJORD', 310.0, 0.011, 0.0003, 1300000, false),
    ('GROVE', 66.0, 0.017, 0.0001, 5700000, false)
),
days AS (
  SELECT unnest($sessions) AS date, unnest(range(len($sessions))) AS day
),
-- Two uniforms in (0, 1) from 53 bits of a hash each, and by Box and Muller's formula one normal deviate.
draws AS (
  SELECT
    *,
    ((hash(ticker || day || 'a') >> 11) + 0.5) / 9007199254740992 AS u,
    ((hash(ticker || day || 'b') >> 11) + 0.5) / 9007199254740992 AS v,
    ((hash(ticker || day || 'c') >> 11) + 0.5) / 9007199254740992 AS w
  FROM companies
  CROSS JOIN days
),
walk AS (
  SELECT
    *,
    price * exp(sum(drift + volatility * sqrt(-2 * ln(u)) * cos(2 * pi() * v)) OVER (PARTITION BY ticker ORDER BY day)) AS level
  FROM draws
),
closes AS (
  SELECT
    *,
    CASE WHEN split AND day < len($sessions) // 2 THEN 2 ELSE 1 END AS units,
    coalesce(lag(level) OVER (PARTITION BY ticker ORDER BY day), price) * (1 + volatility * (w - 0.5) / 2) AS start
  FROM walk
)
SELECT
  ticker,
  date,
  (start * units)::DECIMAL(18, 2)::DECIMAL(18, 6) AS open,
  (greatest(start, level) * (1 + volatility * v / 2) * units)::DECIMAL(18, 2)::DECIMAL(18, 6) AS high,
  (least(start, level) * (1 - volatility * u / 2) * units)::DECIMAL(18, 2)::DECIMAL(18, 6) AS low,
  (level * units)::DECIMAL(18, 2)::DECIMAL(18, 6) AS close,
  ((level * units)::DECIMAL(18, 2) / units)::DECIMAL(18, 6) AS adjusted_close,
  (shares / units * (0.6 + 0.8 * w))::BIGINT AS volume
FROM closes
