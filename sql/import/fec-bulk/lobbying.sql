-- dataset: lobbying_reports
WITH typed AS (
  SELECT
    *,
    MAP {
      'first_quarter': 1, 'second_quarter': 4, 'third_quarter': 7, 'fourth_quarter': 10, 'mid_year': 1, 'year_end': 7
    }[period] AS month,
    CASE
      WHEN regexp_full_match(year, '\d{4}') AND year::INTEGER BETWEEN 1998 AND year($today::DATE) + 1 THEN year::INTEGER
    END AS filing_year,
    TRY_CAST(half_even_text(amount, 2) AS DECIMAL(18, 2)) AS dollars,
    -- First all versions of the same report; then the same client in its own reports and those of its firms.
    coalesce(registrant || '-' || client || '-' || year || '-' || period, uuid) AS id,
    coalesce(ticker, upper(client_name)) AS for_whom,
    CASE
      WHEN uuid IS NULL THEN ['filing_uuid', 'missing', NULL]
      WHEN type IS NULL THEN ['filing_type', 'missing', NULL]
      WHEN client_name IS NULL THEN ['client.name', 'missing', NULL]
      WHEN filing_year IS NULL THEN ['filing_year', 'not a year after 1997', year]
      WHEN month IS NULL THEN ['filing_period', 'not a quarter or half-year', period]
      WHEN number_fault('amount', amount, dollars) IS NOT NULL THEN number_fault('amount', amount, dollars)
      WHEN dollars < 0 THEN ['amount', 'below zero', amount]
    END AS fault
  FROM reports
  LEFT JOIN organisations ON text = client_name
),
versions AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY fault IS NULL, id
      ORDER BY posted DESC NULLS LAST, uuid DESC, file DESC, line DESC, dollars DESC, client_name
    ) = 1 AS is_last
  FROM typed
),
counted AS (
  SELECT
    *,
    expenses IS NULL
    AND bool_or(expenses IS NOT NULL) OVER (PARTITION BY for_whom, filing_year, month) AS is_within_another
  FROM versions
  WHERE fault IS NULL AND is_last
)
SELECT
  file,
  line,
  id,
  (filing_year + filing_year % 2)::INTEGER AS cycle,
  make_date(filing_year + filing_year % 2, 12, 31) AS cycle_end,
  coalesce(ticker, '') AS ticker,
  client_name,
  make_date(filing_year, month, 1) AS period_start,
  dollars AS amount,
  fault
FROM counted
WHERE NOT is_within_another
UNION ALL BY NAME
SELECT file, line, fault
FROM typed
WHERE fault IS NOT NULL
