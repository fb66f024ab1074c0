-- Macros for the lengths of bars.

-- A number of seconds, at most about three years; NULL if invalid.
CREATE OR REPLACE TEMP MACRO whole_seconds(x) AS
  CASE WHEN regexp_full_match(x, '[1-9]\d{0,7}(\.0+)?') THEN split_part(x, '.', 1)::INTEGER END;

-- The seconds of a length as sources write it: 1m, 15min, 1 hour, 4h, 1d, daily, 1w, MINUTE_5, PT1H; NULL if invalid. A
-- month has no fixed length. 1M is a month in every source that also writes 1m.
CREATE OR REPLACE TEMP MACRO unit_seconds(unit) AS MAP {
  's': 1, 'sec': 1, 'secs': 1, 'second': 1, 'seconds': 1,
  'm': 60, 't': 60, 'min': 60, 'mins': 60, 'minute': 60, 'minutes': 60, 'minutely': 60,
  'h': 3600, 'hr': 3600, 'hrs': 3600, 'hour': 3600, 'hours': 3600, 'hourly': 3600,
  'd': 86400, 'day': 86400, 'days': 86400, 'daily': 86400,
  'w': 604800, 'wk': 604800, 'week': 604800, 'weeks': 604800, 'weekly': 604800
}[unit];
CREATE OR REPLACE TEMP MACRO interval_seconds(x) AS
  CASE
    WHEN regexp_full_match(trim(x), '\d+ ?M') THEN NULL
    WHEN regexp_full_match(trim(x), '[1-9]\d{0,3}[ _-]?[A-Za-z]+')
      THEN regexp_extract(trim(x), '^\d+')::INTEGER * unit_seconds(lower(regexp_extract(trim(x), '[A-Za-z]+$')))
    WHEN regexp_full_match(trim(x), '[A-Za-z]+[ _-]?[1-9]\d{0,3}')
      THEN regexp_extract(trim(x), '\d+$')::INTEGER * unit_seconds(lower(regexp_extract(trim(x), '^[A-Za-z]+')))
    WHEN regexp_full_match(trim(x), '(?i)P(\d{1,4}[DW]|T\d{1,4}[SMH])')
      THEN regexp_extract(x, '\d+')::INTEGER * unit_seconds(lower(right(trim(x), 1)))
    ELSE unit_seconds(lower(trim(x)))
  END;

-- The instant of a daily bar with a time in a zone; NULL for a date alone.
CREATE OR REPLACE TEMP MACRO daily_bar_instant(x) AS
  CASE
    WHEN strlen(x) = 10 AND contains(x, '-') THEN NULL
    WHEN is_without_zone(x) THEN NULL
    ELSE instant_of(x)
  END;

-- The date of a daily bar, as written and as that instant; NULL if it is a time within the day.
CREATE OR REPLACE TEMP MACRO daily_bar_day(x, instant) AS coalesce(
  day_of(x),
  CASE
    WHEN instant::TIME = TIME '00:00' THEN instant::DATE
    WHEN (instant AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York')::TIME IN (TIME '00:00', TIME '09:30')
      OR (instant AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York')::TIME >= TIME '16:00'
      THEN (instant AT TIME ZONE 'UTC' AT TIME ZONE 'America/New_York')::DATE
  END
);

-- Whether all starts of bars have the same remainder by 2, 3 or 5 minutes: the least and the most of each remainder.
CREATE OR REPLACE TEMP MACRO are_apart(least, most) AS
  least[1] = most[1] OR least[2] = most[2] OR least[3] = most[3];
