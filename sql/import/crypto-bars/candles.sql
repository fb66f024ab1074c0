-- The length of the candles and the unit of their volumes, then the candles.
-- dataset: crypto_candles
WITH
-- Distances between the starts of one pair, in seconds, and how often a distance follows the same distance.
distances AS (
  SELECT
    file,
    base_quote,
    venue,
    is_date,
    distance,
    count(*) AS number,
    count(*) FILTER (distance = distance_before) AS repeated
  FROM (
    SELECT
      *,
      date_diff('second', lag(instant) OVER starts, instant) AS distance,
      date_diff('second', lag(instant, 2) OVER starts, lag(instant) OVER starts) AS distance_before
    FROM typed_candles
    WHERE NOT is_stated AND instant IS NOT NULL
    WINDOW starts AS (PARTITION BY file, base_quote, venue, is_date ORDER BY instant)
  )
  WHERE distance > 0
  GROUP BY ALL
),
-- The smallest distance of a pair and of its file that is not an exception.
counted AS (
  SELECT
    *,
    sum(number) OVER pairs AS pair_number,
    sum(number) OVER files AS file_number,
    sum(number) OVER (PARTITION BY file, is_date, distance) AS same_number
  FROM distances
  WINDOW
    pairs AS (PARTITION BY file, base_quote, venue, is_date),
    files AS (PARTITION BY file, is_date)
),
spaced AS (
  SELECT
    *,
    min(distance) FILTER (20 * number >= pair_number) OVER (PARTITION BY file, base_quote, venue, is_date) AS pair_length,
    min(distance) FILTER (20 * same_number >= file_number) OVER (PARTITION BY file, is_date) AS file_length
  FROM counted
),
-- Sparse minutes have larger distances too, but seldom the same one twice in a row; candles of another length have.
pair_lengths AS (
  SELECT
    file,
    base_quote,
    venue,
    is_date,
    any_value(pair_length) AS pair_length,
    any_value(file_length) AS file_length,
    any_value(pair_number) AS pair_number,
    bool_and(distance % file_length = 0) AS is_even,
    -- The distances are those of candles of the pair's own length, whatever the other pairs of the file have.
    any_value(pair_number) >= 3
      AND bool_and(distance % pair_length = 0)
      AND 2 * sum(number) FILTER (distance = pair_length) >= any_value(pair_number) AS is_own,
    max(distance) FILTER (
      repeated >= 2 AND (distance < pair_length OR distance > pair_length AND 10 * repeated > pair_number)
    ) AS other_length
  FROM spaced
  GROUP BY ALL
),
file_lengths AS (
  SELECT
    file,
    is_date,
    any_value(file_length) AS file_length,
    coalesce(
      max(other_length),
      max(pair_length) FILTER (is_own AND pair_length <> file_length)
    ) AS other_length,
    bool_and(is_even) AS is_even,
    max(pair_number) AS number
  FROM pair_lengths
  GROUP BY ALL
),
-- A pair of one length is taken from a file of several; one of another length than most needs a day of hours to show it.
uniform_pairs AS (
  SELECT
    file,
    base_quote,
    venue,
    is_date,
    pair_length
  FROM pair_lengths
  WHERE other_length IS NULL
    AND is_own
    AND (pair_length = file_length OR pair_number >= 23)
),
measured AS (
  SELECT
    typed_candles.*,
    found.other_length IS NOT NULL AND pair_length IS NULL AS is_mixed,
    -- The file's length is that of its pairs with few candles, too.
    if(found.other_length IS NULL, found.file_length, pair_length) AS found_length,
    CASE
      WHEN is_stated THEN stated_length
      WHEN is_mixed THEN NULL
      -- A single date. Two dates that are not consecutive may be days with others missing.
      WHEN is_date AND found_length IS NULL THEN 86400
      WHEN found_length IN (
        1, 5, 10, 15, 30, 60, 120, 180, 300, 600, 900, 1800, 2700, 3600, 7200, 10800, 14400, 21600, 28800, 43200, 86400
      )
        OR found_length = 604800 AND (is_even OR pair_length IS NOT NULL)
        OR found_length = 259200 AND (is_even OR pair_length IS NOT NULL) AND number >= 3
        THEN found_length::INTEGER
    END AS length,
    CASE
      WHEN $seconds IS NOT NULL AND length IS NULL THEN ['seconds', '--seconds is not a number of seconds', $seconds]
      WHEN is_stated AND NOT coalesce(length > 0, false)
        THEN ['seconds', 'not a length of candles: specify it with --seconds', coalesce(seconds, interval, end_time)]
      WHEN is_mixed
        THEN [
          'seconds',
          'candles of several lengths in one file: import each length apart, with its --seconds',
          concat(found.file_length, ' and ', found.other_length)
        ]
      WHEN length IS NULL
        THEN ['seconds', 'the length of the candles is unknown: specify it with --seconds, e.g. --seconds 60', moment]
    END AS length_fault
  FROM typed_candles
  LEFT JOIN file_lengths AS found USING (file, is_date)
  LEFT JOIN uniform_pairs AS own
    ON own.file = typed_candles.file
    AND own.is_date = typed_candles.is_date
    AND own.base_quote = typed_candles.base_quote
    AND own.venue IS NOT DISTINCT FROM typed_candles.venue
),
-- Venues conflict if they have candles of the same pair and length.
venued AS (
  SELECT
    *,
    min(list_position(venues, venue)) OVER (PARTITION BY base_quote, length) AS preferred,
    max(list_position(venues, venue)) OVER () IS NULL AS is_none_preferred,
    min(coalesce(venue, '')) OVER (PARTITION BY base_quote, length)
      <> max(coalesce(venue, '')) OVER (PARTITION BY base_quote, length) AS has_several_venues
  FROM measured
),
-- Whether the volumes of a pair may be in either currency, by the median of a day in dollars. LEAN's are of exchanges,
-- which count coins.
volumes AS (
  SELECT
    file,
    base_quote,
    CASE
      WHEN lower($volume) IN ('base', 'quote') THEN lower($volume)
      WHEN count(base_volume) > 0 THEN 'base'
      WHEN count(volume) = 0 THEN 'quote'
      WHEN count(quote_volume) > 0 OR count(ms_since_midnight_utc) > 0 THEN 'base'
      WHEN median(units::DOUBLE * 86400.0 / length / coalesce(per_dollar, 1)) = 0 THEN 'base'
      WHEN median(units::DOUBLE * 86400.0 / length / coalesce(per_dollar, 1)) NOT BETWEEN 1e6 AND 1e12
        THEN if(median(units::DOUBLE * close_price * 86400.0 / length / coalesce(per_dollar, 1)) <= 1e12, 'base', NULL)
      WHEN median(units::DOUBLE * close_price * 86400.0 / length / coalesce(per_dollar, 1)) > 1e12 THEN 'quote'
    END AS unit
  FROM measured
  LEFT JOIN quotes ON quote = split_part(base_quote, '-', 2)
  GROUP BY ALL
),
valued AS (
  SELECT
    venued.*,
    CASE
      WHEN unit = 'quote'
        THEN TRY_CAST(half_even(3 * units / nullif(high_price + low_price + close_price, 0), 8) AS DECIMAL(28, 8))
      ELSE units
    END AS base_units,
    unit
  FROM venued
  LEFT JOIN volumes USING (file, base_quote)
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
      WHEN length_fault IS NOT NULL THEN length_fault
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
    blank_fault('volume', volume_text),
    number_fault('volume', volume_text, units),
    CASE
      WHEN units < 0 THEN ['volume', 'below zero', volume_text]
      WHEN unit IS NULL
        THEN ['volume', 'of coins or of the quote currency: specify --volume base or --volume quote', volume_text]
      WHEN base_units IS NULL THEN ['volume', 'too large', volume_text]
      WHEN high_price < low_price THEN ['high', 'below the low', high]
    END
  ) AS fault,
  bar_warnings(open, high, low, close, open_price, high_price, low_price, close_price, 'start', moment, instant::DATE, $today, NULL, NULL::BIGINT)
    AS warnings
FROM valued
-- With --exchange, only candles of the first listed venue that has the pair.
WHERE venues IS NULL
  OR is_none_preferred
  OR exchange IS NULL
  OR base_quote IS NULL
  OR list_position(venues, venue) = preferred
