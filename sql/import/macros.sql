-- Macros shared by the import formats: conversions of text, and its faults. Each is defined before a format's mapping
-- runs, and may use those above it. A fault is NULL or [column, reason, value], so that a mapping's fault is the
-- coalesce of its columns' faults: the first that is not NULL.

-- Whether a text is a number in plain decimal notation. Macros test this first, because it is true of most numbers.
CREATE OR REPLACE TEMP MACRO is_plain_number(x) AS regexp_full_match(x, '-?\d+(\.\d+)?');

-- A text, or NULL if it is one of the texts that sources write for a missing value.
CREATE OR REPLACE TEMP MACRO present(x) AS
  CASE
    WHEN is_plain_number(x) THEN x
    WHEN regexp_full_match(trim(x), '(?i)|-+|\.|n/?a|none|null|nan|nil') THEN NULL
    ELSE trim(x)
  END;

-- A number with an exponent of up to two digits (-1.5e-3) in plain notation. Other text is unchanged.
CREATE OR REPLACE TEMP MACRO without_exponent(x) AS
  CASE
    WHEN (contains(x, 'e') OR contains(x, 'E')) AND regexp_full_match(x, '[-+]?(\d{1,99}\.?\d*|\.\d+)[eE][-+]?\d{1,2}')
      THEN list_transform(
        [regexp_extract(x, '^([-+]?)(\d*)\.?(\d*)[eE]([-+]?\d+)$', ['sign', 'whole', 'part', 'exponent'])],
        lambda number: concat(
          number.sign,
          left(
            repeat('0', 99) || number.whole || number.part || repeat('0', 99),
            99 + length(number.whole) + number.exponent::INTEGER
          ),
          '.',
          substr(
            repeat('0', 99) || number.whole || number.part || repeat('0', 99),
            100 + length(number.whole) + number.exponent::INTEGER
          )
        )
      )[1]
    ELSE x
  END;

-- A formatted number ($1,234.50, "1,234", 12 %, 1.5e-3) in plain decimal notation; NULL if invalid. Thousands
-- separators must be in the right places.
CREATE OR REPLACE TEMP MACRO plain_number(x) AS
  CASE
    WHEN is_plain_number(x) THEN x
    WHEN regexp_full_match(trim(x), '[-+]?\$?[-+]?(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?([eE][-+]?\d{1,2})? ?%?')
      AND regexp_matches(x, '^[^eE]*\d')
      THEN without_exponent(regexp_replace(regexp_replace(trim(x), '([eE])\+', '\1'), '[$,+% ]', '', 'g'))
  END;

-- A number, as text that a cast to `places` decimals rounds half to even; `places` is a literal of at least 1. The cast
-- alone would round half away from zero. So if the number is half-way between two values and the digit at the last place
-- is even, the 5 after it is removed.
CREATE OR REPLACE TEMP MACRO half_even_plain(x, places) AS
  CASE
    WHEN strlen(x) - strpos(x, '.') <= places OR NOT ends_with(rtrim(x, '0'), '5') THEN x
    ELSE regexp_replace(x, '(\.\d{' || (places - 1) || '}[02468])50*$', '\1')
  END;
CREATE OR REPLACE TEMP MACRO half_even_text(x, places) AS
  CASE
    -- Bound once, because a macro repeats its argument.
    WHEN contains(x, 'e') OR contains(x, 'E')
      THEN list_transform([without_exponent(x)], lambda plain: half_even_plain(plain, places))[1]
    ELSE half_even_plain(x, places)
  END;

-- A whole number, also with an exponent (1e3); NULL if invalid or too large.
CREATE OR REPLACE TEMP MACRO whole_of(x) AS
  TRY_CAST(if(contains(x, 'e') OR contains(x, 'E'), without_exponent(x), x) AS BIGINT);

