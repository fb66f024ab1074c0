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
-- Blank open, high, low and volume are NULL, because sources have them; a bar without a close is refused.
-- Prices are rounded to six decimals, ties away from zero: no market trades finer, and the up to 15 digits that
-- some sources print (465.864013671875) are those of a binary float, behind which stands the traded price.
-- dataset: daily_bars
WITH typed AS (
  SELECT
    *,
    day_of(date) AS day,
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
  coalesce(
    ticker_fault('ticker', ticker),
    written_day_fault('date', date, day, $today),
    positive_fault('open', open, open_price),
    positive_fault('high', high, high_price),
    positive_fault('low', low, low_price),
    blank_fault('close', close),
    positive_fault('close', close, close_price),
    positive_fault('adjusted_close', adjusted_close, adjusted_price),
    count_fault('volume', volume, shares),
    CASE WHEN high_price < low_price THEN ['high', 'below the low', high] END
  ) AS fault
FROM typed
