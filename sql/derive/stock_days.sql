-- stock_days: the imported daily bar of a ticker and day, otherwise one made from its one-minute bars, with history
-- days: daily_bars, stock_bars
-- run: 400
-- reads: daily_bars on the day
-- reads: stock_bars on the day
-- reads: stock_days 380 days before
--
-- History comes from the days derived so far, so that no minute bar is read twice. 380 calendar days cover the 364 of
-- the extremes and any 30 trading days; a ticker with fewer than 30 days gets the mean of those it has. A day without a
-- volume is not one of the 30.
WITH calendar AS (
  SELECT unnest(generate_series($from::DATE, $to::DATE, INTERVAL 1 DAY))::DATE AS date
),
-- The regular session in UTC: 09:30 to 16:00 New York. It closes at 13:00 on the Friday after Thanksgiving (since
-- 1993), on 24 December unless Christmas is observed on that Friday (since 1993), on 3 July before a holiday on a
-- weekday (since 1995; until 2012, if the holiday was a Thursday, on the Friday after it instead) and on three
-- individual days (NYSE Rule 7.2 and the exchange's notices; the same days as in src/market/sessions.ts).
sessions AS (
  SELECT
    date,
    (date + TIME '09:30') AT TIME ZONE 'America/New_York' AT TIME ZONE 'UTC' AS opening,
    opening + to_minutes(
      CASE
        WHEN year(date) >= 1993 AND month(date) = 11 AND isodow(date) = 5 AND day(date) BETWEEN 23 AND 29 THEN 210
        WHEN year(date) >= 1993 AND month(date) = 12 AND day(date) = 24 AND isodow(date) <= 4 THEN 210
        WHEN year(date) >= 1995 AND month(date) = 7 AND day(date) = 3 AND isodow(date) <= 4
          AND NOT (isodow(date) = 3 AND year(date) < 2013) THEN 210
        WHEN year(date) BETWEEN 1995 AND 2012 AND month(date) = 7 AND day(date) = 5 AND isodow(date) = 5 THEN 210
        WHEN date IN (DATE '1997-12-26', DATE '1999-12-31', DATE '2003-12-26') THEN 210
        ELSE 390
      END
    ) AS closing
  FROM calendar
),
imported AS (
  SELECT
    ticker,
    date,
    open,
    high,
    low,
    close,
    adjusted_close,
    volume
  FROM read_parquet($daily_bars, hive_partitioning = false)
  WHERE date BETWEEN $from::DATE AND $to::DATE
),
from_minutes AS (
  SELECT
    bar.ticker,
    bar.date,
    arg_min(bar.open, bar.start) AS open,
    max(bar.high) AS high,
    min(bar.low) AS low,
    arg_max(bar.close, bar.start) AS close,
    sum(bar.volume)::BIGINT AS volume
  FROM read_parquet($stock_bars, hive_partitioning = false) AS bar
  JOIN sessions ON sessions.date = bar.date
  ANTI JOIN imported ON imported.ticker = bar.ticker AND imported.date = bar.date
  WHERE bar.date BETWEEN $from::DATE AND $to::DATE
    AND bar.start >= sessions.opening
    AND bar.start < sessions.closing
  GROUP BY
    bar.ticker,
    bar.date
),
history AS (
  SELECT
    ticker,
    date,
    open,
    high,
    low,
    close,
    adjusted_close,
    volume
  FROM read_parquet($stock_days, hive_partitioning = false)
  WHERE date >= $from::DATE - 380
    AND date < $from::DATE
),
days AS (
  FROM imported
  UNION ALL BY NAME
  FROM from_minutes
  UNION ALL BY NAME
  FROM history
),
-- Days with the number of volumes up to each: a day without a volume has the number of the last day with one.
numbered AS (
  SELECT
    *,
    count(volume) OVER (PARTITION BY ticker ORDER BY date) AS volumes
  FROM days
),
figures AS (
  SELECT
    *,
    lag(date) OVER day_by_day AS previous_date,
    lag(close) OVER day_by_day AS former_close,
    count(volume) OVER window_of_history AS volumes_in_window,
    sum(volume) OVER window_of_history AS volume_in_window,
    sum(volume) OVER last_30_volumes AS volume_of_30,
    max(coalesce(high, close)) OVER last_364_days AS week52_high,
    min(coalesce(low, close)) OVER last_364_days AS week52_low
  FROM numbered
  WINDOW
    day_by_day AS (PARTITION BY ticker ORDER BY date),
    window_of_history AS (
      PARTITION BY ticker ORDER BY date RANGE BETWEEN INTERVAL 380 DAYS PRECEDING AND CURRENT ROW
    ),
    last_30_volumes AS (PARTITION BY ticker ORDER BY volumes RANGE BETWEEN 29 PRECEDING AND CURRENT ROW),
    last_364_days AS (
      PARTITION BY ticker ORDER BY date RANGE BETWEEN INTERVAL 364 DAYS PRECEDING AND CURRENT ROW
    )
)
SELECT
  ticker,
  date,
  open,
  high,
  low,
  close,
  adjusted_close,
  volume,
  CASE WHEN previous_date >= date - 10 THEN former_close END AS previous_close,
  CASE
    WHEN volumes_in_window >= 30 THEN volume_of_30 / 30
    WHEN volumes_in_window > 0 THEN volume_in_window / volumes_in_window
  END::DECIMAL(24, 4) AS avg30_volume,
  week52_high,
  week52_low
FROM figures
WHERE date >= $from::DATE