-- The date of 2024-01-31, with or without midnight as the time; NULL if invalid.
CREATE OR REPLACE TEMP MACRO day_of(x) AS
  CASE
    WHEN regexp_full_match(x, '\d{4}-\d{2}-\d{2}') THEN TRY_CAST(x AS DATE)
    WHEN regexp_full_match(trim(x), '\d{4}-\d{2}-\d{2}([ T]00:00:00(\.0+)?Z?)?') THEN TRY_CAST(left(trim(x), 10) AS DATE)
  END;

-- Whether a text is a date without a time.
CREATE OR REPLACE TEMP MACRO is_date_text(x) AS coalesce(regexp_full_match(trim(x), '\d{4}-\d{2}-\d{2}'), false);

-- The date of 1/31/2024 or 01/31/2024; NULL if invalid.
CREATE OR REPLACE TEMP MACRO us_day_of(x) AS
  CASE
    WHEN regexp_full_match(trim(x), '\d{1,2}/\d{1,2}/\d{4}') THEN TRY_STRPTIME(trim(x), '%m/%d/%Y')::DATE
  END;

-- The instant (UTC) of New York local time; NULL for a time skipped when daylight saving time starts. The hour that
-- occurs twice when it ends is read as standard time.
CREATE OR REPLACE TEMP MACRO new_york_instant(wall_clock) AS
  CASE
    WHEN wall_clock AT TIME ZONE 'America/New_York' AT TIME ZONE 'America/New_York' = wall_clock
      THEN make_timestamp(epoch_us(wall_clock AT TIME ZONE 'America/New_York'))
  END;

-- A UUID of version 5 (RFC 9562) in the URL namespace, of a name such as 'congress trade|…'.
CREATE OR REPLACE TEMP MACRO name_digest(name) AS
  sha1(unhex('6ba7b8119dad11d180b400c04fd430c8') || encode('tapehouse:' || name));
-- In a lambda, so that the digest is computed once, also within a CASE.
CREATE OR REPLACE TEMP MACRO uuid_named(name) AS list_transform(
  [name_digest(name)],
  lambda digest: concat(
    left(digest, 12),
    '5',
    digest[14:16],
    hex((('0x' || digest[17:18])::UTINYINT & 63) | 128),
    digest[19:32]
  )::UUID
)[1];

CREATE OR REPLACE TEMP MACRO blank_fault(name, x) AS CASE WHEN x IS NULL THEN [name, 'missing', NULL] END;

-- A required date: `x` as written, `day` as converted, from 1900 to the day after `today`.
CREATE OR REPLACE TEMP MACRO day_fault(name, x, day, today) AS
  CASE
    WHEN x IS NULL THEN [name, 'missing', NULL]
    WHEN day IS NULL THEN [name, 'not a date', x]
    WHEN day NOT BETWEEN DATE '1900-01-01' AND today::DATE + 1 THEN [name, 'before 1900 or in the future', x]
  END;

-- The same for a date in the form 2024-01-31 only: text of that form that is not a date has its own reason.
CREATE OR REPLACE TEMP MACRO written_day_fault(name, x, day, today) AS
  CASE
    WHEN NOT regexp_full_match(x, '\d{4}-\d{2}-\d{2}( 00:00:00)?') THEN [name, 'not a date YYYY-MM-DD', x]
    WHEN x IS NOT NULL AND day IS NULL THEN [name, 'invalid date', x]
    ELSE day_fault(name, x, day, today)
  END;

-- A number: `x` as written (blank is NULL), also with an exponent (1e-05), `value` as converted to the column's type.
-- DuckDB's casts alone would accept 0x10 and 1_000 as well.
CREATE OR REPLACE TEMP MACRO number_fault(name, x, value) AS
  CASE
    WHEN NOT regexp_full_match(x, '-?\d+(\.\d+)?([eE][-+]?\d{1,2})?') THEN [name, 'not a plain decimal number', x]
    WHEN x IS NOT NULL AND value IS NULL THEN [name, 'too large', x]
  END;

-- A number above zero; blank is NULL.
CREATE OR REPLACE TEMP MACRO positive_fault(name, x, value) AS
  CASE
    WHEN number_fault(name, x, value) IS NOT NULL THEN number_fault(name, x, value)
    WHEN value <= 0 THEN [name, 'not above zero', x]
  END;

