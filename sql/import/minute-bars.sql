-- minute-bars: one-minute bars of stocks and ETFs, one row per ticker and minute with trades
-- address: https://github.com/QuantConnect/Lean/tree/master/Data/equity/usa/minute
-- expects: CSV with a header, one row per ticker and minute with trades
-- expects: the start of the minute as an instant, or as a date and the time of day in New York, in milliseconds
-- expects: a volume with a fraction of a share, as in adjusted data, is rounded to whole shares
-- expects: bars of one minute, because the lake has no others. A file shows it by the times of one ticker, which are not all a multiple of 2, 3 or 5 minutes apart; otherwise specify --seconds 60
-- option: seconds = length of the bars, if the file does not show it: 60
-- rejects: bars of more than a minute, and a single bar without --seconds
-- rejects: an invalid ticker or date, and a date before 1900 or in the future
-- rejects: a time without a zone, or that is not at the start of a minute, or that does not exist in New York on that date (daylight saving time)
-- rejects: a price that is missing or not a plain decimal number above zero, a high below the low
-- rejects: a volume that is not a number
-- keeps: an open or a close that is not between low and high, and a date in the future, with a warning
-- keeps: a bar with a negative volume, without the volume
-- rows: alone
-- source: raw = csv
-- needs: time or date, ms_since_midnight_et
-- column: ticker = ticker, symbol, name; converted to upper case
-- optional: date = date; 2024-01-31, with or without midnight as the time
-- optional: ms_since_midnight_et = ms_since_midnight_et; with date, becomes start, UTC
-- optional: time = start, bar_time; an instant: ISO 8601 with a zone, or a number since 1970; becomes start, UTC
-- column: open = open; dollars
-- column: high = high; dollars
-- column: low = low; dollars
-- column: close = close; dollars
-- column: volume = volume, vol; shares
--
-- `raw` has one row per record of the file: its `file` and `line`, and the columns above as trimmed text, NULL if
-- blank. The result has `file`, `line`, the dataset's columns in their order, and `fault`: NULL, or the first fault of
-- the row as [column, reason, value]. $today is the date of the import, UTC.
--
-- All four prices are required, and rounded to six decimals as in daily-bars; a blank volume is stored as NULL.
-- `start` is the instant, or the New York date and time converted to UTC. A time skipped when daylight saving time
-- starts is rejected; the hour that occurs twice when it ends is read as standard time.
--
-- A few bars of one minute may be five minutes apart, so a ticker of a file whose other tickers have minutes is judged
-- only if it has 24 bars, on one day or on all. A file is mapped in parts: `import_kept` has those of the parts before,
-- so a file with accepted rows has shown its length.
-- dataset: stock_bars
WITH typed AS (
  SELECT
    *,
    day_of(date) AS written_day,
    TRY_CAST(ms_since_midnight_et AS BIGINT) AS since_midnight,
    TRY_CAST(half_even_text(open, 6) AS DECIMAL(18, 6)) AS open_price,
    TRY_CAST(half_even_text(high, 6) AS DECIMAL(18, 6)) AS high_price,
    TRY_CAST(half_even_text(low, 6) AS DECIMAL(18, 6)) AS low_price,
    TRY_CAST(half_even_text(close, 6) AS DECIMAL(18, 6)) AS close_price,
    whole_of(volume_text) AS shares
  FROM (
    SELECT
      *,
      whole_text(volume) AS volume_text
    FROM raw
  )
),
timed AS MATERIALIZED (
  SELECT
    *,
    CASE
      WHEN time IS NOT NULL THEN if(is_without_zone(time), NULL, instant_of(time))
      WHEN since_midnight BETWEEN 0 AND 86399999 AND written_day BETWEEN DATE '1900-01-01' AND $today::DATE + 1
        THEN new_york_instant(written_day + to_milliseconds(since_midnight))
    END AS instant,
    if(time IS NULL, written_day, (instant AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York')::DATE) AS day
  FROM typed
),
-- The remainders of the starts by 2, 3 and 5 minutes.
day_starts AS (
  SELECT
    file,
    ticker,
    day,
    count(*) AS number,
    min(minute) AS first_start,
    max(minute) AS last_start,
    [min(minute % 2), min(minute % 3), min(minute % 5)] AS least,
    [max(minute % 2), max(minute % 3), max(minute % 5)] AS most
  FROM (
    SELECT
      *,
      epoch_us(instant) // 60000000 AS minute
    FROM timed
    WHERE instant IS NOT NULL
  )
  GROUP BY ALL
),
ticker_starts AS (
  SELECT
    file,
    ticker,
    bool_or(number >= 24 AND are_apart(least, most) AND first_start < last_start) AS has_apart_day,
    sum(number) AS number,
    min(first_start) < max(last_start) AS has_several,
    are_apart(
      [min(least[1]), min(least[2]), min(least[3])],
      [max(most[1]), max(most[2]), max(most[3])]
    ) AS is_apart
  FROM day_starts
  GROUP BY ALL
),
file_starts AS (
  SELECT
    file,
    bool_or(has_several) AS has_several,
    bool_or(has_several AND NOT is_apart) OR file IN (SELECT file FROM import_kept) AS has_minutes
  FROM ticker_starts
  GROUP BY file
)
SELECT
  file,
  line,
  ticker_of(ticker) AS ticker,
  day AS date,
  instant AS start,
  open_price AS open,
  high_price AS high,
  low_price AS low,
  close_price AS close,
  if(shares < 0, NULL, shares) AS volume,
  coalesce(
    ticker_fault('ticker', ticker),
    CASE
      WHEN is_without_zone(time) THEN ['time', 'without a zone', time]
      WHEN time IS NOT NULL AND instant IS NULL THEN ['time', 'not a time', time]
      WHEN time IS NOT NULL AND epoch_us(instant) % 60000000 <> 0 THEN ['time', 'not at the start of a minute', time]
      WHEN time IS NOT NULL AND day_fault('time', time, day, $today) IS NOT NULL
        THEN day_fault('time', time, day, $today)
      WHEN time IS NULL AND written_day_fault('date', date, day, $today) IS NOT NULL
        THEN written_day_fault('date', date, day, $today)
      WHEN time IS NULL AND ms_since_midnight_et IS NULL THEN ['ms_since_midnight_et', 'missing', NULL]
      WHEN time IS NULL
        AND (NOT regexp_full_match(ms_since_midnight_et, '\d+') OR since_midnight IS NULL OR since_midnight > 86399999)
        THEN ['ms_since_midnight_et', 'not a time of day in milliseconds', ms_since_midnight_et]
      WHEN time IS NULL AND since_midnight % 60000 <> 0
        THEN ['ms_since_midnight_et', 'not at the start of a minute', ms_since_midnight_et]
      WHEN instant IS NULL
        THEN ['ms_since_midnight_et', 'no such time in New York on that date (daylight saving time)', ms_since_midnight_et]
      WHEN $seconds <> '60' THEN ['seconds', 'the lake has bars of one minute only: --seconds can only be 60', $seconds]
      WHEN $seconds = '60' THEN NULL
      WHEN NOT file_starts.has_several AND NOT has_minutes
        THEN ['seconds', 'the length of the bars is unknown: specify --seconds 60 if it is a minute', coalesce(time, ms_since_midnight_et)]
      WHEN NOT has_minutes OR has_apart_day OR number >= 24 AND ticker_starts.has_several AND is_apart
        THEN ['seconds', 'longer than a minute: specify --seconds 60 if they are minutes', coalesce(time, ms_since_midnight_et)]
    END,
    blank_fault('open', open),
    positive_fault('open', open, open_price),
    blank_fault('high', high),
    positive_fault('high', high, high_price),
    blank_fault('low', low),
    positive_fault('low', low, low_price),
    blank_fault('close', close),
    positive_fault('close', close, close_price),
    count_fault('volume', ltrim(volume_text, '-'), abs(shares)),
    CASE WHEN high_price < low_price THEN ['high', 'below the low', high] END
  ) AS fault,
  bar_warnings(
    open, high, low, close, open_price, high_price, low_price, close_price, 'date', date, day, $today, volume, shares
  ) AS warnings
FROM timed
LEFT JOIN ticker_starts USING (file, ticker)
LEFT JOIN file_starts USING (file)
