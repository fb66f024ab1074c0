-- daily-bars: daily bars of stocks and ETFs, CSV with a header, one row a ticker and trading day
-- expects: CSV with a header, one row a ticker and trading day, as price services and Python's data readers write them
-- expects: prices as traded, with up to 15 digits; they are rounded to six decimals, ties away from zero
-- rejects: a ticker or a day that is none, a day before 1900 or in the future
-- rejects: a price that is no plain decimal number or not above zero, a high below the low, a missing close
-- rejects: a volume that is no whole number from zero on
-- rows: alone
-- source: raw = csv
-- column: ticker = ticker, symbol, name; made upper-case
-- column: date = date; 2024-01-31, with midnight behind it or not
-- column: open = open; dollars
-- column: high = high; dollars
-- column: low = low; dollars
-- column: close = close; dollars
-- column: volume = volume, vol; shares
-- optional: adjusted_close = adj close, adj_close, adj. close, adjusted close, adjusted_close, adjclose; dollars, adjusted for splits and dividends
--
-- `raw` has one row a record of the file: its `file` and `line`, and the columns above as trimmed text, NULL where blank.
-- The answer is `file`, `line`, the dataset's columns in their order, and `fault`: NULL, or the first thing that is wrong
-- with the row as [column, reason, value]. $today is the day of the import, UTC.
--
-- A number is plain decimal notation: DuckDB's casts alone would take 1e3, 0x10 and 1_000 as well.
-- Blank open, high, low and volume are NULL, because sources have them; a bar without a close is refused.
-- Prices are rounded to six decimals, ties away from zero: no market trades finer, and the up to 15 digits that
-- some sources print (465.864013671875) are those of a binary float, behind which stands the traded price.
-- dataset: daily_bars
WITH typed AS (
  SELECT
    *,
    TRY_CAST(left(date, 10) AS DATE) AS day,
    TRY_CAST(open AS DECIMAL(18, 6)) AS open_price,
    TRY_CAST(high AS DECIMAL(18, 6)) AS high_price,
    TRY_CAST(low AS DECIMAL(18, 6)) AS low_price,
    TRY_CAST(close AS DECIMAL(18, 6)) AS close_price,
    TRY_CAST(adjusted_close AS DECIMAL(18, 6)) AS adjusted_price,
    TRY_CAST(volume AS BIGINT) AS shares
  FROM raw
)
SELECT
  file,
  line,
  upper(ticker) AS ticker,
  day AS date,
  open_price AS open,
  high_price AS high,
  low_price AS low,
  close_price AS close,
  adjusted_price AS adjusted_close,
  shares AS volume,
  CASE
    WHEN ticker IS NULL THEN ['ticker', 'blank', ticker]
    WHEN NOT regexp_full_match(ticker, '[A-Za-z][A-Za-z0-9.\-]{0,9}') THEN ['ticker', 'not a ticker', ticker]
    WHEN date IS NULL THEN ['date', 'blank', date]
    WHEN NOT regexp_full_match(date, '\d{4}-\d{2}-\d{2}( 00:00:00)?') THEN ['date', 'not a date YYYY-MM-DD', date]
    WHEN day IS NULL THEN ['date', 'no such day', date]
    WHEN day NOT BETWEEN DATE '1900-01-01' AND $today::DATE + 1 THEN ['date', 'before 1900 or in the future', date]

    WHEN NOT regexp_full_match(open, '-?\d+(\.\d+)?')
      THEN ['open', 'not a plain decimal number', open]
    WHEN open IS NOT NULL AND open_price IS NULL THEN ['open', 'too large', open]
    WHEN open_price <= 0 THEN ['open', 'not above zero', open]

    WHEN NOT regexp_full_match(high, '-?\d+(\.\d+)?')
      THEN ['high', 'not a plain decimal number', high]
    WHEN high IS NOT NULL AND high_price IS NULL THEN ['high', 'too large', high]
    WHEN high_price <= 0 THEN ['high', 'not above zero', high]

    WHEN NOT regexp_full_match(low, '-?\d+(\.\d+)?')
      THEN ['low', 'not a plain decimal number', low]
    WHEN low IS NOT NULL AND low_price IS NULL THEN ['low', 'too large', low]
    WHEN low_price <= 0 THEN ['low', 'not above zero', low]

    WHEN close IS NULL THEN ['close', 'blank', close]
    WHEN NOT regexp_full_match(close, '-?\d+(\.\d+)?')
      THEN ['close', 'not a plain decimal number', close]
    WHEN close_price IS NULL THEN ['close', 'too large', close]
    WHEN close_price <= 0 THEN ['close', 'not above zero', close]

    WHEN NOT regexp_full_match(adjusted_close, '-?\d+(\.\d+)?')
      THEN ['adjusted_close', 'not a plain decimal number', adjusted_close]
    WHEN adjusted_close IS NOT NULL AND adjusted_price IS NULL THEN ['adjusted_close', 'too large', adjusted_close]
    WHEN adjusted_price <= 0 THEN ['adjusted_close', 'not above zero', adjusted_close]

    WHEN NOT regexp_full_match(volume, '-?\d+(\.0+)?')
      THEN ['volume', if(regexp_full_match(volume, '-?\d+\.\d+'), 'not a whole number', 'not a plain decimal number'), volume]
    WHEN volume IS NOT NULL AND shares IS NULL THEN ['volume', 'too large', volume]
    WHEN shares < 0 THEN ['volume', 'below zero', volume]

    WHEN high_price < low_price THEN ['high', 'below the low', high]
  END AS fault
FROM typed
