-- market_expiries: expiry dates of the span and of 800 days after it. They are Fridays, or the previous session if the
-- Friday is a holiday; the third of a month is the monthly one. Underlyings with daily expiries have all other
-- sessions.
WITH fridays AS (
  SELECT
    friday::DATE AS friday,
    day(friday) BETWEEN 15 AND 21 AS third,
    month(friday) AS month
  FROM generate_series($from::DATE + [4, 3, 2, 1, 0, 6, 5][isodow($from::DATE)], $to::DATE + 800, INTERVAL 7 DAY) AS weeks (friday)
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
SELECT date, 'daily' FROM market_calendar WHERE date >= $from AND date NOT IN (SELECT expiry FROM standard)
