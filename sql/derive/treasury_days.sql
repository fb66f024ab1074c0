-- treasury_days: the latest published treasury yield of each maturity
-- days: option_chain_days
-- run: 400
-- reads: option_chain_days on the day
-- reads: economic_points all
--
-- A point counts from the day on which it has been published (`published_on`), to 366 days after its date. Of the points
-- of a maturity that count, the one with the latest date is the yield; of several intervals with that date, the shortest.
WITH days AS (
  SELECT DISTINCT date AS day
  FROM read_parquet($option_chain_days, hive_partitioning = false)
  WHERE date BETWEEN $from AND $to
),
-- Points of a weekend are published on the same day as those of Friday.
points AS (
  SELECT
    maturity,
    interval AS length,
    published_on(indicator, interval, date) AS published,
    max(date) AS point_date,
    arg_max(value, date) AS yield
  FROM read_parquet($economic_points, hive_partitioning = false)
  WHERE indicator = 'treasury-yield'
    AND value > -100
  GROUP BY
    maturity,
    length,
    published
),
series AS (
  SELECT DISTINCT
    maturity,
    length
  FROM points
),
series_days AS (
  SELECT *
  FROM days
  CROSS JOIN series
),
latest AS (
  SELECT
    day,
    points.*
  FROM series_days
  ASOF JOIN points
    ON points.maturity = series_days.maturity
    AND points.length = series_days.length
    AND points.published <= day
)
SELECT
  day AS date,
  maturity,
  (regexp_extract(maturity, '^\d+')::INTEGER * if(maturity LIKE '%year', 12, 1))::INTEGER AS months,
  point_date,
  yield
FROM latest
WHERE point_date >= day - 366
QUALIFY row_number() OVER (
  PARTITION BY
    day,
    maturity
  ORDER BY
    point_date DESC,
    list_position(['daily', 'weekly', 'monthly', 'quarterly', 'semiannual', 'annual'], length)
) = 1