-- Whether a text is a number of shares in the ratio of a split.
CREATE OR REPLACE TEMP MACRO is_share_count(x) AS
  coalesce(regexp_full_match(x, '\d{1,6}(\.\d{1,6})?') AND regexp_matches(x, '[1-9]'), false);

-- A non-negative whole number; blank is NULL.
CREATE OR REPLACE TEMP MACRO count_fault(name, x, value) AS
  CASE
    WHEN regexp_full_match(x, '\d+') AND value >= 0 THEN NULL
    WHEN NOT regexp_full_match(x, '-?\d+(\.\d+)?([eE][-+]?\d{1,2})?') THEN [name, 'not a plain decimal number', x]
    WHEN NOT regexp_full_match(without_exponent(x), '-?\d+(\.0*)?') THEN [name, 'not a whole number', x]
    WHEN x IS NOT NULL AND value IS NULL THEN [name, 'too large', x]
    WHEN value < 0 THEN [name, 'below zero', x]
  END;

-- A number in plain notation rounded to a whole one, half to even; other text is unchanged.
CREATE OR REPLACE TEMP MACRO whole_text(x) AS
  CASE
    WHEN contains(x, '.') AND regexp_full_match(x, '\d{1,18}\.\d+')
      THEN (
        split_part(x, '.', 1)::BIGINT
        + CASE
          WHEN regexp_full_match(split_part(x, '.', 2), '50*') THEN split_part(x, '.', 1)::BIGINT % 2
          ELSE (split_part(x, '.', 2)[1] >= '5')::BIGINT
        END
      )::VARCHAR
    ELSE x
  END;

-- A warning about a row that is kept without an invalid value, written like a fault; NULL unless `wrong`.
CREATE OR REPLACE TEMP MACRO note(name, reason, x, wrong) AS CASE WHEN wrong THEN [name, reason, x] END;

-- Warnings about a bar, as written and as converted: a price outside high and low, and a date after `today`. NULL
-- without any.
CREATE OR REPLACE TEMP MACRO bar_warnings(
  open, high, low, close, open_price, high_price, low_price, close_price, day_name, written_day, day, today, volume, shares
) AS
  CASE
    WHEN open_price > high_price OR open_price < low_price
      OR close_price > high_price OR close_price < low_price
      OR day > today::DATE
      OR shares < 0
      THEN [
        note('open', 'above the high', open, open_price > high_price),
        note('open', 'below the low', open, open_price < low_price),
        note('close', 'above the high', close, close_price > high_price),
        note('close', 'below the low', close, close_price < low_price),
        note(day_name, 'in the future', written_day, day > today::DATE),
        note('volume', 'below zero: left out', volume, shares < 0)
      ]
  END;

