-- economy: Economic series
-- path: /api/economy/{indicator}
-- subject: Economy and currencies
-- description: Points of one indicator, newest first. `maturity` only applies to `treasury-yield`. `value` is null
--   where the source has no value.
-- description: An interval that the lake stores is returned as stored. Another interval is aggregated from the finest
--   stored one: rates, indices, levels and quarters at annual rates by their mean, other flows by their sum, rounded to
--   10 places, half to even; points without a value are ignored. An aggregated period is dated by its first day, a
--   week by its Monday. It is excluded until the stored points cover it from start to end, apart from a weekend and a
--   holiday.
--   Where the lake has no series of `inflation`, it is the change of the annual mean of the price index in percent.
-- description: The indicators, each with its name, its unit and its intervals; the first interval is the default, and
--   any other interval is a 422:
--
-- $indicators has the series and after it the one that it can be computed from: inflation from the price index.
-- $sources are the stored intervals that can be used, the best first, and $lengths their lengths: $interval itself,
-- whose points are used as is, then the finest ones, whose points are aggregated. $total is `mean` or `sum`.
WITH candidates AS (
  SELECT
    indicator,
    interval,
    date,
    value,
    date + $lengths[list_position($sources, interval)]::INTERVAL AS until,
    rank() OVER (ORDER BY list_position($indicators, indicator), list_position($sources, interval)) AS choice
  FROM read_parquet($economic_points, hive_partitioning = false)
  WHERE list_contains($indicators, indicator)
    AND maturity = $maturity
),
-- Weeks start on Monday, other periods with a month that is a whole number of periods away from 2000-01-01.
points AS (
  SELECT
    indicator,
    interval,
    value,
    CASE WHEN interval = $interval THEN date ELSE time_bucket($lengths[1]::INTERVAL, date) END AS period,
    min(date) OVER () AS first_date,
    max(until) OVER () AS end_date
  FROM candidates
  WHERE choice = 1
),
-- A period is complete if its points start within its first days and end within its last ones: a weekend can follow the
-- first of January, and a week ends with one. A stored interval that is coarser than $interval is not in $sources and
-- sorts last. When its points end is unknown, so none of its periods is complete.
periods AS (
  SELECT
    indicator,
    period,
    sum(value) AS total,
    CASE $total WHEN 'sum' THEN 1 ELSE count(value) END AS divisor
  FROM points
  WHERE first_date <= period + 3
    AND end_date >= period + $lengths[1]::INTERVAL - INTERVAL 2 DAY
  GROUP BY
    indicator,
    period
),
-- A percentage is the change from the period of a year before. The arguments of ratio(), which repeats them, are columns.
compared AS (
  SELECT
    periods.period AS date,
    CASE
      WHEN periods.indicator = $indicators[1] THEN periods.total
      ELSE (periods.total * before.divisor - before.total * periods.divisor) * 100
    END AS numerator,
    CASE
      WHEN periods.indicator = $indicators[1] THEN periods.divisor
      ELSE before.total * periods.divisor
    END AS denominator
  FROM periods
  LEFT JOIN periods AS before ON before.period = periods.period - INTERVAL 1 YEAR
  WHERE periods.indicator = $indicators[1]
    OR before.period IS NOT NULL
)
SELECT
  date,
  ratio(numerator, denominator)::DOUBLE AS value
FROM compared
ORDER BY date DESC
