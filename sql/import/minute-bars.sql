-- minute-bars: one-minute bars of stocks and ETFs, CSV with a header, New York wall-clock milliseconds
-- address: https://github.com/QuantConnect/Lean/tree/master/Data/equity/usa/minute
-- expects: CSV with a header, one row a ticker and minute with trades; the time of day in New York, in milliseconds
-- rejects: a ticker or a day that is none, a day before 1900 or in the future
-- rejects: a time that is not on a whole minute of the day, or that the clocks of New York skipped
-- rejects: a price that is missing, no plain decimal number or not above zero, a high below the low
-- rejects: a volume that is no whole number from zero on
-- rows: alone
-- source: raw = csv
-- column: ticker = ticker, symbol, name; made upper-case
-- column: date = date; 2024-01-31, with midnight behind it or not
-- column: ms_since_midnight_et = ms_since_midnight_et; becomes start, UTC
-- column: open = open; dollars
-- column: high = high; dollars
-- column: low = low; dollars
-- column: close = close; dollars
-- column: volume = volume, vol; shares
--
-- `raw` has one row a record of the file: its `file` and `line`, and the columns above as trimmed text, NULL where blank.
-- The answer is `file`, `line`, the dataset's columns in their order, and `fault`: NULL, or the first thing that is wrong
-- with the row as [column, reason, value]. $today is the day of the import, UTC.
--
-- All four prices are needed, and rounded to six decimals as in daily-bars; a blank volume is NULL.
-- `start` is the New York wall clock, date and milliseconds, as UTC. A wall-clock time that the clocks skip in
-- spring is refused; of the hour that comes twice in autumn, the second one (standard time) is meant.
-- dataset: stock_bars
WITH typed AS (
  SELECT
    *,
    day_of(date) AS day,
    TRY_CAST(ms_since_midnight_et AS BIGINT) AS since_midnight,
    TRY_CAST(open AS DECIMAL(18, 6)) AS open_price,
    TRY_CAST(high AS DECIMAL(18, 6)) AS high_price,
    TRY_CAST(low AS DECIMAL(18, 6)) AS low_price,
    TRY_CAST(close AS DECIMAL(18, 6)) AS close_price,
    TRY_CAST(volume AS BIGINT) AS shares
  FROM raw
),
timed AS (
  SELECT
    *,
    CASE
      WHEN since_midnight BETWEEN 0 AND 86399999 AND day BETWEEN DATE '1900-01-01' AND $today::DATE + 1
        THEN new_york_instant(day + to_milliseconds(since_midnight))
    END AS instant
  FROM typed
)
SELECT
  file,
  line,
  upper(ticker) AS ticker,
  day AS date,
  instant AS start,
  open_price AS open,
  high_price AS high,
  low_price AS low,
  close_price AS close,
  shares AS volume,
  coalesce(
    ticker_fault('ticker', ticker),
    written_day_fault('date', date, day, $today),
    blank_fault('ms_since_midnight_et', ms_since_midnight_et),
    CASE
      WHEN NOT regexp_full_match(ms_since_midnight_et, '\d+') OR since_midnight IS NULL OR since_midnight > 86399999
        THEN ['ms_since_midnight_et', 'not a time of the day in milliseconds', ms_since_midnight_et]
      WHEN since_midnight % 60000 <> 0
        THEN ['ms_since_midnight_et', 'not on a whole minute', ms_since_midnight_et]
      WHEN instant IS NULL
        THEN ['ms_since_midnight_et', 'a time that the clocks of New York skipped on that day', ms_since_midnight_et]
    END,
    blank_fault('open', open),
    positive_fault('open', open, open_price),
    blank_fault('high', high),
    positive_fault('high', high, high_price),
    blank_fault('low', low),
    positive_fault('low', low, low_price),
    blank_fault('close', close),
    positive_fault('close', close, close_price),
    count_fault('volume', volume, shares),
    CASE WHEN high_price < low_price THEN ['high', 'below the low', high] END
  ) AS fault
FROM timed
