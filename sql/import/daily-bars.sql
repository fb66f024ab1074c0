-- daily-bars: daily bars of stocks and ETFs, CSV with a header, one row per ticker and trading day
-- expects: CSV with a header, one row per ticker and trading day, as written by price services and Python's data readers
-- expects: unadjusted prices with up to 15 digits; they are rounded to six decimals, half to even
-- expects: a volume with a fraction of a share, as in adjusted data, is rounded to whole shares
-- rejects: an invalid ticker or date, and a date before 1900 or in the future
-- rejects: a price that is not a plain decimal number above zero, a high below the low, a missing close
-- rejects: a volume that is not a number
-- rejects: an instant within the day, as bars of minutes have
-- rejects: rows of several times of day, in the date or in a column time: these are bars of less than a day
-- keeps: an open or a close that is not between low and high, and a date in the future, with a warning
-- keeps: a bar with a negative volume, without the volume
-- rows: alone
-- source: raw = csv
-- column: ticker = ticker, symbol, name; converted to upper case
-- column: date = date; 2024-01-31, with or without midnight as the time; or an instant with a zone, at midnight (UTC or New York), at the opening in New York or after the close
-- column: open = open; dollars
-- column: high = high; dollars
-- column: low = low; dollars
-- column: close = close; dollars
-- column: volume = volume, vol; shares
-- optional: time = time, hour; must be the same in all rows
-- optional: adjusted_close = adj close, adj_close, adj. close, adjusted close, adjusted_close, adjusted, adjclose; dollars, adjusted for splits and dividends
--
-- `raw` has one row per record of the file: its `file` and `line`, and the columns above as trimmed text, NULL if
-- blank. The result has `file`, `line`, the dataset's columns in their order, and `fault`: NULL, or the first fault of
-- the row as [column, reason, value]. $today is the date of the import, UTC.
--
-- Blank open, high, low and volume are stored as NULL, because sources have them; a bar without a close is rejected.
-- Prices are rounded to six decimals, half to even: no market has a smaller tick, and the up to 15 digits of
-- some sources (465.864013671875) are those of a binary float near the traded price.
--
-- APIs give a bar of a day the instant at which the day or its session began, and the bar of a session that has just
-- ended the time of its last trade. Any other time is that of a shorter bar, which would replace the bar of the day.
-- Midnight in all rows of a file means that these are dates; midnight in one row of several times is the first bar of a day.
-- The instant is a column of its own, because the macro of the day repeats it five times.
-- value: files_of_times
SELECT coalesce(list(file), [])
FROM (
  SELECT file
  FROM (
    SELECT
      file,
      date,
      time,
      CASE WHEN strlen(date) > 10 THEN regexp_full_match(date, '\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}\S*') END AS has_time,
      CASE WHEN has_time THEN daily_bar_instant(date) END AS instant
    FROM raw
  )
  GROUP BY file
  HAVING min(time) < max(time)
    OR bool_or(CASE WHEN has_time THEN daily_bar_day(date, instant) IS NULL END)
)
-- dataset: daily_bars
WITH timed AS (
  SELECT
    *,
    daily_bar_instant(date) AS instant,
    whole_text(volume) AS volume_text
  FROM raw
),
typed AS (
  SELECT
    *,
    daily_bar_day(date, instant) AS day,
    TRY_CAST(half_even_text(open, 6) AS DECIMAL(18, 6)) AS open_price,
    TRY_CAST(half_even_text(high, 6) AS DECIMAL(18, 6)) AS high_price,
    TRY_CAST(half_even_text(low, 6) AS DECIMAL(18, 6)) AS low_price,
    TRY_CAST(half_even_text(close, 6) AS DECIMAL(18, 6)) AS close_price,
    TRY_CAST(half_even_text(adjusted_close, 6) AS DECIMAL(18, 6)) AS adjusted_price,
    whole_of(volume_text) AS shares
  FROM timed
)
SELECT
  file,
  line,
  ticker_of(ticker) AS ticker,
  day AS date,
  open_price AS open,
  high_price AS high,
  low_price AS low,
  close_price AS close,
  adjusted_price AS adjusted_close,
  if(shares < 0, NULL, shares) AS volume,
  coalesce(
    ticker_fault('ticker', ticker),
    CASE
      WHEN instant IS NOT NULL AND day IS NULL THEN ['date', 'a time within the day, as bars of minutes have', date]
      WHEN instant IS NOT NULL THEN day_fault('date', date, day, $today)
      ELSE written_day_fault('date', date, day, $today)
    END,
    CASE
      WHEN list_contains(getvariable('files_of_times'), file) AND (time IS NOT NULL OR NOT is_date_text(date))
        THEN ['date', 'one of several times of day: not a daily bar', concat_ws(' ', date, time)]
    END,
    positive_fault('open', open, open_price),
    positive_fault('high', high, high_price),
    positive_fault('low', low, low_price),
    blank_fault('close', close),
    positive_fault('close', close, close_price),
    positive_fault('adjusted_close', adjusted_close, adjusted_price),
    count_fault('volume', ltrim(volume_text, '-'), abs(shares)),
    CASE WHEN high_price < low_price THEN ['high', 'below the low', high] END
  ) AS fault,
  bar_warnings(
    open, high, low, close, open_price, high_price, low_price, close_price, 'date', date, day, $today, volume, shares
  ) AS warnings
FROM typed
