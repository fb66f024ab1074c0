-- Quarterly reports of the forty institutions in institutions.sql: the last nine with a filing date before $to, so that
-- a history of eight units is truncated. Each institution holds about thirty of the market's securities and of six
-- unlisted ones; positions are held, bought, increased, reduced, closed and bought again.
-- Shares, funds and options follow the splits of their ticker: before a split, a position has the units from which it
-- makes the units drawn.
-- The value is units × price on the report date. The price is the ticker's close on that day or the last session before
-- it; if the market starts later, a fictitious price near its first close. Debt, preferred stock and warrants have
-- their own prices.
-- CUSIPs are in the range reserved for private use: characters four and five of the issuer are 99.
WITH names AS (
  SELECT [
    'Alderbrook Capital Management LP', 'Birchfold Partners LLC', 'Cindermoor Advisors Inc',
    'Dovercrest Brokerage Corp', 'Elmhollow Biotech Fund LP', 'Farrowgate Activist Partners LP',
    'Glenstow Asset Management', 'Hartsmere Tiger Fund LP', 'Inverlea Sustainable Investors',
    'Juniper Sound Credit LP', 'Kestrel Ridge Energy Partners', 'Larkspur Small Companies Fund',
    'Mossbank Event Capital LP', 'Northquay Realty Investors', 'Oakhaven Technology Partners',
    'Pellworth Trust Company', 'Quarrymead Value Fund', 'Rookhurst Securities Inc', 'Saltmarsh Life Sciences LP',
    'Thornley Engagement Fund LP', 'Underhill Wealth Advisors', 'Vailcroft Global LP', 'Westering Impact Partners',
    'Yarrowdale Credit Opportunities', 'Zephyr Lane Energy Fund', 'Ashcombe Insurance Group',
    'Brindlewood Arbitrage LP', 'Copperfen Property Trust', 'Dunlow Digital Ventures', 'Eastwick Pension Board',
    'Fallowmere Capital LLC', 'Greywater Quantitative LP', 'Hollin Street Advisors', 'Ironbridge Brokerage LLC',
    'Jessamine Endowment', 'Kilnworth Partners LP', 'Lintonshire Wealth Inc', 'Merrowby Growth Fund',
    'Netherfield Foundation', 'Overton Vale Management LP'
  ] AS names
),
institutions AS (
  SELECT
    number,
    names[1 + number] AS name
  FROM names
  CROSS JOIN range(40) AS numbers (number)
),
first_closes AS (
  SELECT
    ticker,
    arg_min(close, date) AS close
  FROM market_days
  GROUP BY ticker
),
companies AS (
  SELECT
    market_tickers.number,
    ticker,
    full_name,
    issue_type,
    shares_outstanding,
    first_closes.close AS first_close
  FROM market_tickers
  JOIN first_closes USING (ticker)
  WHERE issue_type <> 'Index'
  UNION ALL
  -- Securities without a known ticker: their CUSIP takes its place.
  SELECT
    (SELECT max(number) + 1 FROM market_tickers) + place,
    NULL,
    -- The sixth has no known name either.
    ['Quillon Freight', 'Ostrava Glass', 'Perrin Mills', 'Ravel Optics', 'Sundby Foods', NULL][1 + place],
    'Common Stock',
    40000000 * (1 + place),
    (18 + 11 * place)::DECIMAL(18, 6)
  FROM range(6) AS outside (place)
),
ordered AS (
  SELECT
    *,
    row_number() OVER (ORDER BY number) - 1 AS place,
    count(*) OVER () AS companies
  FROM companies
),
-- Issue numbers: two digits for equity, two letters for debt; an option is reported under its underlying's.
forms (form, issue_type, security_type, put_call, title_of_class, issue, share) AS (
  VALUES
    (0, 'Common Stock', 'Share', '', 'COM', '10', 100),
    (1, 'Common Stock', 'Option', 'call', 'COM', '10', 16),
    (2, 'Common Stock', 'Option', 'put', 'COM', '10', 16),
    (3, 'Common Stock', 'Preferred', '', 'PFD SER A', '20', 6),
    (4, 'Common Stock', 'Debt', '', 'NOTE 1.250% 3/1', 'AB', 8),
    (5, 'Common Stock', 'Warrant', '', '*W EXP 06/30/2027', '11', 6),
    (6, 'ADR', 'Share', '', 'SPONSORED ADS', '10', 100),
    (7, 'ADR', 'Option', 'call', 'SPONSORED ADS', '10', 10),
    (8, 'ETF', 'Fund', '', 'UNIT SER 1', '10', 100),
    (9, 'ETF', 'Option', 'call', 'UNIT SER 1', '10', 20),
    (10, 'ETF', 'Option', 'put', 'UNIT SER 1', '10', 20)
),
letters AS (
  SELECT '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ' AS letters
),
unchecked AS (
  SELECT
    ordered.*,
    forms.* EXCLUDE (issue_type),
    letters[1 + number // 1156 % 34] || letters[1 + number // 34 % 34] || letters[1 + number % 34]
      || '99' || letters[11 + ((hash($seed, 'cusip', number) + (number // 39304)::UBIGINT) % 24)::BIGINT]
      || issue AS body
  FROM ordered
  JOIN forms USING (issue_type)
  CROSS JOIN letters
),
-- CUSIP's check digit: letters count 10 to 35, every second character counts double, digits are summed modulo 10.
digits AS (
  SELECT
    *,
    list_transform(
      range(1, 9),
      lambda i: (1 + (i - 1) % 2) * (strpos('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', body[i]) - 1)
    ) AS doubled
  FROM unchecked
),
securities AS (
  SELECT
    * EXCLUDE (body, doubled),
    body || ((10 - list_sum(list_transform(doubled, lambda d: d // 10 + d % 10)) % 10) % 10)::VARCHAR AS cusip
  FROM digits
),
positions AS (
  SELECT
    institutions.number AS institution,
    institutions.name AS institution_name,
    securities.*,
    place = institutions.number % companies AND share = 100 AS anchor,
    hash($seed, 'life', institutions.number, securities.number, form) AS draw
  FROM institutions
  CROSS JOIN securities
  -- One position is held throughout, so that no report is empty.
  WHERE anchor
    OR (
      unit(hash($seed, 'held', institutions.number, securities.number)) < least(0.7, 30.0 / companies)
      AND hash($seed, 'form', institutions.number, securities.number, form) % 100 < share
    )
),
quarters AS (
  SELECT (date_trunc('quarter', $to + 1) - to_months(3 * back::INTEGER))::DATE - 1 AS report_date
  FROM range(12) AS quarters (back)
),
-- Filings are due within 45 days.
reports AS (
  SELECT
    report_date,
    9 - row_number() OVER (ORDER BY report_date DESC) AS report
  FROM quarters
  WHERE report_date + 45 <= $to
  QUALIFY report >= 0
),
steps AS (
  SELECT
    *,
    CASE hash($seed, 'step', institution, number, form, report) % 5
      WHEN 0 THEN 0
      WHEN 1 THEN 0
      WHEN 2 THEN 12
      WHEN 3 THEN -9
      ELSE (hash($seed, 'size', institution, number, form, report) % 21)::BIGINT - 8
    END AS step
  FROM positions
  CROSS JOIN reports
),
-- Percentage of the base: 100 plus all increases and reductions up to the report. Nine reductions leave at least 19.
levels AS (
  SELECT
    *,
    100 + sum(step) OVER (
      PARTITION BY institution, number, form
      ORDER BY report
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS level
  FROM steps
),
held AS (
  SELECT *
  FROM levels
  WHERE anchor
    OR CASE draw % 8
      WHEN 0 THEN report >= 1 + (draw >> 8) % 8
      WHEN 1 THEN report < 1 + (draw >> 8) % 8
      WHEN 2 THEN report < 2 + (draw >> 8) % 2 OR report >= 5 + (draw >> 16) % 3
      ELSE true
    END
),
-- Up to 0.5 % of the shares outstanding, so that all forty together hold less than the total.
sized AS (
  SELECT
    held.*,
    greatest(
      100,
      round(shares_outstanding * exp(-12 + 6.7 * unit(draw)) * level / 100)::BIGINT
    ) AS shares,
    coalesce(splits.units, 1) AS ratio,
    if(held.report_date < splits.date, 1, ratio) AS basis
  FROM held
  LEFT JOIN market_splits AS splits USING (ticker)
),
counted AS (
  SELECT
    *,
    CASE security_type
      WHEN 'Option' THEN 100 * (1 + shares // (400 * ratio)) * basis
      WHEN 'Debt' THEN 1000 * (1 + shares // 100)
      WHEN 'Preferred' THEN 1 + shares // 20
      WHEN 'Warrant' THEN 1 + shares // 10
      ELSE shares // ratio * basis
    END AS units
  FROM sized
),
priced AS (
  SELECT
    counted.*,
    coalesce(
      market_days.close,
      round(first_close * (0.8 + 0.4 * unit(hash($seed, 'price', number, report_date))), 2)
        ::DECIMAL(18, 2)::DECIMAL(18, 6)
    ) AS close,
    unit(hash($seed, 'price', number, form, report_date)) AS u
  FROM counted
  ASOF LEFT JOIN market_days ON counted.ticker = market_days.ticker AND counted.report_date >= market_days.date
),
valued AS (
  SELECT
    *,
    round(
      CASE security_type
        WHEN 'Preferred' THEN 22 + 5 * u
        WHEN 'Debt' THEN 0.86 + 0.18 * u
        WHEN 'Warrant' THEN 0.05 + 0.2 * close * u
        ELSE close
      END,
      6
    )::DECIMAL(18, 6) AS price,
    hash($seed, 'filing', institution, report_date) AS filing,
    hash($seed, 'omission', institution, number, form, report_date) % 8 AS omission
  FROM priced
),
-- From three and a half weeks on. One report in six is filed again, three to nine weeks later: the first filing lacks
-- positions, states too few units of others, and has some that the second one withdraws. Another one in six is followed by
-- an addition with what it lacks.
dated AS (
  SELECT
    *,
    report_date + 25 + (filing % 21)::INTEGER AS first_date,
    first_date + 21 + ((filing >> 8) % 42)::INTEGER AS second_date,
    ['report', 'addition'][1 + ((filing >> 16) % 6)::INTEGER] AS second_kind,
    second_kind IS NOT NULL AND omission = 0 AND NOT anchor AS is_omitted,
    second_kind = 'report' AND omission = 2 AND NOT anchor AS is_withdrawn,
    second_kind = 'report' AND omission = 1 AND security_type IN ('Share', 'Fund') AS is_understated
  FROM valued
),
filed AS (
  SELECT
    * REPLACE (if(is_understated, greatest(1, units // basis * 4 // 5) * basis, units) AS units),
    first_date AS filed_by,
    'report' AS filing_kind
  FROM dated
  WHERE NOT is_omitted
  UNION ALL
  SELECT
    *,
    second_date,
    second_kind
  FROM dated
  WHERE second_date <= $to
    AND if(second_kind = 'report', NOT is_withdrawn, is_omitted)
)
SELECT
  report_date,
  -- A date on a weekend moves to the Friday before.
  filed_by - greatest(0, isodow(filed_by) - 5)::INTEGER AS filing_date,
  (9000100 + 37 * institution)::VARCHAR AS cik,
  institution_name,
  cusip,
  coalesce(ticker, cusip) AS ticker,
  full_name,
  title_of_class,
  security_type,
  put_call,
  units::BIGINT AS units,
  round(units::DECIMAL(20, 0) * price, 2)::DECIMAL(18, 2) AS value,
  filing_kind
FROM filed
