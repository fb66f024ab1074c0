-- crypto-bars: candles of cryptocurrency pairs, of one minute, one day or another length
-- address: https://github.com/QuantConnect/Lean/tree/master/Data/crypto
-- address: https://finance.yahoo.com/quote/BTC-USD/history
-- expects: a header and one row per candle; all times are UTC
-- expects: the pair in a column, otherwise in --pair, otherwise as the name of the file, e.g. Yahoo's BTC-USD.csv
-- expects: the length of the candles in a column, as an end of each candle, or as the smallest distance between the starts of one pair in the file; a date without a time is a day, or a week if the dates are weeks apart; a single candle with a time needs --seconds
-- expects: a file with candles of several lengths has them in a column; otherwise the pairs of one length are imported, a length that is not the shortest only with 24 candles, and the other rows are rejected: import each length with its --seconds
-- expects: midnight as a time is a time, and says nothing about the length
-- expects: a volume column whose unit its name or a second volume column shows; otherwise the unit is the one that is plausible: the pair's median volume of a day is between a million and a trillion dollars if it is in the quote currency, and worth at most a trillion dollars if it is in the base currency. If both are plausible, specify --volume
-- expects: candles with volumes; prices of moments, such as CoinGecko's market_chart and its CSV, and CoinGecko's OHLC, which has no volume, are not imported
-- expects: candles of one venue per pair, because candles in the lake have no venue; if a pair has several, specify one with --exchange
-- expects: with --exchange, only candles of the first listed venue that has the pair are imported
-- option: pair = pair of files that do not contain it, e.g. BTC-USD
-- option: exchange = venue to import, or several, separated by commas: each pair is imported from the first that has it
-- option: seconds = length of the candles in seconds, e.g. 3600
-- option: volume = unit of the volumes: base, or quote (divided by the mean of high, low and close)
-- rejects: a pair with several venues at one length without --exchange, and a missing venue with --exchange
-- rejects: an invalid pair, and a pair without a separator that does not end in a known quote currency
-- rejects: a start that is missing, invalid, before 1900, in the future or not a multiple of the length
-- rejects: a length that is neither in the file nor in --seconds, and a pair with candles of several lengths without a column for it
-- rejects: a price that is missing, zero, negative or at least 100,000,000; a high below the low; an invalid volume
-- keeps: an open or a close that is not between low and high, and a start in the future, with a warning
--
-- source: candles = csv, ndjson, parquet
-- needs: time or date
-- optional: exchange = exchange, venue; any case
-- optional: pair = pair, symbol, market; BTC-USD, BTC/USD, BTC_USD or BTCUSD, becomes BTC-USD; XBT becomes BTC
-- optional: date = date, day; YYYY-MM-DD, with or without a time
-- optional: ms_since_midnight_utc = ms_since_midnight_utc; with date becomes start
-- optional: time = start, timestamp, time, datetime, open time, open_time, unix; ISO 8601 or since 1970, UTC unless it has an offset, becomes start
-- optional: end_time = close time, close_time, end, end time, end_time; end of the candle, or the last moment in it; with start becomes seconds
-- optional: interval = interval, timeframe, time frame, period, resolution, bar, candle; length, e.g. 1m, 15min, 1h, 4 hours, 1d, 1w
-- optional: seconds = seconds, granularity; length in seconds
-- column: open = open
-- column: high = high
-- column: low = low
-- column: close = close
-- optional: volume = volume, vol
-- optional: base_volume = volume base, volume_base, base volume, base_volume, volumefrom, volume_(btc), volume (btc); in the base currency
-- optional: quote_volume = volume quote, volume_quote, quote volume, quote_volume, quote asset volume, quote_asset_volume, quotevolume, volumeto, volume_(currency), volume (currency), volume usd, volume_usd, volume (usd), volume usdt, volume_usdt, volume (usdt), turnover, amount; in the quote currency, divided by the mean of high, low and close if the file has no other
--
-- Prices are rounded to ten decimals and volumes to eight, the precision of the lake.
-- A pair in one word ends in the longest known quote currency: BTCBUSD is BTC-BUSD, not BTCB-USD. But USD is not a base
-- currency: USDTUSD is USDT-USD, not USD-TUSD.
-- step: quotes
SELECT *
FROM (
  VALUES
    -- Currencies, stablecoins and coins that exchanges use as quote currencies, and about how many are worth a dollar.
    ('USD', 1), ('EUR', 1), ('GBP', 1), ('JPY', 100), ('CHF', 1), ('CAD', 1), ('AUD', 1), ('NZD', 1), ('SGD', 1),
    ('HKD', 10), ('KRW', 1000), ('TRY', 10), ('BRL', 5), ('MXN', 20), ('ARS', 1000), ('ZAR', 20), ('PLN', 4),
    ('CZK', 20), ('RON', 5), ('UAH', 40), ('RUB', 100), ('INR', 100), ('IDR', 10000), ('THB', 40), ('NGN', 1000),
    ('AED', 4), ('USDT', 1), ('USDC', 1), ('BUSD', 1), ('TUSD', 1), ('FDUSD', 1), ('USDP', 1), ('GUSD', 1),
    ('PYUSD', 1), ('USDE', 1), ('USD1', 1), ('DAI', 1), ('BTC', 0.0001), ('XBT', 0.0001), ('ETH', 0.001),
    ('BNB', 0.01), ('TRX', 10), ('XRP', 1), ('DOGE', 10), ('SOL', 0.01)
) AS known (quote, per_dollar)
-- step: typed_candles
WITH
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
-- Of a pair in one word, the longest quote currency that leaves a base other than the dollar. The last letter of some
-- coins could belong to the quote currency: BNBUSD is BNB-USD, not BN-BUSD. XBT and XDG are BTC and DOGE.
pairs AS (
  SELECT
    pair,
    regexp_replace(
      regexp_replace(
        CASE
          WHEN regexp_full_match(pair, '[A-Za-z0-9]{1,16}[-/_][A-Za-z0-9]{1,16}')
            THEN upper(regexp_replace(pair, '[/_]', '-'))
          WHEN regexp_full_match(pair, '[A-Za-z0-9]{2,32}')
            THEN arg_max(upper(left(pair, len(pair) - len(quote))) || '-' || quote, len(quote))
        END,
        '\bXBT\b',
        'BTC'
      ),
      '\bXDG\b',
      'DOGE'
    ) AS base_quote
  FROM (SELECT DISTINCT pair FROM spelled WHERE pair IS NOT NULL)
  LEFT JOIN quotes
    ON ends_with(upper(pair), quote)
    AND upper(left(pair, len(pair) - len(quote))) NOT IN ('', 'USD')
    AND NOT (
      quote IN ('TUSD', 'BUSD', 'GUSD')
      AND upper(left(pair, len(pair) - 3)) IN (
        'ACT', 'ANT', 'APT', 'ARB', 'BAT', 'BNB', 'BNT', 'CKB', 'DOG', 'DOT', 'GMT', 'GRT', 'GST', 'HOT', 'JST', 'LPT',
        'MNT', 'MOG', 'NFT', 'NMT', 'OG', 'OXT', 'PNUT', 'QNT', 'SHIB', 'SNT', 'STPT', 'TRB', 'VET', 'XBT'
      )
    )
  GROUP BY pair
)
SELECT
  spelled.*,
  base_quote,
  ms_since_midnight_utc IS NULL AND is_date_text(moment) AS is_date,
  day_of(date) AS midnight,
  TRY_CAST(ms_since_midnight_utc AS BIGINT) AS since_midnight,
  CASE
    WHEN is_date THEN day_of(moment)::TIMESTAMP
    WHEN ms_since_midnight_utc IS NULL THEN instant_of(moment)
    WHEN since_midnight BETWEEN 0 AND 86399999 AND midnight BETWEEN DATE '1900-01-01' AND $today::DATE + 1
      THEN midnight + to_milliseconds(since_midnight)
  END AS instant,
  CASE
    WHEN $seconds IS NOT NULL THEN whole_seconds($seconds)
    WHEN seconds IS NOT NULL THEN whole_seconds(seconds)
    WHEN interval IS NOT NULL THEN interval_seconds(interval)
    -- The last moment may be a millisecond or a microsecond before the end.
    WHEN end_time IS NOT NULL THEN ceil(epoch(instant_of(end_time) - instant))::INTEGER
  END AS stated_length,
  coalesce($seconds, seconds, interval, end_time) IS NOT NULL AS is_stated,
  TRY_CAST(half_even_text(open, 10) AS DECIMAL(18, 10)) AS open_price,
  TRY_CAST(half_even_text(high, 10) AS DECIMAL(18, 10)) AS high_price,
  TRY_CAST(half_even_text(low, 10) AS DECIMAL(18, 10)) AS low_price,
  TRY_CAST(half_even_text(close, 10) AS DECIMAL(18, 10)) AS close_price,
  coalesce(base_volume, volume, quote_volume) AS volume_text,
  TRY_CAST(half_even_text(volume_text, 8) AS DECIMAL(28, 8)) AS units
FROM spelled
LEFT JOIN pairs USING (pair)
