-- Two years of exchange rates: a daily reference rate of the euro against thirteen currencies at 15:00 UTC, without bid
-- and ask; and quotes of six pairs at 21:00 UTC, whose midpoint is within 0.04 % of the cross rate through the euro.
-- Paths are sums of integer multiples of 1e-9 in the logarithm, which do not depend on the order of addition. There are
-- no rates on weekends and on the fixed holidays of the euro's payment system.
-- DuckDB combines the hashes of several arguments by exclusive or, so two draws that differ in one argument differ by
-- the same bits for every key. Draws that must be independent are therefore hashed again.
WITH currencies (currency, start, daily) AS (
  VALUES
    ('USD', 1.08, 0.0042),
    ('JPY', 158.0, 0.0058),
    ('GBP', 0.855, 0.0030),
    ('CHF', 0.955, 0.0031),
    ('CAD', 1.475, 0.0040),
    ('AUD', 1.645, 0.0048),
    ('SEK', 11.35, 0.0043),
    ('NOK', 11.6, 0.0052),
    ('DKK', 7.458, 0.0001),
    ('PLN', 4.36, 0.0036),
    ('CNY', 7.8, 0.0038),
    ('INR', 90.5, 0.0040),
    ('MXN', 19.2, 0.0060)
),
days AS (
  SELECT day::DATE AS date
  FROM generate_series($to - 730, $to, INTERVAL 1 DAY) AS days (day)
  WHERE isodow(day) < 6
    AND (month(day), day(day)) NOT IN ((1, 1), (5, 1), (12, 25), (12, 26))
),
steps AS (
  SELECT
    currency,
    start,
    date,
    hash(hash($seed, 'fx', currency, date)) AS draw,
    round(1e9 * daily * normal(draw, hash(draw)))::BIGINT AS step
  FROM currencies
  CROSS JOIN days
),
walk AS (
  SELECT
    currency,
    date,
    start * exp(
      sum(step) OVER (PARTITION BY currency ORDER BY date ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) / 1e9
    ) AS level
  FROM steps
),
-- Reference rates have five significant digits.
reference AS (
  SELECT
    currency,
    date,
    round(level, 4 - floor(log10(level))::INTEGER) AS rate
  FROM walk
  UNION ALL
  SELECT
    'EUR',
    date,
    1.0
  FROM days
),
-- A pip is the fifth digit here as well; half spreads are one to three pips.
pairs (base, quote, digits) AS (
  VALUES
    ('EUR', 'USD', 5),
    ('GBP', 'USD', 5),
    ('AUD', 'USD', 5),
    ('USD', 'JPY', 3),
    ('USD', 'CAD', 5),
    ('USD', 'CHF', 5)
),
quoted AS (
  SELECT
    pairs.base,
    pairs.quote,
    b.date,
    round(
      q.rate / b.rate * (1 + 0.0008 * (unit(hash($seed, 'fx mid', pairs.base, pairs.quote, b.date)) - 0.5)),
      digits
    )::DECIMAL(18, 10) AS mid,
    (1 + hash($seed, 'fx spread', pairs.base, pairs.quote, b.date) % 3)::DECIMAL(8, 0)
      * CASE digits WHEN 3 THEN 0.004 ELSE 0.00004 END AS half
  FROM pairs
  JOIN reference AS b ON b.currency = pairs.base
  JOIN reference AS q ON q.currency = pairs.quote AND q.date = b.date
)
SELECT
  'EUR' AS base,
  currency AS quote,
  date,
  date + TIME '15:00:00' AS time,
  round(rate, 10)::DECIMAL(18, 10) AS rate,
  NULL::DECIMAL(18, 10) AS bid,
  NULL::DECIMAL(18, 10) AS ask
FROM reference
WHERE currency <> 'EUR'
UNION ALL
SELECT
  base,
  quote,
  date,
  date + TIME '21:00:00',
  mid,
  (mid - half)::DECIMAL(18, 10),
  (mid + half)::DECIMAL(18, 10)
FROM quoted
