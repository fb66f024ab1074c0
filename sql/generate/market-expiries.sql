-- market_expiries: the expiration days of the span and of 800 days after it. Fridays, or the session before one that is
-- none; the third of a month is the month's standard one; and every other session for those with an expiry a day.
WITH fridays AS (
  SELECT
    friday::DATE AS friday,
    day(friday) BETWEEN 15 AND 21 AS third,
    month(friday) AS month
  FROM generate_series($from::DATE + ((12 - isodow($from::DATE)) % 7)::INTEGER, $to::DATE + 800, INTERVAL 7 DAY) AS weeks (friday)
),
standard AS (
  SELECT
    calendar.date AS expiry,
    CASE
      WHEN third AND month = 1 THEN 'january'
      WHEN third AND month % 3 = 0 THEN 'quarterly'
      WHEN third THEN 'monthly'
      ELSE 'weekly'
    END AS kind
  FROM fridays
  ASOF JOIN market_calendar AS calendar ON fridays.friday >= calendar.date
)
SELECT expiry, kind FROM standard
UNION ALL
SELECT date, 'daily' FROM market_calendar WHERE date NOT IN (SELECT expiry FROM standard)
