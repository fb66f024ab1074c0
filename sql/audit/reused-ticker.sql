-- reused-ticker: a ticker returns after a gap with another price level or another name
-- tolerance: The gap has at least 60 dates on which the lake has bars of other tickers, and more than 90 calendar days:
--   a halt is shorter. The close is more than three times the last one, or less than a third of it. A name counts as
--   another one if it differs in more than case, spaces and punctuation.
-- run: 250
-- finds: daily_bars
-- reads: daily_bars all before
WITH bars AS (
  SELECT ticker, date, close::DOUBLE AS close
  FROM read_parquet($daily_bars, hive_partitioning = false)
  WHERE close > 0
), dates AS (
  SELECT date, row_number() OVER (ORDER BY date) AS number
  FROM (SELECT DISTINCT date FROM bars)
), kept AS (
  -- Of the time before the run, only the last bar of each ticker is needed.
  SELECT ticker, max(date) AS date, arg_max(close, date) AS close FROM bars WHERE date < $from GROUP BY ticker
  UNION ALL
  FROM bars WHERE date >= $from
), steps AS (
  SELECT *, lag(date) OVER own AS last_date, lag(close) OVER own AS last_close
  FROM kept
  WINDOW own AS (PARTITION BY ticker ORDER BY date)
)
SELECT
  steps.date,
  ticker,
  round(close, 4) AS value,
  format('closes at {:.2f}; its last bar, of {}, closed at {:.2f}', close, last_date, last_close) AS reason
FROM steps
JOIN dates ON dates.date = steps.date
JOIN dates AS last_dates ON last_dates.date = last_date
WHERE steps.date BETWEEN $from AND $to
  AND steps.date - last_date > 90
  AND dates.number - last_dates.number > 60
  AND (close > 3 * last_close OR close < last_close / 3)
-- finds: daily_bars
-- reads: daily_bars all before
-- reads: tickers all before
WITH bars AS (
  SELECT ticker, date, close::DOUBLE AS close
  FROM read_parquet($daily_bars, hive_partitioning = false)
  WHERE close > 0
), dates AS (
  SELECT date, row_number() OVER (ORDER BY date) AS number
  FROM (SELECT DISTINCT date FROM bars)
), kept AS (
  SELECT ticker, max(date) AS date, arg_max(close, date) AS close FROM bars WHERE date < $from GROUP BY ticker
  UNION ALL
  FROM bars WHERE date >= $from
), steps AS (
  SELECT *, lag(date) OVER own AS last_date, lag(close) OVER own AS last_close
  FROM kept
  WINDOW own AS (PARTITION BY ticker ORDER BY date)
), returns AS (
  SELECT steps.*
  FROM steps
  JOIN dates ON dates.date = steps.date
  JOIN dates AS last_dates ON last_dates.date = last_date
  WHERE steps.date BETWEEN $from AND $to
    AND steps.date - last_date > 90
    AND dates.number - last_dates.number > 60
    -- The others are found above.
    AND close BETWEEN last_close / 3 AND 3 * last_close
), names AS (
  SELECT ticker, date, full_name, lower(regexp_replace(full_name, '[^A-Za-z0-9]', '', 'g')) AS letters
  FROM read_parquet($tickers, hive_partitioning = false)
)
SELECT
  returns.date,
  returns.ticker,
  names.full_name AS value,
  format('is {}; until {} it was {}', names.full_name, last_date, last_names.full_name) AS reason
FROM returns
ASOF JOIN names ON names.ticker = returns.ticker AND names.date <= returns.date
ASOF JOIN names AS last_names ON last_names.ticker = returns.ticker AND last_names.date <= returns.last_date
WHERE names.letters <> last_names.letters
