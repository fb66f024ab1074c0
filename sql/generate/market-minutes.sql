-- market_minutes: one-minute bars of the generated days: a Brownian bridge of logarithms from the day's open to its
-- close, in integer multiples of 1e-9 (exact sums in any order), with U-shaped volume.
WITH clocks AS (
  SELECT
    closes.number,
    ticker,
    closes.date,
    open,
    close,
    volume,
    deviation,
    opens,
    round(epoch(closes - opens))::BIGINT // 60 AS minutes,
    unnest(range(round(epoch(closes - opens))::BIGINT // 60))::INTEGER AS minute
  FROM market_closes AS closes
  JOIN market_sessions AS sessions ON sessions.date = closes.date AND NOT sessions.warm
),
draws AS (
  SELECT
    *,
    round(1e9 * deviation * 0.8e0 / sqrt(minutes)
      * normal(hash($seed, 'minute', number, date, minute), hash($seed, 'minute, angle', number, date, minute)))::BIGINT AS step,
    hash($seed, 'minute, bar', number, date, minute) AS bar,
    round((1 + 3 * pow(2 * (minute + 0.5) / minutes - 1, 4))
      * (0.5e0 + unit(hash($seed, 'minute, volume', number, date, minute))) * 1e6)::BIGINT AS weight
  FROM clocks
),
summed AS (
  SELECT
    *,
    sum(step) OVER (PARTITION BY number, date ORDER BY minute) AS wandered,
    sum(step) OVER (PARTITION BY number, date) AS returned,
    (sum(weight) OVER (PARTITION BY number, date))::BIGINT AS weights
  FROM draws
),
-- A minute starts where the previous one ended: at this minute's position minus its step.
bars AS (
  SELECT
    *,
    CASE
      WHEN minute = 0 THEN open
      ELSE bridge_price(open, close, minute / minutes, wandered - step, returned)
    END AS first,
    CASE
      WHEN minute = minutes - 1 THEN close
      ELSE bridge_price(open, close, (minute + 1) / minutes, wandered, returned)
    END AS last
  FROM summed
)
SELECT
  number,
  ticker,
  date,
  minute,
  opens + to_minutes(minute) AS start,
  first AS open,
  -- Extends beyond open and close by up to a fifth of a typical minute's move.
  round(greatest(first, last) * (1 + deviation * unit16(bar, 0) / 100), 2)::DECIMAL(18, 2)::DECIMAL(18, 6) AS high,
  round(least(first, last, greatest(0.01, least(first, last) * (1 - deviation * unit16(bar, 1) / 100))), 2)
    ::DECIMAL(18, 2)::DECIMAL(18, 6) AS low,
  last AS close,
  1 + share_of(weight, weights, volume) AS volume
FROM bars
ORDER BY date, number, minute
