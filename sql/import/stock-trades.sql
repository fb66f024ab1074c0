-- stock-trades: trades of stocks and ETFs with their venue, one row per trade
-- address: https://github.com/QuantConnect/Lean/tree/master/Data/equity/usa/tick
-- expects: a header and one row per trade; LEAN's ticks, with ticker and date columns added, are such files
-- expects: times as milliseconds since midnight in New York with a date, or as instants: ISO 8601 (UTC unless it has an offset), or seconds, milliseconds, microseconds or nanoseconds since 1970
-- expects: price levels count venue D, a FINRA trade reporting facility, as off exchange, and all others as on exchange
-- rejects: a missing or invalid ticker, price, size or venue; a venue is one letter, as on the tapes
-- rejects: a time that is invalid or does not exist in New York on that date (daylight saving time); a date before 1900 or in the future
-- rejects: a suspicious or cancelled flag that is neither yes nor no
--
-- source: trades = csv, ndjson, parquet
-- needs: time or date, ms_since_midnight_et
-- column: ticker = ticker, symbol, sym; ticker symbol, converted to upper case
-- optional: date = date; trading date YYYY-MM-DD, New York
-- optional: ms_since_midnight_et = ms_since_midnight_et; milliseconds since midnight in New York; with date, becomes executed_at
-- optional: time = executed_at, timestamp, datetime, time, sip_timestamp, participant_timestamp; becomes executed_at
-- column: price = price; dollars per share
-- column: size = size, quantity, qty, volume; shares
-- column: exchange = exchange, venue; letter of the venue
-- optional: sale_condition = sale_condition, sale_condition_hex, conditions; stored as is
-- optional: suspicious = suspicious; 1 or 0, becomes canceled: aggregates exclude such a trade
-- optional: canceled = canceled, cancelled; 1 or 0, becomes canceled
--
-- Sources do not number trades, and a file that overlaps another, or is a part of it, must give the same trade the same
-- sequence. It is therefore derived from the trade: its first digits are the millisecond of the day, the next seven a
-- digest of the trade's other columns, the last four count equal trades (real prints repeat, by the dozen within a
-- millisecond) in file order. The cancelled flag is not part of it: a corrected file replaces the trade.
-- Files must not be cut between two equal trades.
-- dataset: stock_trades
WITH typed AS (
  SELECT
    *,
    day_of(date) AS midnight,
    TRY_CAST(ms_since_midnight_et AS BIGINT) AS since_midnight,
    TRY_CAST(half_even_text(price, 6) AS DECIMAL(18, 6)) AS dollars,
    whole_of(size) AS shares
  FROM trades
),
timed AS (
  SELECT
    *,
    CASE
      WHEN ms_since_midnight_et IS NULL THEN instant_of(time)
      WHEN since_midnight BETWEEN 0 AND 86399999 AND midnight BETWEEN DATE '1900-01-01' AND $today::DATE + 1
        THEN new_york_instant(midnight + to_milliseconds(since_midnight))
    END AS instant,
    CASE
      WHEN ms_since_midnight_et IS NULL THEN instant AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York'
      WHEN instant IS NOT NULL THEN midnight + to_milliseconds(since_midnight)
    END AS wall_clock,
    epoch_us(wall_clock) - epoch_us(wall_clock::DATE::TIMESTAMP) AS of_day_us
  FROM typed
),
digested AS (
  SELECT
    *,
    ('0x' || left(md5(concat_ws('|', of_day_us, dollars, shares, upper(exchange), coalesce(sale_condition, ''))), 14))
      ::BIGINT % 10000000 AS digest
  FROM timed
)
SELECT
  file,
  line,
  wall_clock::DATE AS date,
  ticker_of(ticker) AS ticker,
  instant AS executed_at,
  of_day_us // 1000 * 100000000000
    + digest * 10000
    + row_number() OVER (PARTITION BY file, ticker_of(ticker), wall_clock::DATE, of_day_us // 1000, digest ORDER BY line)
    AS sequence,
  dollars AS price,
  shares AS size,
  upper(exchange) AS exchange,
  sale_condition,
  coalesce(lower(suspicious) IN ('1', 'true', 'yes'), false) OR coalesce(lower(canceled) IN ('1', 'true', 'yes'), false)
    AS canceled,
  coalesce(
    ticker_fault('ticker', ticker),
    CASE
      WHEN ms_since_midnight_et IS NULL AND time IS NULL THEN ['time', 'missing', NULL]
      WHEN ms_since_midnight_et IS NULL AND instant IS NULL THEN ['time', 'not a time', time]
      WHEN ms_since_midnight_et IS NULL THEN day_fault('time', time, wall_clock::DATE, $today)
      WHEN day_fault('date', date, midnight, $today) IS NOT NULL THEN day_fault('date', date, midnight, $today)
      WHEN NOT regexp_full_match(ms_since_midnight_et, '\d+') OR since_midnight IS NULL OR since_midnight > 86399999
        THEN ['ms_since_midnight_et', 'not a time of day in milliseconds', ms_since_midnight_et]
      WHEN instant IS NULL
        THEN ['ms_since_midnight_et', 'no such time in New York on that date (daylight saving time)', ms_since_midnight_et]
    END,
    blank_fault('price', price),
    positive_fault('price', price, dollars),
    blank_fault('size', size),
    count_fault('size', size, shares),
    blank_fault('exchange', exchange),
    CASE WHEN NOT regexp_full_match(exchange, '[A-Za-z]') THEN ['exchange', 'not a venue letter', exchange] END,
    CASE
      WHEN lower(suspicious) NOT IN ('1', 'true', 'yes', '0', 'false', 'no')
        THEN ['suspicious', 'neither yes nor no', suspicious]
    END,
    CASE
      WHEN lower(canceled) NOT IN ('1', 'true', 'yes', '0', 'false', 'no')
        THEN ['canceled', 'neither yes nor no', canceled]
    END
  ) AS fault
FROM digested