-- The character of &amp; and similar names, and of &#8217; or &#x2019;; other text is unchanged.
CREATE OR REPLACE TEMP MACRO entity_text(x) AS coalesce(
  CASE
    WHEN regexp_full_match(x, '&#\d{1,7};') THEN TRY(chr(x[3:-2]::INTEGER))
    WHEN regexp_full_match(x, '(?i)&#x[0-9a-f]{1,6};') THEN TRY(chr(('0x' || x[4:-2])::INTEGER))
    WHEN regexp_full_match(x, '&\w+;')
      THEN MAP {
        'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', 'apos': '''', 'nbsp': ' ', 'hellip': '…', 'bull': '•',
        'ndash': '–', 'mdash': '—', 'lsquo': '‘', 'rsquo': '’', 'ldquo': '“', 'rdquo': '”', 'eacute': 'é',
        'ccedil': 'ç', 'ouml': 'ö', 'uuml': 'ü', 'copy': '©', 'reg': '®', 'trade': '™', 'euro': '€', 'pound': '£'
      }[x[2:-2]]
  END,
  x
);

-- The text of a piece of HTML, NULL if there is none: blocks and <br> become line breaks, other tags are removed,
-- entities are decoded once, no-break spaces become blanks. A `<` that does not begin a tag is kept.
CREATE OR REPLACE TEMP MACRO html_text(x) AS nullif(
  regexp_replace(
    replace(
      array_to_string(
        list_transform(
          regexp_extract_all(
            regexp_replace(
              regexp_replace(
                replace(x, E'\r\n', E'\n'),
                '(?i)</?(br|p|div|li|ul|ol|tr|table|blockquote|h[1-6])(\s[^<>]*)?/?>',
                E'\n',
                'g'
              ),
              '(?i)</?(a|abbr|b|code|em|font|i|img|s|small|span|strong|sub|sup|td|th|u)(\s[^<>]*)?/?>',
              '',
              'g'
            ),
            '&#?\w{1,10};|[^&]+|&'
          ),
          lambda token: entity_text(token)
        ),
        ''
      ),
      chr(160),
      ' '
    ),
    '^\s+|\s+$',
    '',
    'g'
  ),
  ''
);

-- The instant (UTC) of 2024-01-31 09:30:00.25Z, with T or a blank, with Z, an offset (-05:00) or neither, which means
-- UTC; also of 2024-01-31 09:30. Also of a number since 1970: seconds, or from 1e11, 1e14 and 1e17 on milliseconds,
-- microseconds and nanoseconds. Rounded down to the microsecond; NULL if invalid. 202401310930 is a date and a time, not
-- milliseconds of 1976, and has no form that is read.
CREATE OR REPLACE TEMP MACRO instant_of(x) AS
  CASE
    -- Most have this form, and a TIMESTAMP is read in a fifth of the time of one with a zone.
    WHEN regexp_full_match(x, '\d{4}-\d{2}-\d{2}[ T]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?Z?') THEN TRY_CAST(x AS TIMESTAMP)
    WHEN regexp_full_match(x, '\d{4}-\d{2}-\d{2}[ T]([01]\d|2[0-3]):\d{2}') THEN TRY_CAST(x || ':00' AS TIMESTAMP)
    WHEN regexp_full_match(x, '\d{4}-\d{2}-\d{2}[ T]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d{1,9})?( ?Z| ?UTC|[-+]\d{2}(:?\d{2})?)?')
      THEN TRY_CAST(regexp_replace(x, ' ?(Z|UTC)$', 'Z') AS TIMESTAMPTZ) AT TIME ZONE 'UTC'
    WHEN regexp_full_match(x, '\d{9,11}(\.\d{1,9})?')
      THEN make_timestamp(floor(half_even_text(x, 9)::DECIMAL(20, 9) * 1000000)::BIGINT)
    WHEN regexp_full_match(x, '(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d') THEN NULL
    WHEN regexp_full_match(x, '\d{12,14}') THEN make_timestamp(x::BIGINT * 1000)
    WHEN regexp_full_match(x, '\d{15,17}') THEN make_timestamp(x::BIGINT)
    WHEN regexp_full_match(x, '\d{18}|[1-8]\d{18}') THEN make_timestamp(x::BIGINT // 1000)
  END;

-- Whether a text is a date and a time of day without a zone.
CREATE OR REPLACE TEMP MACRO is_without_zone(x) AS
  coalesce(regexp_full_match(x, '\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?'), false);

-- The date of Dec 06, 2024, December 6, 2024 or 06-Dec-2024; NULL if invalid.
CREATE OR REPLACE TEMP MACRO spelled_day_of(x) AS
  TRY_STRPTIME(trim(x), ['%b %d, %Y', '%B %d, %Y', '%d-%b-%Y', '%d %b %Y'])::DATE;

-- The date of all these spellings, and of 20240131.
CREATE OR REPLACE TEMP MACRO any_day_of(x) AS coalesce(
  day_of(x),
  us_day_of(x),
  spelled_day_of(x),
  CASE WHEN regexp_full_match(trim(x), '\d{8}') THEN TRY_STRPTIME(trim(x), '%Y%m%d')::DATE END
);

-- Such a date in the form 2024-01-31; other text is unchanged.
CREATE OR REPLACE TEMP MACRO any_day_text(x) AS coalesce(any_day_of(x)::VARCHAR, x);
