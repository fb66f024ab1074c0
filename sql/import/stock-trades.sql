-- stock-trades: trades of stocks and ETFs with their venue, one row a trade
-- address: https://github.com/QuantConnect/Lean/tree/master/Data/equity/usa/tick
-- expects: a header and one row a trade, in columns; ticks of LEAN, with ticker and date beside them, are such files
-- expects: a time is New York milliseconds since midnight beside a date, or else an instant: ISO 8601 (UTC unless it
-- expects: has an offset), or a number of seconds, milliseconds, microseconds or nanoseconds since 1970
-- expects: volume by price counts venue D, a FINRA trade reporting facility, as off exchange, and all others as on it
-- rejects: a ticker, price, size or venue that is blank or none; a venue is one letter, as the tapes have it
-- rejects: a time that is none, or that the clocks of New York skip in spring; a day before 1900 or in the future
-- rejects: a mark of suspicion or cancellation that says neither yes nor no
--
-- source: trades = csv, ndjson, parquet
-- column: ticker = ticker, symbol, sym; ticker symbol, becomes upper-case
-- optional: date = date; trading day YYYY-MM-DD, from whose midnight in New York the milliseconds count
-- optional: ms_since_midnight_et = ms_since_midnight_et; wall clock in New York; with date becomes executed_at
-- optional: time = executed_at, timestamp, datetime, time, sip_timestamp, participant_timestamp; becomes executed_at
-- column: price = price; dollars a share
-- column: size = size, quantity, qty, volume; shares
-- column: exchange = exchange, venue; letter of the venue
-- optional: sale_condition = sale_condition, sale_condition_hex, conditions; kept as it stands
-- optional: suspicious = suspicious; 1 or 0, becomes canceled: such a trade counts in no aggregate
-- optional: canceled = canceled, cancelled; likewise
--
-- Sources number no trades, and a file that overlaps another, or is a piece of it, must give the same trade the same
-- sequence: so it is made of the trade itself. Its first digits are the millisecond of the day, the next seven are a
-- digest of what else tells trades apart, the last four count the trades alike in both (real prints are, by the dozen
-- within a millisecond) in the file's order. Whether a trade is canceled is no part: a corrected file replaces it.
-- Files must not be cut between two trades that are alike in all of this.
-- dataset: stock_trades
WITH typed AS (
  SELECT
    *,
    day_of(date) AS midnight,
    TRY_CAST(ms_since_midnight_et AS BIGINT) AS since_midnight,
    TRY_CAST(price AS DECIMAL(18, 6)) AS dollars,
    TRY_CAST(size AS BIGINT) AS shares
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
    instant AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York' AS wall_clock,
    epoch_us(wall_clock) - epoch_us(wall_clock::DATE::TIMESTAMP) AS of_day_us
  FROM typed
),
told_apart AS (
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
  upper(ticker) AS ticker,
  instant AS executed_at,
  of_day_us // 1000 * 100000000000
    + digest * 10000
    + row_number() OVER (PARTITION BY file, upper(ticker), wall_clock::DATE, of_day_us // 1000, digest ORDER BY line)
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
      WHEN ms_since_midnight_et IS NULL AND time IS NULL THEN ['time', 'blank', NULL]
      WHEN ms_since_midnight_et IS NULL AND instant IS NULL THEN ['time', 'not a time', time]
      WHEN ms_since_midnight_et IS NULL THEN day_fault('time', time, wall_clock::DATE, $today)
      WHEN day_fault('date', date, midnight, $today) IS NOT NULL THEN day_fault('date', date, midnight, $today)
      WHEN NOT regexp_full_match(ms_since_midnight_et, '\d+') OR since_midnight IS NULL OR since_midnight > 86399999
        THEN ['ms_since_midnight_et', 'not a time of the day in milliseconds', ms_since_midnight_et]
      WHEN instant IS NULL
        THEN ['ms_since_midnight_et', 'a time that the clocks of New York skipped on that day', ms_since_midnight_et]
    END,
    blank_fault('price', price),
    positive_fault('price', price, dollars),
    blank_fault('size', size),
    count_fault('size', size, shares),
    blank_fault('exchange', exchange),
    CASE WHEN NOT regexp_full_match(exchange, '[A-Za-z]') THEN ['exchange', 'not the letter of a venue', exchange] END,
    CASE
      WHEN lower(suspicious) NOT IN ('1', 'true', 'yes', '0', 'false', 'no')
        THEN ['suspicious', 'neither yes nor no', suspicious]
    END,
    CASE
      WHEN lower(canceled) NOT IN ('1', 'true', 'yes', '0', 'false', 'no')
        THEN ['canceled', 'neither yes nor no', canceled]
    END
  ) AS fault
FROM told_apart
