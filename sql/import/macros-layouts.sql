-- Macros of the rules of layouts: each converts a text of a file to the text that the formats read. A text that cannot
-- be converted is unchanged, so that the format rejects the row with this value.

-- The product of a number and 10 to the power of `places`, which is a text such as '-4'. Each argument of a macro is the element
-- of a list, because DuckDB plans an argument as often as the macro repeats it.
CREATE OR REPLACE TEMP MACRO shifted_number(x, places) AS list_transform(
  [x],
  lambda number: CASE
    WHEN regexp_full_match(number, '[-+]?\d+(\.\d*)?([eE][-+]?\d{1,2})?')
      THEN list_transform([without_exponent(number) || 'e' || places], lambda power: without_exponent(power))[1]
    ELSE number
  END
)[1];

-- A number with a letter for thousands, millions or thousand millions: 38.5K, 1.2M, 3B.
CREATE OR REPLACE TEMP MACRO abbreviated_number(number, letter) AS
  shifted_number(number, CASE upper(letter) WHEN 'K' THEN '3' WHEN 'M' THEN '6' ELSE '9' END);

-- $1,234.50, 12 %, 1.5M and (1,234) as -1234; thousands separators must be in the right places.
CREATE OR REPLACE TEMP MACRO us_number(x) AS coalesce(
  CASE
    WHEN regexp_full_match(x, '\(.*\)') THEN '-' || plain_number(x[2:-2])
    WHEN regexp_full_match(x, '[-+]?\$?[-+]?[\d.]+([eE][-+]?\d+) ?%?') THEN regexp_replace(x, '[$+% ]', '', 'g')
    WHEN regexp_full_match(x, '[-+]?\$?[\d.,]+ ?(?i:[kmb])')
      THEN abbreviated_number(plain_number(rtrim(x[:-2])), right(x, 1))
    ELSE plain_number(x)
  END,
  x
);

-- 1.234,50 and 1,5M with points or blanks between thousands.
CREATE OR REPLACE TEMP MACRO eu_number(x) AS
  CASE
    WHEN regexp_full_match(x, '[-+]?(\d+|\d{1,3}([. ]\d{3})+)(,\d*)?( ?[%€])?')
      THEN replace(regexp_replace(x, '[+. %€]', '', 'g'), ',', '.')
    WHEN regexp_full_match(x, '[-+]?(\d+|\d{1,3}([. ]\d{3})+)(,\d*)? ?(?i:[kmb])')
      THEN abbreviated_number(replace(regexp_replace(x[:-2], '[+. ]', '', 'g'), ',', '.'), right(x, 1))
    ELSE x
  END;

-- The product of a number of at most ten decimals and a decimal.
CREATE OR REPLACE TEMP MACRO multiplied_number(x, factor) AS
  CASE
    WHEN regexp_full_match(x, '[-+]?\d{1,18}(\.\d{0,10})?([eE][-+]?\d{1,2})?')
      THEN coalesce((TRY_CAST(without_exponent(x) AS DECIMAL(28, 10)) * factor)::VARCHAR, x)
    ELSE x
  END;

-- The instant (UTC) of a local time; NULL for a time skipped when daylight saving time starts. The hour that occurs
-- twice when it ends is read as standard time.
CREATE OR REPLACE TEMP MACRO zoned_instant(wall_clock, zone) AS
  CASE
    WHEN wall_clock AT TIME ZONE zone AT TIME ZONE zone = wall_clock
      THEN wall_clock AT TIME ZONE zone AT TIME ZONE 'UTC'
  END;

-- A time without a zone, with T or a blank: 2024-01-31 09:30, 2024-01-31T09:30:00.25.
CREATE OR REPLACE TEMP MACRO wall_clock_of(x) AS
  CASE
    WHEN regexp_full_match(x, '\d{4}-\d{2}-\d{2}[ T]([01]\d|2[0-3]):\d{2}') THEN TRY_CAST(x || ':00' AS TIMESTAMP)
    WHEN regexp_full_match(x, '\d{4}-\d{2}-\d{2}([ T]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?)?') THEN TRY_CAST(x AS TIMESTAMP)
  END;

-- The text of an instant (UTC).
CREATE OR REPLACE TEMP MACRO instant_text(instant) AS strftime(instant, '%Y-%m-%dT%H:%M:%S.%fZ');
