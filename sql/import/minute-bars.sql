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
-- A number is plain decimal notation: DuckDB's casts alone would take 1e3, 0x10 and 1_000 as well.
-- All four prices are needed, and rounded to six decimals as in daily-bars; a blank volume is NULL.
-- `start` is the New York wall clock, date and milliseconds, as UTC. A wall-clock time that the clocks skip in
-- spring is refused; of the hour that comes twice in autumn, the second one (standard time) is meant.
-- dataset: stock_bars
WITH typed AS (
  SELECT
    *,
    TRY_CAST(left(date, 10) AS DATE) AS day,
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
        THEN day + to_milliseconds(since_midnight)
    END AS wall_clock,
    wall_clock AT TIME ZONE 'America/New_York' AS instant
  FROM typed
)
SELECT
  file,
  line,
  upper(ticker) AS ticker,
  day AS date,
  instant AT TIME ZONE 'UTC' AS start,
  open_price AS open,
  high_price AS high,
  low_price AS low,
  close_price AS close,
  shares AS volume,
  CASE
    WHEN ticker IS NULL THEN ['ticker', 'blank', ticker]
    WHEN NOT regexp_full_match(ticker, '[A-Za-z][A-Za-z0-9.\-]{0,9}') THEN ['ticker', 'not a ticker', ticker]
    WHEN date IS NULL THEN ['date', 'blank', date]
    WHEN NOT regexp_full_match(date, '\d{4}-\d{2}-\d{2}( 00:00:00)?') THEN ['date', 'not a date YYYY-MM-DD', date]
    WHEN day IS NULL THEN ['date', 'no such day', date]
    WHEN day NOT BETWEEN DATE '1900-01-01' AND $today::DATE + 1 THEN ['date', 'before 1900 or in the future', date]

    WHEN ms_since_midnight_et IS NULL THEN ['ms_since_midnight_et', 'blank', ms_since_midnight_et]
    WHEN NOT regexp_full_match(ms_since_midnight_et, '\d+') OR since_midnight IS NULL OR since_midnight > 86399999
      THEN ['ms_since_midnight_et', 'not a time of the day in milliseconds', ms_since_midnight_et]
    WHEN since_midnight % 60000 <> 0
      THEN ['ms_since_midnight_et', 'not on a whole minute', ms_since_midnight_et]
    WHEN instant AT TIME ZONE 'America/New_York' <> wall_clock
      THEN ['ms_since_midnight_et', 'a time that the clocks of New York skipped on that day', ms_since_midnight_et]

    WHEN open IS NULL THEN ['open', 'blank', open]
    WHEN NOT regexp_full_match(open, '-?\d+(\.\d+)?')
      THEN ['open', 'not a plain decimal number', open]
    WHEN open_price IS NULL THEN ['open', 'too large', open]
    WHEN open_price <= 0 THEN ['open', 'not above zero', open]

    WHEN high IS NULL THEN ['high', 'blank', high]
    WHEN NOT regexp_full_match(high, '-?\d+(\.\d+)?')
      THEN ['high', 'not a plain decimal number', high]
    WHEN high_price IS NULL THEN ['high', 'too large', high]
    WHEN high_price <= 0 THEN ['high', 'not above zero', high]

    WHEN low IS NULL THEN ['low', 'blank', low]
    WHEN NOT regexp_full_match(low, '-?\d+(\.\d+)?')
      THEN ['low', 'not a plain decimal number', low]
    WHEN low_price IS NULL THEN ['low', 'too large', low]
    WHEN low_price <= 0 THEN ['low', 'not above zero', low]

    WHEN close IS NULL THEN ['close', 'blank', close]
    WHEN NOT regexp_full_match(close, '-?\d+(\.\d+)?')
      THEN ['close', 'not a plain decimal number', close]
    WHEN close_price IS NULL THEN ['close', 'too large', close]
    WHEN close_price <= 0 THEN ['close', 'not above zero', close]

    WHEN NOT regexp_full_match(volume, '-?\d+(\.0+)?')
      THEN ['volume', if(regexp_full_match(volume, '-?\d+\.\d+'), 'not a whole number', 'not a plain decimal number'), volume]
    WHEN volume IS NOT NULL AND shares IS NULL THEN ['volume', 'too large', volume]
    WHEN shares < 0 THEN ['volume', 'below zero', volume]

    WHEN high_price < low_price THEN ['high', 'below the low', high]
  END AS fault
FROM timed
