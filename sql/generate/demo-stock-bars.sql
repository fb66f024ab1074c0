-- Synthetic 1-minute bars of the days in the table demo_days: from each day's open to its close, with noise that
-- stays between its low and its high. $opens are the starts of the regular sessions in UTC, one a row of $sessions.
WITH opens AS (
  SELECT unnest($sessions) AS date, unnest($opens) AS opening
),
minutes AS (
  SELECT
    day.*,
    opening,
    minute,
    ((hash(ticker || day.date || minute) >> 11) + 0.5) / 9007199254740992 AS u
  FROM demo_days AS day
  JOIN opens USING (date)
  CROSS JOIN range(390) AS clock (minute)
),
closes AS (
  SELECT
    *,
    CASE
      WHEN minute = 389 THEN close
      ELSE greatest(low, least(high, open + (close - open) * (minute + 1) / 390 + (u - 0.5) * (high - low) / 4))
    END::DECIMAL(18, 2)::DECIMAL(18, 6) AS last
  FROM minutes
),
bars AS (
  SELECT *, coalesce(lag(last) OVER (PARTITION BY ticker, date ORDER BY minute), open) AS first
  FROM closes
)
SELECT
  ticker,
  date,
  opening + to_minutes(minute) AS start,
  first AS open,
  least(high, greatest(first, last) + 0.01)::DECIMAL(18, 6) AS high,
  greatest(low, least(first, last) - 0.01)::DECIMAL(18, 6) AS low,
  last AS close,
  (volume * (0.5 + u) / 390)::BIGINT AS volume
FROM bars
