-- stock_days: the imported daily bar of a ticker and day, otherwise one made from its one-minute bars, with history
-- days: daily_bars, stock_bars
-- run: 400
-- reads: daily_bars on the day
-- reads: stock_bars on the day
-- reads: stock_days 380 days before
-- reads: stock_splits 380 days before
--
-- History comes from the days derived so far, so that no minute bar is read twice. 380 calendar days cover the 364 of
-- the extremes and any 30 trading days; a ticker with fewer than 30 days gets the mean of those it has. A day without a
-- volume is not one of the 30.
--
-- Earlier prices and volumes are on the basis of the day. A split is that of stock_splits. Where stock_splits has none
-- from a day of the ticker to its next one, it is the change of adjusted_close / close if that is within 2 % of N:1, 3:2
-- or 5:2, or a reverse of these, and the price from the close to the open moved nearer to it than to no change. Smaller
-- changes are dividends, which are not adjusted for, as in published 52-week ranges. A special dividend of a third or
-- half of the price looks like a split: a row 1:1 in stock_splits says that there was none. A split of stock_splits that the
-- price does not show is in the bars already, because many sources adjust bars for splits: it changes nothing.
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
    count(volume) OVER day_by_day AS volumes,
    lag(date) OVER day_by_day AS previous_date,
    lag(close) OVER day_by_day AS former_close,
    lag(adjusted_close) OVER day_by_day AS former_adjusted_close
  FROM days
  WINDOW day_by_day AS (PARTITION BY ticker ORDER BY date)
),
-- Each split at the ticker's first day on the new basis.
listed AS (
  SELECT
    split.ticker,
    numbered.date,
    new_shares::HUGEINT AS new_shares,
    old_shares::HUGEINT AS old_shares
  FROM read_parquet($stock_splits, hive_partitioning = false) AS split
  ASOF JOIN numbered
    ON numbered.ticker = split.ticker
    AND numbered.date >= split.date
  WHERE split.date BETWEEN $from::DATE - 380 AND $to::DATE
    AND least(new_shares, old_shares) > 0
),
declared AS (
  FROM listed
  JOIN numbered USING (ticker, date)
  SELECT listed.*
  QUALIFY NOT is_split_adjusted(
    product(new_shares / old_shares) OVER (PARTITION BY ticker, date),
    former_close,
    coalesce(open, close)
  )
),
-- A change of adjusted_close / close that is not declared: how many times as many shares, and how far the price fell.
-- Below 1, the shares were merged: both are reversed.
changes AS (
  SELECT
    ticker,
    date,
    (adjusted_close::DOUBLE * former_close) / (close::DOUBLE * former_adjusted_close) AS step,
    former_close::DOUBLE / coalesce(open, close) AS fall,
    if(step < 1, 1 / step, step) AS shares,
    if(step < 1, 1 / fall, fall) AS move
  FROM numbered
  ANTI JOIN listed USING (ticker, date)
  WHERE least(close, former_close, adjusted_close, former_adjusted_close, coalesce(open, close)) > 0
),
inferred AS (
  SELECT
    ticker,
    date,
    step < 1 AS is_reverse,
    if(abs(shares / 1.5 - 1) <= 0.02 OR abs(shares / 2.5 - 1) <= 0.02, 2, 1) AS parts,
    round(shares * parts) AS whole
  FROM changes
  WHERE shares > 1.4
    -- Nearer to the split than to no move at all.
    AND move * move > shares
    AND abs(shares * parts / whole - 1) <= 0.02
),
splits AS (
  FROM declared
  UNION ALL BY NAME
  SELECT
    ticker,
    date,
    round(if(is_reverse, parts, whole))::HUGEINT AS new_shares,
    round(if(is_reverse, whole, parts))::HUGEINT AS old_shares
  FROM inferred
),
-- What the prices and volumes of a day are multiplied by to be on one basis with the ticker's other days: all are whole
-- numbers, so that comparisons and sums are exact. Dividing by the factor of a day leads to the basis of that day. A
-- later split multiplies all days before it alike, so that it does not change them.
bases AS (
  SELECT
    ticker,
    numbered.date,
    list_reduce(list(if(split.date <= numbered.date, new_shares, old_shares)), lambda x, y: x * y) AS price_factor,
    list_reduce(list(if(split.date <= numbered.date, old_shares, new_shares)), lambda x, y: x * y) AS volume_factor
  FROM numbered
  JOIN splits AS split USING (ticker)
  GROUP BY
    ticker,
    numbered.date
),
based AS (
  SELECT
    numbered.*,
    coalesce(price_factor, 1) AS price_factor,
    coalesce(volume_factor, 1) AS volume_factor,
    close * coalesce(price_factor, 1)::DECIMAL(20, 0) AS based_close,
    coalesce(high, close) * coalesce(price_factor, 1)::DECIMAL(20, 0) AS based_high,
    coalesce(low, close) * coalesce(price_factor, 1)::DECIMAL(20, 0) AS based_low,
    volume::HUGEINT * coalesce(volume_factor, 1) AS based_volume
  FROM numbered
  LEFT JOIN bases USING (ticker, date)
),
figures AS (
  SELECT
    *,
    lag(based_close) OVER day_by_day AS previous_close,
    count(volume) OVER window_of_history AS volumes_in_window,
    sum(based_volume) OVER window_of_history AS volume_in_window,
    sum(based_volume) OVER last_30_volumes AS volume_of_30,
    max(based_high) OVER last_364_days AS week52_high,
    min(based_low) OVER last_364_days AS week52_low
  FROM based
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
  CASE WHEN previous_date >= date - 10 THEN price_ratio(previous_close, price_factor) END AS previous_close,
  CASE
    WHEN volumes_in_window >= 30 THEN short_quotient(volume_of_30 * 10000, 30 * volume_factor)
    WHEN volumes_in_window > 0 THEN short_quotient(volume_in_window * 10000, volumes_in_window * volume_factor)
  END * 0.0001::DECIMAL(4, 4) AS avg30_volume,
  price_ratio(week52_high, price_factor) AS week52_high,
  price_ratio(week52_low, price_factor) AS week52_low
FROM figures
WHERE date >= $from::DATE
