-- source: crypto_ohlc = ndjson
-- columns: pair, open, high, low, close, volume, start_time, timestamp
--
-- source: forex_rate = ndjson
-- columns: from, to, rate, bid, ask, last_refreshed, time_zone
--
-- source: economy = json
-- has: name, unit, interval, data
-- member: name; the indicator and, of a treasury yield, the maturity
-- member: interval; the interval of the points
-- member: data[]; points with date and value

-- dataset: crypto_candles
SELECT
  file,
  line,
  upper(pair) AS pair,
  instant_of(start_time)::DATE AS date,
  instant_of(start_time) AS start,
  date_diff('second', instant_of(start_time), instant_of(timestamp))::INTEGER AS seconds,
  TRY_CAST(half_even_text(open, 10) AS DECIMAL(18, 10)) AS open,
  TRY_CAST(half_even_text(high, 10) AS DECIMAL(18, 10)) AS high,
  TRY_CAST(half_even_text(low, 10) AS DECIMAL(18, 10)) AS low,
  TRY_CAST(half_even_text(close, 10) AS DECIMAL(18, 10)) AS close,
  TRY_CAST(half_even_text(volume, 8) AS DECIMAL(28, 8)) AS volume,
  coalesce(
    blank_fault('pair', pair),
    CASE
      WHEN NOT regexp_full_match(pair, '[A-Za-z0-9]{1,20}-[A-Za-z0-9]{1,20}')
        THEN ['pair', 'not BASE-QUOTE', pair]
    END,
    blank_fault('start_time', start_time),
    unread_fault('start_time', 'not a time', start_time, instant_of(start_time)),
    blank_fault('timestamp', timestamp),
    unread_fault('timestamp', 'not a time', timestamp, instant_of(timestamp)),
    CASE
      WHEN instant_of(timestamp) <= instant_of(start_time) THEN ['timestamp', 'not after start_time', timestamp]
    END,
    blank_fault('open', open),
    number_fault('open', open, TRY_CAST(half_even_text(open, 10) AS DECIMAL(18, 10))),
    blank_fault('high', high),
    number_fault('high', high, TRY_CAST(half_even_text(high, 10) AS DECIMAL(18, 10))),
    blank_fault('low', low),
    number_fault('low', low, TRY_CAST(half_even_text(low, 10) AS DECIMAL(18, 10))),
    blank_fault('close', close),
    number_fault('close', close, TRY_CAST(half_even_text(close, 10) AS DECIMAL(18, 10))),
    blank_fault('volume', volume),
    number_fault('volume', volume, TRY_CAST(half_even_text(volume, 8) AS DECIMAL(28, 8)))
  ) AS fault
FROM crypto_ohlc

-- dataset: fx_quotes
SELECT
  file,
  line,
  upper("from") AS base,
  upper("to") AS quote,
  instant_of(last_refreshed)::DATE AS date,
  instant_of(last_refreshed) AS time,
  TRY_CAST(half_even_text(rate, 10) AS DECIMAL(18, 10)) AS rate,
  TRY_CAST(half_even_text(bid, 10) AS DECIMAL(18, 10)) AS bid,
  TRY_CAST(half_even_text(ask, 10) AS DECIMAL(18, 10)) AS ask,
  coalesce(
    blank_fault('from', "from"),
    CASE WHEN NOT regexp_full_match("from", '[A-Za-z]{3}') THEN ['from', 'not a currency', "from"] END,
    blank_fault('to', "to"),
    CASE WHEN NOT regexp_full_match("to", '[A-Za-z]{3}') THEN ['to', 'not a currency', "to"] END,
    CASE WHEN upper("from") = upper("to") THEN ['to', 'the same currency', "to"] END,
    blank_fault('last_refreshed', last_refreshed),
    unread_fault('last_refreshed', 'not a time', last_refreshed, instant_of(last_refreshed)),
    blank_fault('rate', rate),
    number_fault('rate', rate, TRY_CAST(half_even_text(rate, 10) AS DECIMAL(18, 10))),
    number_fault('bid', bid, TRY_CAST(half_even_text(bid, 10) AS DECIMAL(18, 10))),
    number_fault('ask', ask, TRY_CAST(half_even_text(ask, 10) AS DECIMAL(18, 10)))
  ) AS fault
FROM forex_rate

-- dataset: economic_points
WITH indicators (name, indicator) AS (
  VALUES
    ('Real Gross Domestic Product', 'gdp'),
    ('Real Gross Domestic Product per Capita', 'gdp-per-capita'),
    ('Treasury Constant Maturity Rate', 'treasury-yield'),
    ('Effective Federal Funds Rate', 'fed-funds'),
    ('Consumer Price Index for all Urban Consumers', 'cpi'),
    ('Inflation - US Consumer Prices', 'inflation'),
    ('Advance Retail Sales: Retail Trade', 'retail-sales'),
    ('Manufacturer New Orders: Durable Goods', 'durables'),
    ('Unemployment Rate', 'unemployment'),
    ('Total Nonfarm Payroll', 'payrolls')
),
points AS (
  SELECT
    file,
    line,
    record ->> 'name' AS name,
    regexp_extract(name, '^(\d+-(Month|Year)) (.*)$', ['maturity', 'unit', 'name']) AS parts,
    record ->> 'interval' AS interval,
    unnest(record -> '$.data[*]') AS point,
    point ->> 'date' AS date,
    point ->> 'value' AS value
  FROM economy
)
SELECT
  file,
  line,
  indicator,
  lower(replace(parts.maturity, '-', '')) AS maturity,
  interval,
  day_of(date) AS date,
  TRY_CAST(half_even_text(value, 6) AS DECIMAL(18, 6)) AS value,
  coalesce(
    CASE WHEN indicator IS NULL THEN ['name', 'not an indicator of the API', points.name] END,
    CASE
      WHEN coalesce(interval NOT IN ('daily', 'weekly', 'monthly', 'quarterly', 'semiannual', 'annual'), true)
        THEN ['interval', 'not an interval', interval]
    END,
    day_fault('date', date, day_of(date), $today),
    number_fault('value', value, TRY_CAST(half_even_text(value, 6) AS DECIMAL(18, 6)))
  ) AS fault
FROM points
LEFT JOIN indicators ON indicators.name = coalesce(nullif(parts.name, ''), points.name)
