-- fx-rates: exchange rates, one row per pair and time, or one row per date with a column for each currency
-- address: https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip
-- address: https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata
-- expects: the ECB's reference rates: Date and one column per currency, in units of it per euro; N/A means no rate
-- expects: or the ECB's reference rates as XML, of one day or of several: eurofxref-daily.xml, eurofxref-hist.xml
-- expects: or columns base, quote, time, and rate or bid and ask, as in the ECB's data portal and other sources
-- expects: a date without a time means 15:00 UTC, that is 16:00 CET, when the ECB publishes its rates; so does a time of midnight, if all times of the file are midnight
-- expects: a time without an offset is UTC
-- expects: the rate of a candle, whose row has its start and its length, is from its end; that of a day or longer is from its last second, so that it keeps its date
-- option: base = base currency, if the file does not contain it. Default: EUR
-- rejects: a date or time that is invalid, before 1900 or in the future
-- rejects: a length of a candle that is not a number of seconds
-- rejects: a currency that is not a three-letter code, or a pair of the same currency
-- rejects: a rate that is missing, not above zero, or 100,000,000 or more
-- keeps: a rate whose bid and ask are invalid (only one of them, a bid above the ask, not numbers), without them
-- keeps: a rate that is not between its bid and ask; the midpoint is stored
--
-- source: rates = csv, ndjson, parquet
-- needs: quote, rate or quote, bid, ask or usd or jpy or bgn or cyp or czk or dkk or eek or gbp or grd or huf or ltl or lvl or mtl or pln or rol or ron or sek or sit or skk or chf or isk or nok or hrk or rub or trl or try or aud or brl or cad or cny or hkd or idr or ils or inr or krw or mxn or myr or nzd or php or sgd or thb or zar or eur
-- column: date = date, time, timestamp, time_period; 2024-01-31, 31 January 2024 or a time in UTC, becomes time
-- optional: base = base, from, currency_denom
-- optional: quote = quote, to, currency
-- optional: rate = rate, mid, obs_value; units of quote per unit of base; replaced by the midpoint if bid and ask are present
-- optional: bid = bid
-- optional: ask = ask
-- optional: seconds = seconds; length of the candle that begins at the time, and whose close is the rate; 0 for a rate at the time, even if it is midnight
-- optional: usd = usd; this and all columns below: units of the currency per unit of the base currency
-- optional: jpy = jpy
-- optional: bgn = bgn
-- optional: cyp = cyp
-- optional: czk = czk
-- optional: dkk = dkk
-- optional: eek = eek
-- optional: gbp = gbp
-- optional: grd = grd
-- optional: huf = huf
-- optional: ltl = ltl
-- optional: lvl = lvl
-- optional: mtl = mtl
-- optional: pln = pln
-- optional: rol = rol
-- optional: ron = ron
-- optional: sek = sek
-- optional: sit = sit
-- optional: skk = skk
-- optional: chf = chf
-- optional: isk = isk
-- optional: nok = nok
-- optional: hrk = hrk
-- optional: rub = rub
-- optional: trl = trl
-- optional: try = try
-- optional: aud = aud
-- optional: brl = brl
-- optional: cad = cad
-- optional: cny = cny
-- optional: hkd = hkd
-- optional: idr = idr
-- optional: ils = ils
-- optional: inr = inr
-- optional: krw = krw
-- optional: mxn = mxn
-- optional: myr = myr
-- optional: nzd = nzd
-- optional: php = php
-- optional: sgd = sgd
-- optional: thb = thb
-- optional: zar = zar
-- optional: eur = eur; for a base other than the euro
-- source: reference_rates = xml
-- roots: Envelope
-- repeated: Cube
-- member: document.Envelope.Cube[].Cube[].time; date
-- member: document.Envelope.Cube[].Cube[].Cube[]; currency becomes quote, rate
-- step: reference_quotes
SELECT
  file,
  line,
  day ->> '$."@time"' AS date,
  rate ->> '$."@currency"' AS quote,
  rate ->> '$."@rate"' AS rate
FROM (
  SELECT
    file,
    line,
    day,
    unnest(day -> '$.Cube[*]') AS rate
  FROM (
    SELECT
      file,
      line,
      unnest(record -> '$.document.Envelope.Cube[*].Cube[*]') AS day
    FROM reference_rates
  )
)
-- step: dated
SELECT
  *,
  CASE
    WHEN seconds IS NULL
      THEN coalesce(
        CASE WHEN is_date_text(date) OR are_dates THEN day_of(date) + TIME '15:00:00' END,
        TRY_STRPTIME(date, '%d %B %Y')::DATE + TIME '15:00:00',
        instant_of(date)
      )
    WHEN regexp_full_match(seconds, '\d{1,8}')
      THEN coalesce(day_of(date)::TIMESTAMP, instant_of(date))
        + to_seconds(seconds::INTEGER - if(seconds::INTEGER < 86400, 0, 1))
  END AS moment,
  coalesce(
    CASE
      WHEN NOT regexp_full_match(seconds, '\d{1,8}') THEN ['seconds', 'not a number of seconds', seconds]
    END,
    day_fault('date', date, moment::DATE, $today)
  ) AS date_fault,
  coalesce(base, quote, rate, bid, ask) IS NOT NULL AS is_long
