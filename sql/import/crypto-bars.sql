-- crypto-bars: candles of cryptocurrency pairs, of one minute, one day or another length
-- address: https://github.com/QuantConnect/Lean/tree/master/Data/crypto
-- address: https://finance.yahoo.com/quote/BTC-USD/history
-- expects: a header and one row per candle; all times are UTC
-- expects: the pair in a column, otherwise in --pair, otherwise as the name of the file, e.g. Yahoo's BTC-USD.csv
-- expects: a candle with a time of day lasts one minute, one with only a date lasts one day, unless --seconds specifies another length
-- expects: volume in units of the base currency; use --volume quote for Yahoo's, which is in the quote currency
-- expects: candles of one venue per pair, because candles in the lake have no venue; if a pair has several, specify one with --exchange
-- expects: with --exchange, only candles of the first listed venue that has the pair are imported
-- option: pair = pair of files that do not contain it, e.g. BTC-USD
-- option: exchange = venue to import, or several, separated by commas: each pair is imported from the first that has it
-- option: seconds = length of the candles in seconds, e.g. 3600
-- option: volume = unit of the volumes: base, or quote (divided by the mean of high, low and close). Default: base
-- rejects: a pair with several venues at one length without --exchange, and a missing venue with --exchange
-- rejects: an invalid pair, and a pair without a separator that does not end in a known quote currency
-- rejects: a start that is missing, invalid, before 1900, in the future or not a multiple of the length
-- rejects: a price that is missing, zero, negative or at least 100,000,000; a high below the low; an invalid volume
--
-- source: candles = csv, ndjson, parquet
-- optional: exchange = exchange, venue; any case
-- optional: pair = pair, symbol, market; BTC-USD, BTC/USD, BTC_USD or BTCUSD, becomes BTC-USD
-- optional: date = date, day; YYYY-MM-DD, with or without a time
-- optional: ms_since_midnight_utc = ms_since_midnight_utc; with date becomes start
-- optional: time = start, timestamp, time, datetime, open time, open_time, unix; ISO 8601 or since 1970, becomes start
-- column: open = open
-- column: high = high
-- column: low = low
-- column: close = close
-- column: volume = volume, vol, volume base
--
-- Prices are rounded to ten decimals and volumes to eight, the precision of the lake.
-- A pair in one word ends in the longest known quote currency: BTCBUSD is BTC-BUSD, not BTCB-USD. But USD is not a base
-- currency: USDTUSD is USDT-USD, not USD-TUSD.
-- dataset: crypto_candles
WITH quotes (quote) AS (
  VALUES
    -- Currencies, stablecoins and coins that exchanges use as quote currencies.
    ('USD'), ('EUR'), ('GBP'), ('JPY'), ('CHF'), ('CAD'), ('AUD'), ('NZD'), ('SGD'), ('HKD'), ('KRW'), ('TRY'), ('BRL'),
    ('MXN'), ('ARS'), ('ZAR'), ('PLN'), ('CZK'), ('RON'), ('UAH'), ('RUB'), ('INR'), ('IDR'), ('THB'), ('NGN'), ('AED'),
    ('USDT'), ('USDC'), ('BUSD'), ('TUSD'), ('FDUSD'), ('USDP'), ('GUSD'), ('PYUSD'), ('USDE'), ('USD1'), ('DAI'),
    ('BTC'), ('XBT'), ('ETH'), ('BNB'), ('TRX'), ('XRP'), ('DOGE'), ('SOL')
),
-- Only a file name in capitals with a hyphen is a pair; btc_usd-2024 may be anything.
called AS (
  SELECT
    file,
    arg_min(split_part(name, '.', 1), quote) AS pair
  FROM files
  JOIN quotes ON ends_with(split_part(name, '.', 1), '-' || quote)
  WHERE regexp_full_match(split_part(name, '.', 1), '[A-Z0-9]{2,16}-[A-Z0-9]+')
  GROUP BY file
),
spelled AS (
  SELECT
    candles.* EXCLUDE (pair),
    coalesce(candles.pair, $pair, called.pair) AS pair,
    lower(exchange) AS venue,
    string_split(regexp_replace(lower($exchange), '\s', '', 'g'), ',') AS venues,
    coalesce(time, date) AS moment
  FROM candles
  LEFT JOIN called USING (file)
),
-- Of a pair in one word, the longest quote currency that leaves a base other than the dollar.
pairs AS (
  SELECT
    pair,
    CASE
      WHEN regexp_full_match(pair, '[A-Za-z0-9]{1,16}[-/_][A-Za-z0-9]{1,16}')
        THEN upper(regexp_replace(pair, '[/_]', '-'))
      WHEN regexp_full_match(pair, '[A-Za-z0-9]{2,32}')
        THEN arg_max(upper(left(pair, len(pair) - len(quote))) || '-' || quote, len(quote))
    END AS base_quote
  FROM (SELECT DISTINCT pair FROM spelled WHERE pair IS NOT NULL)
  LEFT JOIN quotes
    ON ends_with(upper(pair), quote)
    AND upper(left(pair, len(pair) - len(quote))) NOT IN ('', 'USD')
  GROUP BY pair
),
typed AS (
  SELECT
    spelled.*,
    base_quote,
    day_of(date) AS midnight,
    TRY_CAST(ms_since_midnight_utc AS BIGINT) AS since_midnight,
    CASE
      WHEN $seconds IS NOT NULL THEN CASE WHEN regexp_full_match($seconds, '[1-9]\d{0,7}') THEN $seconds::INTEGER END
      WHEN ms_since_midnight_utc IS NULL AND day_of(moment) IS NOT NULL THEN 86400
      ELSE 60
    END AS length,
    TRY_CAST(half_even_text(open, 10) AS DECIMAL(18, 10)) AS open_price,
    TRY_CAST(half_even_text(high, 10) AS DECIMAL(18, 10)) AS high_price,
    TRY_CAST(half_even_text(low, 10) AS DECIMAL(18, 10)) AS low_price,
    TRY_CAST(half_even_text(close, 10) AS DECIMAL(18, 10)) AS close_price,
    TRY_CAST(half_even_text(volume, 8) AS DECIMAL(28, 8)) AS units,
    CASE
      WHEN lower($volume) = 'quote'
        THEN TRY_CAST(half_even(3 * units / nullif(high_price + low_price + close_price, 0), 8) AS DECIMAL(28, 8))
      ELSE units
    END AS base_units
  FROM spelled
  LEFT JOIN pairs USING (pair)
),
-- Venues conflict if they have candles of the same pair and length.
venued AS (
  SELECT
    *,
    min(list_position(venues, venue)) OVER (PARTITION BY base_quote, length) AS preferred,
    max(list_position(venues, venue)) OVER () IS NULL AS is_none_preferred,
    min(coalesce(venue, '')) OVER (PARTITION BY base_quote, length)
      <> max(coalesce(venue, '')) OVER (PARTITION BY base_quote, length) AS has_several_venues
  FROM typed
),
timed AS (
  SELECT
    *,
    CASE
      WHEN ms_since_midnight_utc IS NULL THEN coalesce(day_of(moment)::TIMESTAMP, instant_of(moment))
      WHEN since_midnight BETWEEN 0 AND 86399999 AND midnight BETWEEN DATE '1900-01-01' AND $today::DATE + 1
        THEN midnight + to_milliseconds(since_midnight)
    END AS instant
  FROM venued
)
SELECT
  file,
  line,
  base_quote AS pair,
  instant::DATE AS date,
  instant AS start,
  length AS seconds,
  open_price AS open,
  high_price AS high,
  low_price AS low,
  close_price AS close,
  base_units AS volume,
  coalesce(
    CASE
      WHEN pair IS NULL THEN ['pair', 'missing: specify it with --pair', NULL]
      WHEN base_quote IS NULL THEN ['pair', 'not a pair with a known quote currency', pair]
      WHEN venues IS NULL AND has_several_venues
        THEN ['exchange', 'several venues for this pair: specify one with --exchange', exchange]
      WHEN venues IS NOT NULL AND exchange IS NULL THEN ['exchange', 'missing', NULL]
      WHEN is_none_preferred AND venues IS NOT NULL
        THEN ['exchange', 'none of the venues in --exchange is in the files', exchange]
    END,
    CASE
      WHEN ms_since_midnight_utc IS NULL AND moment IS NULL THEN ['date', 'missing', NULL]
      WHEN ms_since_midnight_utc IS NULL
        THEN day_fault(if(time IS NULL, 'date', 'time'), moment, instant::DATE, $today)
      WHEN day_fault('date', date, midnight, $today) IS NOT NULL THEN day_fault('date', date, midnight, $today)
      WHEN NOT regexp_full_match(ms_since_midnight_utc, '\d+') OR instant IS NULL
        THEN ['ms_since_midnight_utc', 'not a time of day in milliseconds', ms_since_midnight_utc]
    END,
    CASE
      WHEN length IS NULL THEN ['seconds', '--seconds is not a number of seconds', $seconds]
      -- Counted from a Monday, because weeks are.
      WHEN (epoch_us(instant) - epoch_us(TIMESTAMP '2000-01-03')) % (length * 1000000::BIGINT) <> 0
        THEN ['start', 'not a multiple of the candle length', instant::VARCHAR]
      WHEN lower($volume) NOT IN ('base', 'quote') THEN ['volume', '--volume is neither base nor quote', $volume]
    END,
    blank_fault('open', open),
    positive_fault('open', open, open_price),
    blank_fault('high', high),
    positive_fault('high', high, high_price),
    blank_fault('low', low),
    positive_fault('low', low, low_price),
    blank_fault('close', close),
    positive_fault('close', close, close_price),
    blank_fault('volume', volume),
    number_fault('volume', volume, units),
    CASE
      WHEN units < 0 THEN ['volume', 'below zero', volume]
      WHEN base_units IS NULL THEN ['volume', 'too large', volume]
      WHEN high_price < low_price THEN ['high', 'below the low', high]
    END
  ) AS fault
FROM timed
-- With --exchange, only candles of the first listed venue that has the pair.
WHERE venues IS NULL
  OR is_none_preferred
  OR exchange IS NULL
  OR base_quote IS NULL
  OR list_position(venues, venue) = preferred