FROM (
  SELECT
    *,
    bool_and(day_of(date) IS NOT NULL) FILTER (instant_of(date) IS NOT NULL) OVER (PARTITION BY file) AS are_dates
  FROM (FROM rates UNION ALL BY NAME FROM reference_quotes)
)
-- Cells of the currency columns: a cell that is not blank is a rate, or states that there is none.
-- step: cells
UNPIVOT (
  SELECT
    * EXCLUDE (date, base, quote, rate, bid, ask, seconds, are_dates, moment, date_fault, is_long)
  FROM dated
  WHERE date_fault IS NULL
)
ON COLUMNS(* EXCLUDE (file, line))
INTO NAME currency VALUE cell
-- dataset: fx_quotes
WITH quoted AS (
  SELECT
    file,
    line,
    moment,
    date_fault,
    upper(coalesce(base, $base, 'EUR')) AS base_code,
    upper(quote) AS quote_code,
    'rate' AS rate_column,
    present(rate) AS rate_text,
    present(bid) AS bid_text,
    present(ask) AS ask_text
  FROM dated
  WHERE is_long OR date_fault IS NOT NULL
  UNION ALL
  SELECT
    file,
    line,
    moment,
    NULL,
    upper(coalesce($base, 'EUR')),
    upper(currency),
    currency,
    cell,
    NULL,
    NULL
  FROM cells
  JOIN dated USING (file, line)
  WHERE present(cell) IS NOT NULL
  UNION ALL
  -- A row without any rate.
  SELECT
    file,
    line,
    moment,
    NULL,
    'EUR',
    'USD',
    'rate',
    NULL,
    NULL,
    NULL
  FROM dated
  ANTI JOIN cells USING (file, line)
  WHERE NOT is_long AND date_fault IS NULL
),
-- Each value is computed by one SELECT, because a name that is used in its own SELECT is expanded there.
numbers AS (
  SELECT
    *,
    TRY_CAST(half_even_text(rate_text, 10) AS DECIMAL(18, 10)) AS stated,
    TRY_CAST(half_even_text(bid_text, 10) AS DECIMAL(18, 10)) AS bid_number,
    TRY_CAST(half_even_text(ask_text, 10) AS DECIMAL(18, 10)) AS ask_number
  FROM quoted
),
spreads AS (
  SELECT
    *,
    coalesce(
      positive_fault('bid', bid_text, bid_number),
      positive_fault('ask', ask_text, ask_number),
      note('bid', 'without an ask', bid_text, bid_text IS NOT NULL AND ask_text IS NULL),
      note('ask', 'without a bid', ask_text, ask_text IS NOT NULL AND bid_text IS NULL),
      note('bid', 'above the ask', bid_text, bid_number > ask_number)
    ) AS spread_fault
  FROM numbers
),
halves AS (
  SELECT
    *,
    CASE WHEN spread_fault IS NULL THEN bid_number END AS bid_rate,
    CASE WHEN spread_fault IS NULL THEN ask_number END AS ask_rate,
    -- Half of the sum is exact with one more digit.
    CASE WHEN spread_fault IS NULL THEN 0.5 * (bid_number + ask_number) END AS half
  FROM spreads
),
typed AS (
  SELECT
    *,
    half_even(half, 10)::DECIMAL(18, 10) AS mid
  FROM halves
)
SELECT
  file,
  line,
  base_code AS base,
  quote_code AS quote,
  moment::DATE AS date,
  moment AS time,
  coalesce(mid, stated) AS rate,
  bid_rate AS bid,
  ask_rate AS ask,
  coalesce(
    date_fault,
    CASE WHEN NOT regexp_full_match(base_code, '[A-Z]{3}') THEN ['base', 'not a currency code', base_code] END,
    blank_fault('quote', quote_code),
    CASE
      WHEN NOT regexp_full_match(quote_code, '[A-Z]{3}') THEN ['quote', 'not a currency code', quote_code]
      WHEN quote_code = base_code THEN ['quote', 'the same as the base', quote_code]
    END,
    positive_fault(rate_column, rate_text, stated),
    CASE WHEN rate_text IS NULL AND mid IS NULL THEN coalesce(spread_fault, ['rate', 'missing', NULL]) END
  ) AS fault,
  [
    spread_fault,
    note('rate', 'not between bid and ask', rate_text, stated NOT BETWEEN bid_rate AND ask_rate)
  ] AS left_out
FROM typed
